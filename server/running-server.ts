/** What a program holds of a server that listens. @module */

export type RunningServer = {
  readonly port: number
  /** null: clients use the same */
  readonly clientPort: number | null
  readonly close: () => Promise<void>
}
