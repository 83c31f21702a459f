/** POST {prefix}/session/{clientToken}/commitments (spec 4.3) is for issuance. In a session of another type it is an error like any other while a
 *  call is handled (D16). @module */
import { InvalidRequest } from '../../protocol/errors.ts'
import { restoreRequest } from '../../protocol/request.ts'
import type { BodyEndpoint } from '../deps.ts'
import { type AppDeps, answerCall, requireConnectedApp } from './call.ts'

export function commitments(deps: AppDeps): BodyEndpoint {
  return (ctx, session, body) =>
    answerCall(ctx, session, deps, {
      body,
      allow: row => requireConnectedApp(ctx, row),
      handle(row) {
        const { type } = restoreRequest(row.request).request
        throw new InvalidRequest(`commitments: expected a session of type issuing, got ${type}`)
      },
    })
}
