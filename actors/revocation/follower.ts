/** Revocation of a credential type whose authority is another server (`spec/cryptography.md` 14.7, 14.8): what that one signs is fetched, verified and
 *  kept. Nothing that a server answers is trusted: accumulators count because the issuer signed them, whoever hands them on. @module */
import {
  mergeUpdate,
  type RevocationEvent,
  type RevocationUpdate,
  verifyUpdate,
} from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ListenTo } from '../../ports/event-source.ts'
import { type Outgoing, type OutgoingBytes, OutgoingFailure } from '../../ports/outgoing.ts'
import { IssuanceFailed } from '../../protocol/errors.ts'
import { decodeEvents, decodeUpdates } from '../../protocol/revocation-cbor.ts'
import { readUpdate } from '../../protocol/revocation-json.ts'
import { eventsUrl, intervalsOver, recordUrl, streamUrl, updateUrl } from '../../protocol/revocation-urls.ts'
import { readText, ShapeError } from '../../protocol/shape.ts'
import type { AccumulatorRow } from '../../stores/revocation-store.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import type { KnownAccumulators } from './known.ts'
import type { CredentialToIssue } from './revocation.ts'
import { newWitness } from './witness.ts'

export type FollowerDeps = {
  readonly known: KnownAccumulators
  readonly clock: Pick<Clock, 'now' | 'wallNow'>
  readonly outgoing: Pick<Outgoing, 'getBytes' | 'postBytes'>
  readonly listenTo: ListenTo
  readonly pool: Pick<ProofPool, 'issueWitness'>
  /** asked in this order until one answers; without a slash at the end */
  readonly servers: readonly string[]
  /** latest events to ask for */
  readonly updateCount: number
  /** all events are served to others, so all are needed */
  readonly isServer: boolean
  /** when the server stops */
  readonly stop: AbortSignal
  /** hears of failures, for a log */
  readonly report: (failure: FollowFailure) => void
  /** hears that the server gave what was asked for */
  readonly worked: (asked: Asked) => void
}

/** What a server is asked for: what is new, now and then, or its event stream. */
export type Asked = 'updates' | 'stream'

/** A revocation server that is of no use now. The text does not say where it is. */
export class FollowFailure extends Error {
  override readonly name = 'FollowFailure'
  readonly asked: Asked
  /** without a slash at the end; null: there is none to ask */
  readonly server: string | null

  constructor(asked: Asked, server: string | null, cause: Error) {
    super(cause.message, { cause })
    this.asked = asked
    this.server = server
  }
}

/** An accumulator is signed anew every minute, and answers may be kept on the way for as long. */
const MAX_AGE_MS = 2 * 60_000
const AFTER_FAILURE_MS = 10_000

/** A server that answered what is of no use. */
class UselessAnswer extends Error {
  override readonly name = 'UselessAnswer'
}

export class Follower {
  readonly #deps: FollowerDeps
  /** by key counter: Unix ms, by the clock of the system, at which what is known was last known to be the latest */
  readonly #refreshedAt = new Map<number, number>()
  #refreshing: Promise<void> | null = null
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** Unix ms; null: never, since the start */
  refreshedAt(keyCounter: number): number | null {
    return this.#refreshedAt.get(keyCounter) ?? null
  }

  /** Whether the last time, of any key, is longer ago; or still to come, by a clock that was set back. */
  isOlderThan(ms: number): boolean {
    const sinceMs = this.#deps.clock.wallNow() - Math.max(...this.#refreshedAt.values()) // there may be none
    return sinceMs > ms || sinceMs < 0
  }

  /** No server was of any use a moment ago: nobody needs to wait for another attempt. */
  hasJustFailed(): boolean {
    return this.#failedAt > this.#deps.clock.now() - AFTER_FAILURE_MS
  }

  /** Fetches what is new. A failure is reported: what is known stays. Whoever asks meanwhile waits for the same. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  /** Hears of new accumulators as they are made, until the stream ends or tells what is wrong.
   *  @throws {FollowFailure} */
  async listen(): Promise<void> {
    const { servers, report, worked } = this.#deps
    const [server] = servers
    if (server === undefined) return
    for await (const data of this.#eventsOf(server))
      try {
        const update = readUpdate(readText(data), 'update')
        await this.take(update.signed.keyCounter, update, server)
        worked('stream')
      } catch (error) {
        if (!isOfServer(error)) throw error
        report(new FollowFailure('stream', server, error))
        await this.refresh() // what was missed, perhaps
        return // nobody else says how often
      }
  }

  /** @throws {FollowFailure} */
  async *#eventsOf(server: string): AsyncGenerator<string, undefined> {
    const { known, listenTo, stop } = this.#deps
    try {
      yield* listenTo(streamUrl(server, known.type), stop)
    } catch (error) {
      throw isOfServer(error) ? new FollowFailure('stream', server, error) : error
    }
  }

