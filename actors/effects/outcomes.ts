/** How effects end: the last one says what is answered, what is the result and which session follows; a remote error ends any of them. @module */
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import { RemoteError } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { serverSessionResponse } from '../../protocol/server-session-response.ts'
import { sessionPointer } from '../../protocol/session-package.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { storeOutcome } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { profileOf } from '../profile-of.ts'
import type { NewSession } from '../sessions.ts'
import { cancelledBy, jsonAnswer } from '../stored-answer.ts'
import type { EffectOutcome, FinalOutcome, PerformEffect } from './effects.ts'
import type { Progress } from './progress.ts'

export type OutcomeSettings = {
  readonly profile: Profile
  /** base address for apps */
  readonly url: string
  /** from 1 on, answers to errors carry a stack trace */
  readonly verbosity: number
}

/** The effect that an error ends if it is a remote error: it cancels the session and is the answer (D16). Others pass. */
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

/** @param event of the last effect
 *  @param sigs of the credentials that are issued */
export function lastOutcome(
  row: SessionRow,
  event: EffectOutcome['event'],
  { judgement, next }: Omit<Progress, 'commitments'>,
  settings: OutcomeSettings,
  sigs?: readonly object[],
): FinalOutcome {
  const following = next && factsOf(next)
  const outcome = { ...judgement, ...(following && { nextSession: following }) }
  const { proofStatus } = judgement
  const pointer =
    following && sessionPointer({ ...following, url: settings.url, profile: profileOf(row, settings) })
  const response = { proofStatus, ...(sigs && { sigs }), ...(pointer && { nextSession: pointer }) }
  return {
    event,
    columns: { result: storeOutcome(outcome) },
    answer: jsonAnswer(serverSessionResponse(response, parseVersion(protocolVersionOf(row.snapshot)))),
    ...(next && { opens: next }),
  }
}

function factsOf({ columns: { requestorToken, clientToken, request } }: NewSession) {
  const { type, host } = restoreRequest(request).request
  return { requestorToken, clientToken, type, host }
}
