/** POST /revocation (`spec/session-server.md` 17): a requestor revokes what it had issued, by the revocation key that it gave then. @module */
import { issuerOf } from '../../protocol/ids.ts'
import { checkRevokePermission } from '../../sessions/permissions.ts'
import { answerStored } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { within } from '../limit-time.ts'
import { authenticate, REVOCATION_REQUEST } from '../requestor-auth.ts'

export function revocation(
  deps: Pick<ServerDeps, 'revocation' | 'schemes' | 'settings' | 'clock' | 'sessions'>,
): Endpoint {
  const { schemes, settings, clock } = deps
  return async ctx => {
    const { requestor, asked } = await authenticate(ctx, deps, REVOCATION_REQUEST)
    const { type, revocationKey, issuedAtNs } = asked
    const isKeyThere = schemes.latestPrivateKey(issuerOf(type))?.ecdsa !== undefined
    checkRevokePermission(type, requestor, { globals: settings.permissions, isKeyThere })
    const revoked = deps.revocation.revoke(type, revocationKey, issuedAtNs)
    await within(clock, settings.limits.outcomeMs, 'revoking', revoked)
    answerStored(ctx, { status: 200, contentType: 'text/plain', body: 'OK' })
  }
}
