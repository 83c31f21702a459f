/** The effect `post` of a delivery: one attempt to post a session result to its `callbackUrl` (spec/interface#6, spec/session-server#14; spec/decisions#d22: the address
 *  as given). Any 2xx answer is an acceptance, and 410 ends the delivery. A redirect is not followed and counts as another answer. The only header that is read is
 *  `Retry-After` of 429 and 503. No text for a log contains the content or the address. @module */
import type { Backoff, DeliveryEvent } from '../../machines/delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import { type CallbackAnswer, type Outgoing, OutgoingError } from '../../ports/outgoing.ts'
import { mistakeInAddress } from '../../ports/outgoing-address.ts'
import { retryAfterMs } from '../../ports/retry-after.ts'
import { type Traces, traceparentOf } from '../../ports/traces.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { ResultSigner } from '../../sessions/result-jwt.ts'
import { resultMessage } from '../../sessions/result-message.ts'
import type { Attempt } from './attempt.ts'
import { type Callback, restoreMessage } from './owed-callback.ts'

/** Answer of a receiver that will never accept it. */
const GONE = 410
/** Answers with which the receiver may name the time of the next attempt. */
const ASKING_LATER = [429, 503]

export type CallbackSettings = {
  readonly profile: Profile
  /** null: results are not signed */
  readonly resultSigner: ResultSigner | null
  /** true if unsigned callbacks are allowed in that case */
  readonly allowUnsignedCallbacks: boolean
  readonly callbackBackoff: Backoff
}

export type PostDeps = {
  readonly clock: Pick<Clock, 'wallNow'>
  readonly outgoing: Pick<Outgoing, 'notify'>
  readonly traces: Traces
  readonly settings: CallbackSettings
}

export function postCallback(deps: PostDeps): Attempt {
  const { settings } = deps
  return async (row, stop) => {
    const { attempts: attempt } = row
    const message = restoreMessage(row)
    const url = message?.url ?? ''
    const mistake = mistakeInAddress(url)
    if (message === null || mistake !== null)
      return { event: { type: 'server.refused', attempt }, words: mistake ?? 'expected a message, got none' }
    const failed = { type: 'receiver.failed', attempt, backoff: settings.callbackBackoff } as const
    if (settings.resultSigner === null && !settings.allowUnsignedCallbacks)
      return { event: failed, words: 'no key to sign the result with' }
    const trace = deps.traces.of(message.traceparent ?? '')
    try {
      const body = await bodyOf(message, deps)
      const posted = { ...body, idempotencyKey: row.id, traceparent: traceparentOf(trace) }
      const answer = await deps.outgoing.notify(url, posted, stop)
      return { event: eventOf(answer, failed, deps), words: `answered ${answer.status}`, trace }
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return {
        event: failed,
        trace,
        words: error.code === null ? error.message : `${error.message} (${error.code})`,
      }
    }
  }
}

type Failed = Extract<DeliveryEvent, { readonly type: 'receiver.failed' }>

function eventOf({ status, retryAfter }: CallbackAnswer, failed: Failed, { clock }: PostDeps): DeliveryEvent {
  const { attempt } = failed
  if (status >= 200 && status < 300) return { type: 'receiver.accepted', attempt }
  if (status === GONE) return { type: 'server.refused', attempt }
  if (!ASKING_LATER.includes(status)) return failed
  return { ...failed, askedMs: retryAfterMs(retryAfter, clock.wallNow()) }
}

function bodyOf(message: Callback, { clock, settings }: PostDeps) {
  const { requestorToken, status, type, isLegacy, validitySec, result } = message
  const outcome = result === null ? null : restoreOutcome(result).value
  const profile = profileOf(message, settings)
  return resultMessage(
    { requestorToken, status, type, outcome, profile, isLegacy, validitySec },
    settings.resultSigner,
    clock.wallNow(),
  )
}
