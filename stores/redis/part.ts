/** What the parts of a store in a Redis server have in common: they read, and they read what comes back. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'
import type { Replicas } from './replicas.ts'
import type { Command } from './transaction.ts'

export class Part {
  readonly keys: Keys
  readonly #connection: Pick<Connection, 'ask'>
  readonly #replicas: Replicas
  readonly #clock: Pick<Clock, 'now'>
  #lastNumber = 0

  constructor(deps: {
    readonly keys: Keys
    readonly connection: Pick<Connection, 'ask'>
    readonly replicas: Replicas
    readonly clock: Pick<Clock, 'now'>
  }) {
    this.keys = deps.keys
    this.#connection = deps.connection
    this.#replicas = deps.replicas
    this.#clock = deps.clock
  }

  /** @throws {StoreFailure} */
  async read(command: Command): Promise<unknown> {
    const answer = await this.#connection.ask(command)
    await this.#replicas.haveWhatIsRead()
    return answer
  }

  now(): number {
    return this.#clock.now()
  }

  /** A number for what is new, by which it stands behind what was there before: the time in microseconds, none of which is given twice by one node. */
  nextNumber(): string {
    this.#lastNumber = Math.max(this.#lastNumber + 1, Math.round(this.#clock.now() * 1_000))
    return String(this.#lastNumber)
  }
}

export function textsIn(answer: unknown): readonly (string | null)[] {
  return Array.isArray(answer) ? answer.map(each => (typeof each === 'string' ? each : null)) : []
}

export function idsIn(answer: unknown): readonly string[] {
  return textsIn(answer).filter(each => each !== null)
}

/** @param answer members with their scores: in pairs, or one behind the other
 *  @returns members with their scores */
export function pairsIn(answer: unknown): [string, number][] {
  const flat = Array.isArray(answer) ? answer.flat() : []
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), Number(flat[2 * i + 1])])
}
