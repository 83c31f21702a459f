/** POST {prefix}/session/{clientToken}/proofs and …/commitments (spec 4.3): what the app answers, in issuance sessions as commitments, in the others as
 *  proofs. It is parsed and checked by the effect of its claim, so that a malformed one is a handled call like any other; so is one at the endpoint
 *  of another type (D16). This call waits for the outcome. @module */
import { InvalidRequest, MalformedInput } from '../../protocol/errors.ts'
import { restoreRequest } from '../../protocol/request.ts'
import type { BodyEndpoint } from '../deps.ts'
import { textOf } from '../read-body.ts'
import { type AppDeps, answerCall, requireConnectedApp } from './call.ts'

export function submission(deps: AppDeps, endpoint: 'proofs' | 'commitments'): BodyEndpoint {
  const isForIssuing = endpoint === 'commitments'
  const expected = isForIssuing ? 'issuing' : 'disclosing or signing'
  return (ctx, session, body) =>
    answerCall(ctx, session, deps, {
      body,
      allow: row => requireConnectedApp(ctx, row),
      handle(row) {
        const { type } = restoreRequest(row.request).request
        if ((type === 'issuing') !== isForIssuing)
          throw new InvalidRequest(`${endpoint}: expected a session of type ${expected}, got ${type}`)
        return { event: { type: 'app.submitted' }, claimedBody: textOf(body, MalformedInput) }
      },
    })
}
