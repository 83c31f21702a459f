/** The one connection of a node to its Redis server. It is made again after each loss; until then every call fails at once. Whoever follows the store hears of each
 *  loss that is over: what others published meanwhile was missed. A server that does not answer in time is left, since it may never answer. @module */
import { ErrorReply } from '@redis/client'
import type { Clock, Timer } from '../../ports/clock.ts'
import { Circuit } from '../circuit.ts'
import type { Health } from '../health.ts'
import { StoreFailure } from '../store-failure.ts'
import { newClient, type RedisClient, type Target } from './client.ts'
import { codeOf, failureOf } from './redis-errors.ts'
import type { Command } from './transaction.ts'

/** The longest wait for an answer: a call waits 4 s in all, and a commit that comes too late for it should not be made. */
const ANSWER_MS = 3_000
/** The longest time in which a connection is made and readied. */
const OPEN_MS = 5_000
/** The shortest pause between two looks whether an answer is late. */
const LOOK_MS = 100
/** The pause before a connection that was lost is made again. */
const RECONNECT_MS = 500
/** Answers after which the connection is of no use: the server is not the primary one (any more). */
const USELESS = ['READONLY', 'MASTERDOWN', 'LOADING']

/** For the circuit: that one would ask once at a time also on a new connection. */
const isNoAnswer = (): boolean => false

export type ConnectionDeps = {
  /** as a log may show it */
  readonly name: string
  readonly clock: Clock
  readonly health: Health
  readonly find: () => Promise<Target>
  readonly channel: string
  readonly heard: (message: string) => void
  /** readies a connection that was just made
   *  @throws {Error} if it is of no use */
  readonly ready: (connection: Pick<Connection, 'ask'>) => Promise<void>
  /** the connection was lost, and is there again */
  readonly missed: () => void
}

export class Connection {
  readonly #deps: ConnectionDeps
  /** bounds the calls that wait; a connection on which nothing is answered is left, so that there is nothing else to keep calls from */
  readonly #circuit: Circuit
  #client: RedisClient | null = null
  #timer: Timer | null = null
  #wasOpen = false
  /** The last attempt to open it again failed. */
  #isGone = false
  #isClosed = false
  /** why this node has left a connection: the driver says only that it was left */
  readonly #left = new WeakMap<RedisClient, string>()
  /** the commands whose answers are awaited, in their order */
  readonly #sent = new Map<number, { readonly client: RedisClient; readonly at: number }>()
  #count = 0
  #watch: Timer | null = null

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
    this.#circuit = new Circuit(deps.name)
  }

  /** @throws {Error} in words for an operator; then nothing is left open */
  async open(): Promise<void> {
    const { name, find, channel, heard, ready, clock } = this.#deps
    const readied = (error: unknown): Error => failureOf(name, error) // whoever readies may do without the answer
    let client: RedisClient | null = null
    let late: Timer | null = null
    try {
      const made = newClient(await find())
      client = made
      // each Sentinel has had a time of its own
      late = clock.setTimeout(() => this.#leave(made, noAnswerWithin(OPEN_MS)), OPEN_MS)
      made.on('error', () => this.#lost(made))
      await made.connect()
      await made.subscribe(channel, heard)
      await ready({ ask: command => this.#askOf(made, command, readied) })
      if (this.#isClosed || !made.isReady) throw new Error('the connection was closed')
      this.#client = made
      if (this.#wasOpen) this.#deps.missed() // before anything is asked of a server that may be another one
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
   *  @throws {StoreFailure} also when no answer comes in time: then it is unknown what was done */
  ask(command: Command): Promise<unknown> {
    const client = this.#client
    if (client === null) return Promise.reject(this.#failed(new Error('no connection')))
    return this.#circuit.run(() => this.#askOf(client, command, error => this.#failed(error)), isNoAnswer)
  }

  get isOpen(): boolean {
    return this.#client !== null
  }

  /** Whether the server could not be reached again. A connection that breaks and is made again at once is no sign of that. */
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
      if (codeOf(error) === 'NOSCRIPT') throw error // it is sent again, whole
      if (USELESS.includes(codeOf(error))) this.#lost(client, `"${codeOf(error)}" in answer to another call`)
      throw failed(this.#causeOf(client, error))
    } finally {
      this.#sent.delete(number)
    }
  }

  /** A process that stood still reads first what has come meanwhile. */
  readonly #lookSoon = (): void => void setImmediate(() => this.#look())

  /** Answers come in the order of the commands, so that the first one that is missing says how long the server has been silent. */
  #look(): void {
    this.#watch = null
    const [oldest] = this.#sent.values()
    if (oldest === undefined) return
    const { clock } = this.#deps
    const leftMs = oldest.at + ANSWER_MS - clock.now()
    if (leftMs <= 0) this.#lost(oldest.client, noAnswerWithin(ANSWER_MS))
    this.#watch = clock.setTimeout(this.#lookSoon, Math.max(LOOK_MS, leftMs))
  }

  /** @param why this node leaves it; left out: the connection has failed by itself */
  #lost(client: RedisClient, why?: string): void {
    this.#leave(client, why) // what is awaited fails
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
      error instanceof ErrorReply || error instanceof StoreFailure ? undefined : this.#left.get(client)
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
    if (failure instanceof StoreFailure && !this.#isClosed) this.#deps.health.failed(failure)
    return failure
  }
}

function noAnswerWithin(ms: number): string {
  return `no answer within ${ms / 1_000} s`
}
