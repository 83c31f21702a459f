/** Revocation of a credential type whose authority is another server (spec/cryptography#14.7, #14.8): it fetches, verifies and stores the accumulators of
 *  that authority. No answer of a server is trusted. Accumulators count because the issuer signed them; the server that delivers them does not matter.
 *  @module */
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
import { type Outgoing, type OutgoingBytes, OutgoingError } from '../../ports/outgoing.ts'
import { IssuanceFailedError } from '../../protocol/errors.ts'
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
  /** asked in this order until one answers; without a trailing slash */
  readonly servers: readonly string[]
  /** number of latest events to ask for */
  readonly updateCount: number
  /** true if all events are needed, because this server serves them to others */
  readonly isServer: boolean
  /** aborted when this server stops */
  readonly stop: AbortSignal
  /** receives failures, for a log */
  readonly report: (failure: FollowError) => void
  /** called when the server has given the requested data */
  readonly worked: (asked: FollowRequest) => void
}

/** The two requests to a server: new data from time to time, or its event stream. */
export type FollowRequest = 'updates' | 'stream'

/** A revocation server that is currently unusable. The text does not contain its address. */
export class FollowError extends Error {
  override readonly name = 'FollowError'
  readonly asked: FollowRequest
  /** without a trailing slash; null: there is no server to ask */
  readonly server: string | null

  constructor(asked: FollowRequest, server: string | null, cause: Error) {
    super(cause.message, { cause })
    this.asked = asked
    this.server = server
  }
}

/** Accumulators are signed again every minute, and answers may be cached on the way for as long. */
const MAX_AGE_MS = 2 * 60_000
const AFTER_FAILURE_MS = 10_000

/** A server answered with unusable data. */
class UselessAnswerError extends Error {
  override readonly name = 'UselessAnswerError'
}

export class Follower {
  readonly #deps: FollowerDeps
  /** by key counter: Unix ms of the wall clock at which the known accumulator was last confirmed as the latest */
  readonly #refreshedAt = new Map<number, number>()
  #refreshing: Promise<void> | null = null
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** Unix ms; null: never since the start */
  refreshedAt(keyCounter: number): number | null {
    return this.#refreshedAt.get(keyCounter) ?? null
  }

  /** True if no key was refreshed within `ms`. Also true if the clock was set back and the last refresh lies in the future. */
  isOlderThan(ms: number): boolean {
    const sinceMs = this.#deps.clock.wallNow() - Math.max(...this.#refreshedAt.values()) // there may be none
    return sinceMs > ms || sinceMs < 0
  }

  /** True if all servers failed a moment ago, so that no caller needs to wait for another attempt. */
  hasJustFailed(): boolean {
    return this.#failedAt > this.#deps.clock.now() - AFTER_FAILURE_MS
  }

  /** Fetches new data. A failure is reported, and the known data stays. Concurrent callers share one request. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  /** Receives new accumulators as they are made, until the stream ends or delivers invalid data.
   *  @throws {FollowError} */
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
        report(new FollowError('stream', server, error))
        await this.refresh() // fetches updates that may have been missed
        return // the next round listens again, at its own interval
      }
  }

  /** @throws {FollowError} */
  async *#eventsOf(server: string): AsyncGenerator<string, undefined> {
    const { known, listenTo, stop } = this.#deps
    try {
      yield* listenTo(streamUrl(server, known.type), stop)
    } catch (error) {
      throw isOfServer(error) ? new FollowError('stream', server, error) : error
    }
  }

  /** @throws {IssuanceFailedError} also if no server has accepted the record */
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
      if (!(cause instanceof FollowError)) throw cause
      throw new IssuanceFailedError(
        `revocation of ${known.type}: the issuance record was not taken: ${cause.message}`,
        { cause },
      )
    }
    return witness
  }

  /** Verifies and stores an update, from any source.
   *  @param server a server that has the earlier events, if they are needed
   *  @throws {RevocationDataError} for an invalid update
   *  @throws {OutgoingError} @throws {UselessAnswerError} if the earlier events cannot be fetched */
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
      if (merged === null || (await known.commit([changed(row, known, merged)]))) break // otherwise another commit was faster
    }
    const atMs = atSec * 1_000
    // an accumulator that was signed long ago is not the latest, even if a server says so
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
      if (!(error instanceof FollowError)) throw error
      this.#failedAt = this.#deps.clock.now()
      report(error)
    }
  }

  /** Adds to an update the earlier events that are needed and unknown.
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

  /** @throws {FollowError} the failure of the last server */
  async #ask(call: (server: string) => Promise<OutgoingBytes>): Promise<void> {
    const failureOf = (server: string | null, cause: Error) => new FollowError('updates', server, cause)
    let failure = failureOf(null, new UselessAnswerError('expected a revocation server, got none'))
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

function useless({ status }: OutgoingBytes): UselessAnswerError {
  return new UselessAnswerError(`expected an answer with status 200, got ${status}`)
}

/** True if another server caused the failure. */
function isOfServer(error: unknown): error is Error {
  return (
    error instanceof OutgoingError ||
    error instanceof RevocationDataError ||
    error instanceof ShapeError ||
    error instanceof UselessAnswerError
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