  /** @throws {IssuanceFailed} also when no server has taken the record */
  async issue(credential: CredentialToIssue, signal?: AbortSignal): Promise<Witness> {
    const { known, pool, outgoing, stop } = this.#deps
    await this.refresh()
    const { witness, record, privateKey } = await newWitness(credential, known, pool, signal)
    const signed = signIssuanceRecord(record, privateKey)
    try {
      await this.#ask(server =>
        outgoing.postBytes(recordUrl(server, known.type, credential.keyCounter), signed, stop),
      )
    } catch (cause) {
      if (!(cause instanceof FollowFailure)) throw cause
      throw new IssuanceFailed(
        `revocation of ${known.type}: the issuance record was not taken: ${cause.message}`,
        { cause },
      )
    }
    return witness
  }

  /** An update, whoever sent it.
   *  @param server that has the events before, if they are needed
   *  @throws {RevocationDataError} for one that is wrong
   *  @throws {OutgoingFailure} @throws {UselessAnswer} if the events before are not to be had */
  async take(keyCounter: number, update: RevocationUpdate, server: string): Promise<void> {
    const { known, clock } = this.#deps
    const key = known.keyOf(keyCounter)
    if (key === null) return // the schemes have no such key
    const { atSec } = verifyUpdate(update, key)
    for (;;) {
      const row = await known.load(keyCounter)
      const whole = await this.#completed(server, row, update)
      if (whole !== update) verifyUpdate(whole, key)
      const merged = mergeUpdate(row, whole)
      if (merged === null || (await known.commit([changed(row, known, merged)]))) break // else another was faster
    }
    const atMs = atSec * 1_000
    // what was signed long ago is not the latest, whoever says so
    if (atMs >= clock.wallNow() - MAX_AGE_MS) this.#refreshedAt.set(keyCounter, clock.wallNow())
  }

  async #refresh(): Promise<void> {
    const { known, outgoing, updateCount, stop, report, worked } = this.#deps
    try {
      await this.#ask(async server => {
        const answer = await outgoing.getBytes(updateUrl(server, known.type, updateCount), stop)
        if (answer.status === 200)
          for (const [keyCounter, update] of decodeUpdates(answer.bytes))
            await this.take(keyCounter, update, server)
        return answer
      })
      worked('updates')
    } catch (error) {
      if (!(error instanceof FollowFailure)) throw error
      this.#failedAt = this.#deps.clock.now()
      report(error)
    }
  }

  /** The update with those events before its own that are not known and needed.
   *  @param update verified: its indices are the issuer's */
  async #completed(
    server: string,
    row: AccumulatorRow | null,
    update: RevocationUpdate,
  ): Promise<RevocationUpdate> {
    const { known, outgoing, isServer, stop } = this.#deps
    const [first] = update.events
    const min = row ? row.index + 1 : isServer ? 0 : null
    if (min === null || first === undefined || first.index <= min) return update
    const { keyCounter } = update.signed
    const earlier: RevocationEvent[] = []
    for (const interval of intervalsOver({ min, max: first.index })) {
      const answer = await outgoing.getBytes(eventsUrl(server, known.type, { keyCounter, ...interval }), stop)
      if (answer.status !== 200) throw useless(answer)
      earlier.push(...decodeEvents(answer.bytes))
    }
    const missing = earlier.filter(({ index }) => index >= min && index < first.index)
    return { ...update, events: [...missing, ...update.events] }
  }

  /** @throws {FollowFailure} of the last server */
  async #ask(call: (server: string) => Promise<OutgoingBytes>): Promise<void> {
    const failureOf = (server: string | null, cause: Error) => new FollowFailure('updates', server, cause)
    let failure = failureOf(null, new UselessAnswer('expected a revocation server, got none'))
    for (const server of this.#deps.servers)
      try {
        const answer = await call(server)
        if (answer.status === 200) return
        failure = failureOf(server, useless(answer))
      } catch (error) {
        if (!isOfServer(error)) throw error
        failure = failureOf(server, error)
      }
    throw failure
  }
}

function useless({ status }: OutgoingBytes): UselessAnswer {
  return new UselessAnswer(`expected an answer with status 200, got ${status}`)
}

/** A failure of others, and not of ours. */
function isOfServer(error: unknown): error is Error {
  return (
    error instanceof OutgoingFailure ||
    error instanceof RevocationDataError ||
    error instanceof ShapeError ||
    error instanceof UselessAnswer
  )
}

function changed(
  row: AccumulatorRow | null,
  { type }: KnownAccumulators,
  { signed, events }: RevocationUpdate,
) {
  const index = events.at(-1)?.index ?? row?.index ?? 0
  return {
    row: { type, keyCounter: signed.keyCounter, version: (row?.version ?? 0) + 1, signed, index },
    events,
  }
}
