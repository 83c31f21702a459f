/** The common base of the parts of a Redis store: reading, and parsing answers. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'
import type { Replicas } from './replicas.ts'
import type { Command } from './transaction.ts'

export class RedisPart {
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

  /** @throws {StoreError} */
  async read(command: Command): Promise<unknown> {
    const answer = await this.#connection.ask(command)
    await this.#replicas.haveWhatIsRead()
    return answer
  }

  now(): number {
    return this.#clock.now()
  }

  /** A number that sorts a new member after the existing ones: the time in microseconds. A node never returns the same number twice. */
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

/** @param answer members with their scores, as pairs or as a flat list
 *  @returns members with their scores */
export function pairsIn(answer: unknown): [string, number][] {
  const flat = Array.isArray(answer) ? answer.flat() : []
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), Number(flat[2 * i + 1])])
}
