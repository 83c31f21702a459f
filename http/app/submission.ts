/** POST {prefix}/session/{clientToken}/proofs and …/commitments (spec/interface#4.3): the answer of the app: commitments in issuance sessions, proofs in the others.
 *  A submission is never stored if it is malformed, holds more than its request can use, or is at the endpoint of another type. It is still a handled call
 *  (spec/decisions#d16). The effect of its claim checks every other submission, and this call waits for the outcome. @module */
import { InvalidRequestError, MalformedInputError } from '../../protocol/errors.ts'
import { refuseTooMuch } from '../../sessions/most-proofs.ts'
import type { BodyEndpoint } from '../deps.ts'
import { textOf } from '../read-body.ts'
import { type AppDeps, answerCall, requireConnectedApp } from './call.ts'

export function submission(deps: AppDeps, endpoint: 'proofs' | 'commitments'): BodyEndpoint {
  const isForIssuing = endpoint === 'commitments'
  const expected = isForIssuing ? 'issuing' : 'disclosing or signing'
  return (ctx, session, body) =>
    answerCall(ctx, session, deps, {
      body,
      allow: (row, can) => requireConnectedApp(ctx, row, can),
      handle(row) {
        const extended = row.request.value
        const { type } = extended.request
        if ((type === 'issuing') !== isForIssuing)
          throw new InvalidRequestError(`${endpoint}: expected a session of type ${expected}, got ${type}`)
        const text = textOf(body, MalformedInputError)
        refuseTooMuch(text, extended)
        return { event: { type: 'app.submitted' }, claimedBody: text }
      },
    })
}
