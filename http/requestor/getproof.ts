/** GET /session/{requestorToken}/getproof (spec/interface#4.1): the session result in any status, signed, in the structure of an older API server
 *  (spec/session-server#13.4). @module */
import { outcomeToShow } from '../../sessions/result.ts'
import { signLegacyProof } from '../../sessions/result-jwt.ts'
import { answerStored } from '../answer.ts'
import type { ServerDeps, SignedEndpoint } from '../deps.ts'

export function getproof({ clock }: Pick<ServerDeps, 'clock'>): SignedEndpoint {
  return async (ctx, { session: { request: stored, result, status }, signer }) => {
    const { request, validitySec } = stored.value
    const outcome = outcomeToShow(status, result?.value ?? null)
    const facts = { type: request.type, validitySec, nowSec: Math.floor(clock.wallNow() / 1000) }
    const body = await signLegacyProof(outcome, facts, signer)
    answerStored(ctx, { status: 200, contentType: 'text/plain', body })
  }
}
