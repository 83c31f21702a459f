/** The outcomes of effects. Each contains both the progress for the next effect, and the answer, result and next session for the end of the claim. The chart
 *  decides which effect is the last. A remote error ends any effect. @module */
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import { RemoteError } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { type SessionAnswer, serverSessionResponse } from '../../protocol/server-session-response.ts'
import { sessionPointer } from '../../protocol/session-package.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import { storeOutcome } from '../../sessions/result.ts'
import { cancelledBy, jsonAnswer } from '../../sessions/stored-answer.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { NewSession } from '../sessions.ts'
import type { EffectOutcome, PerformEffect } from './effects.ts'
import { type Progress, storeProgress } from './progress.ts'

export type OutcomeSettings = {
  readonly profile: Profile
  /** base address for apps */
  readonly url: string
  /** from 1, error answers contain a stack trace */
  readonly verbosity: number
}

/** Wraps an effect: a remote error cancels the session and is the answer (spec/decisions#d16). Other errors pass through. */
export function cancellable(settings: OutcomeSettings, perform: PerformEffect): PerformEffect {
  return async (row, signal) => {
    try {
      return await perform(row, signal)
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      return { event: { type: 'server.failed' }, ...cancelledBy(error, settings.verbosity > 0) }
    }
  }
}

/** The outcome of one effect of the work on a submission.
 *  @param progress of the work so far
 *  @param issued the credentials that are issued */
export function workDone(
  row: SessionRow,
  event: EffectOutcome['event'],
  progress: Progress,
  settings: OutcomeSettings,
  issued?: Pick<SessionAnswer, 'sigs' | 'sdjwts'>,
): EffectOutcome {
  const { judgement, next } = progress
  const following = next && factsOf(next)
  const outcome = { ...judgement, ...(following && { nextSession: following }) }
  const { proofStatus } = judgement
  const pointer =
    following && sessionPointer({ ...following, url: settings.url, profile: profileOf(row, settings) })
  const response = { proofStatus, ...issued, ...(pointer && { nextSession: pointer }) }
  return {
    event,
    progress: storeProgress(progress),
    columns: { result: storeOutcome(outcome) },
    answer: jsonAnswer(serverSessionResponse(response, parseVersion(protocolVersionOf(row.snapshot)))),
    ...(next && { opens: next }),
  }
}

function factsOf({ columns: { requestorToken, clientToken, request } }: NewSession) {
  const { type, host } = request.value.request
  return { requestorToken, clientToken, type, host }
}
