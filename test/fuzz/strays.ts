/** Rejections and exceptions that no code handled. They would end a server process. @module */

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

export class Strays {
  readonly #seen: string[] = []
  readonly #listeners = EVENTS.map(event => ({
    event,
    note: (error: unknown) => void this.#seen.push(`${event}: ${placeOf(error)}`),
  }))

  constructor() {
    for (const { event, note } of this.#listeners) process.on(event, note)
  }

  /** The first one since the last call; null: none. */
  take(): string | null {
    return this.#seen.splice(0)[0] ?? null
  }

  /** The same, after what is pending in this turn has happened. */
  async settled(): Promise<string | null> {
    for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve))
    return this.take()
  }

  close(): void {
    for (const { event, note } of this.#listeners) process.off(event, note)
  }
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error'
  const at = error.stack?.split('\n').find(line => line.includes('/dist/'))
  return `${error.name} at ${at?.replace(/^.*\/dist\/|\)$/g, '').replace(/:\d+$/, '') ?? 'an unknown place'}`
}
