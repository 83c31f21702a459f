/** GET /session/{requestorToken}/result-jwt (spec/interface#4.1, #5.2): the session result in any status, signed. @module */
import { profileOf } from '../../sessions/profile-of.ts'
import { signResult } from '../../sessions/result-jwt.ts'
import { answerStored } from '../answer.ts'
import type { ServerDeps, SignedEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { tokenOf } from '../find-session.ts'
import { resultOf } from './result.ts'

export function resultJwt(
  { settings, clock }: Pick<ServerDeps, 'settings' | 'clock'>,
  streams: Pick<EventStreams, 'noteAnswer'>,
): SignedEndpoint {
  return async (ctx, { session: row, signer }) => {
    const { request, validitySec } = row.request.value
    const nowSec = Math.floor(clock.wallNow() / 1000)
    const facts = { type: request.type, validitySec, nowSec, profile: profileOf(row, settings) }
    const body = await signResult(resultOf(row, tokenOf(ctx.params.requestorToken), settings), facts, signer)
    answerStored(ctx, { status: 200, contentType: 'text/plain', body })
    streams.noteAnswer(ctx, 'requestor', row)
  }
}
