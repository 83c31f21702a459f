/** An answer of the server that is tried. @module */

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the body as JSON; undefined: it is none */
  readonly json: unknown
}
