/** POST /revocation (spec/session-server#17): a requestor revokes credentials, by the revocation key that it chose when they were issued. @module */
import { issuerOf } from '../../protocol/ids.ts'
import { checkRevokePermission } from '../../sessions/permissions.ts'
import { answerStored } from '../answer.ts'
import type { RequestorEndpoint, ServerDeps } from '../deps.ts'
import { authenticate, REVOCATION_REQUEST } from '../requestor-auth.ts'

export function revocation(
  deps: Pick<ServerDeps, 'revocation' | 'schemes' | 'settings' | 'clock'>,
): RequestorEndpoint {
  const { schemes, settings } = deps
  return async (ctx, head, body) => {
    const { requestor, asked } = await authenticate(ctx, head, body, deps, REVOCATION_REQUEST)
    const { type, revocationKey, issuedAtNs } = asked
    const isKeyThere = schemes.latestPrivateKey(issuerOf(type))?.ecdsa !== undefined
    checkRevokePermission(type, requestor, { globals: settings.permissions, isKeyThere })
    await deps.revocation.revoke(type, revocationKey, issuedAtNs)
    answerStored(ctx, { status: 200, contentType: 'text/plain', body: 'OK' })
  }
}
