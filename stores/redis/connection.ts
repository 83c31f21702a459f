/** The only connection of a node to its Redis server. It is opened again after each loss; meanwhile every call fails at once. After a reconnect the
 *  subscribers are notified, because they missed messages of other nodes. A connection whose server does not answer in time is closed, because it may
 *  never answer. @module */
import { ErrorReply } from '@redis/client'
import type { Clock, Timer } from '../../ports/clock.ts'
import { Circuit } from '../circuit.ts'
import type { Health } from '../health.ts'
import { StoreError } from '../store-error.ts'
import { newClient, type RedisClient, type Target } from './client.ts'
import { codeOf, failureOf } from './redis-errors.ts'
import type { Command } from './transaction.ts'

/** The maximum time for an answer. A call waits 4 s in all, and a commit that would be too late for it should not be made. */
const ANSWER_MS = 3_000
/** The maximum time to open and prepare a connection. */
const OPEN_MS = 5_000
/** The minimum pause between two checks for late answers. */
const LOOK_MS = 100
/** The pause before a lost connection is opened again. */
const RECONNECT_MS = 500
/** Error codes after which the connection is useless: the server is not the primary, or no longer. */
const USELESS = ['READONLY', 'MASTERDOWN', 'LOADING']

/** The circuit never opens: it would limit calls to one at a time also on a new connection. */
const isNoAnswer = (): boolean => false

export type ConnectionDeps = {
  /** as a log may show it */
  readonly name: string
  readonly clock: Clock
  readonly health: Health
  readonly find: () => Promise<Target>
  readonly channel: string
  readonly notify: (message: string) => void
  /** prepares a new connection
   *  @throws {Error} if the connection cannot be used */
  readonly ready: (connection: Pick<Connection, 'ask'>) => Promise<void>
  /** called after the connection was lost and opened again */
  readonly missed: () => void
}

export class Connection {
  readonly #deps: ConnectionDeps
  /** limits the number of waiting calls only; a silent connection is closed, so the circuit never needs to open */
  readonly #circuit: Circuit
  #client: RedisClient | null = null
  #timer: Timer | null = null
  #wasOpen = false
  /** True: the last attempt to reconnect failed. */
  #isGone = false
  #isClosed = false
  /** the reason why this node closed a connection, which the driver does not report */
  readonly #left = new WeakMap<RedisClient, string>()
  /** commands without an answer yet, in their order */
  readonly #sent = new Map<number, { readonly client: RedisClient; readonly at: number }>()
  #count = 0
  #watch: Timer | null = null

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
    this.#circuit = new Circuit(deps.name)
  }

  /** @throws {Error} with a message for an operator; then no connection is open */
  async open(): Promise<void> {
    const { name, find, channel, notify: heard, ready, clock } = this.#deps
    const readied = (error: unknown): Error => failureOf(name, error) // not logged, because `ready` may tolerate the error
    let client: RedisClient | null = null
    let late: Timer | null = null
    try {
      const made = newClient(await find())
      client = made
      // starts after the lookup, because each Sentinel has its own time limit
      late = clock.setTimeout(() => this.#leave(made, noAnswerWithin(OPEN_MS)), OPEN_MS)
      made.on('error', () => this.#lost(made))
      await made.connect()
      await made.subscribe(channel, heard)
      await ready({ ask: command => this.#askOf(made, command, readied) })
      if (this.#isClosed || !made.isReady) throw new Error('the connection was closed')
      this.#client = made
      if (this.#wasOpen) this.#deps.missed() // before the first command to a server that may be another one
      this.#wasOpen = true
      this.#isGone = false
    } catch (error) {
      client?.destroy()
      this.#isGone = true
      throw this.#failed(client ? this.#causeOf(client, error) : error)
    } finally {
      if (late) clock.clearTimeout(late)
    }
  }

  /** @returns the answer of the server
   *  @throws {StoreError} also if no answer arrives in time: then the outcome is unknown */
  ask(command: Command): Promise<unknown> {
    const client = this.#client
    if (client === null) return Promise.reject(this.#failed(new Error('no connection')))
    return this.#circuit.run(() => this.#askOf(client, command, error => this.#failed(error)), isNoAnswer)
  }

  get isOpen(): boolean {
    return this.#client !== null
  }

  /** True if the server could not be reached again. A connection that is lost and opened again at once does not count. */
  get isGone(): boolean {
    return this.#isGone
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    if (this.#watch) this.#deps.clock.clearTimeout(this.#watch)
    this.#client?.destroy()
    this.#client = null
  }

  /** @param failed makes the error to throw */
  async #askOf(client: RedisClient, command: Command, failed: (error: unknown) => Error): Promise<unknown> {
    const { clock } = this.#deps
    const number = ++this.#count
    this.#sent.set(number, { client, at: clock.now() })
    this.#watch ??= clock.setTimeout(this.#lookSoon, ANSWER_MS)
    try {
      const answer = await client.sendCommand(command)
      this.#deps.health.worked()
      return answer
    } catch (error) {
      if (codeOf(error) === 'NOSCRIPT') throw error // the caller sends the whole script again
      if (USELESS.includes(codeOf(error))) this.#lost(client, `"${codeOf(error)}" in answer to another call`)
      throw failed(this.#causeOf(client, error))
    } finally {
      this.#sent.delete(number)
    }
  }

  /** Runs after pending input is read, because a suspended process may have answers waiting. */
  readonly #lookSoon = (): void => void setImmediate(() => this.#look())

  /** Answers arrive in the order of the commands, so the oldest missing one shows how long the server has been silent. */
  #look(): void {
    this.#watch = null
    const [oldest] = this.#sent.values()
    if (oldest === undefined) return
    const { clock } = this.#deps
    const leftMs = oldest.at + ANSWER_MS - clock.now()
    if (leftMs <= 0) this.#lost(oldest.client, noAnswerWithin(ANSWER_MS))
    this.#watch = clock.setTimeout(this.#lookSoon, Math.max(LOOK_MS, leftMs))
  }

  /** @param why reason why this node closes the connection; left out: it failed by itself */
  #lost(client: RedisClient, why?: string): void {
    this.#leave(client, why) // pending calls fail
    if (this.#client !== client) return
    this.#client = null
    this.#openLater(0)
  }

  #leave(client: RedisClient, why?: string): void {
    if (why !== undefined && !this.#left.has(client)) this.#left.set(client, why)
    client.destroy()
  }

  #causeOf(client: RedisClient, error: unknown): unknown {
    const why =
      error instanceof ErrorReply || error instanceof StoreError ? undefined : this.#left.get(client)
    return why === undefined ? error : new Error(why)
  }

  #openLater(pauseMs: number): void {
    if (this.#isClosed) return
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.open().catch(() => this.#openLater(RECONNECT_MS)) // it is logged
    }, pauseMs)
  }

  /** @returns the error to throw */
  #failed(error: unknown): Error {
    const failure = failureOf(this.#deps.name, error)
    if (failure instanceof StoreError && !this.#isClosed) this.#deps.health.failed(failure)
    return failure
  }
}

function noAnswerWithin(ms: number): string {
  return `no answer within ${ms / 1_000} s`
}
