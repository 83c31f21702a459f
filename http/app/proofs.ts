/** POST {prefix}/session/{clientToken}/proofs (spec 4.3): the app's answer. It is parsed and checked by the effect of its claim, so that a malformed
 *  one is a handled call like any other; this call waits for the outcome. @module */
import { MalformedInput } from '../../protocol/errors.ts'
import type { BodyEndpoint } from '../deps.ts'
import { textOf } from '../read-body.ts'
import { type AppDeps, answerCall, requireConnectedApp } from './call.ts'

export function proofs(deps: AppDeps): BodyEndpoint {
  return (ctx, session, body) =>
    answerCall(ctx, session, deps, {
      body,
      allow: row => requireConnectedApp(ctx, row),
      handle: () => ({ event: { type: 'app.submitted' }, claimedBody: textOf(body, MalformedInput) }),
    })
}
