/** `svc issuer revoke`: asks the authority of a credential type to revoke a credential (spec/schemes-and-cli#16.7). @module */
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { writeRevocationRequest } from '../../protocol/revocation-request.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import { installedSchemes } from '../../server/files/schemes-folder.ts'
import { authenticatedBody } from '../request/body.ts'
import type { AuthFlags } from '../request/flags.ts'
import { idOf } from '../request/identifier.ts'
import { signClaims } from '../request/sign.ts'
import { call, RefusedError } from '../session/http.ts'

type Revocation = { readonly type: string; readonly key: string; readonly url: string }

/** @throws {Error} for a type that is unknown or cannot be revoked, if the server refuses, and if it does not respond */
export async function revokeCredential(
  { type: text, key, url }: Revocation,
  flags: AuthFlags,
): Promise<void> {
  const { loadSchemes } = await import('../../schemes/load.ts')
  const type = idOf('CREDENTIALTYPE', text, parseCredentialTypeId)
  const schemes = await loadSchemes(installedSchemes(flags.schemesPath))
  const known = schemes.credentialType(type)
  if (!known) throw new Error(`CREDENTIALTYPE: expected a type of the schemes, got ${JSON.stringify(type)}`)
  if (!known.supportsRevocation) throw new Error(`${type}: expected a type that can be revoked, got another`)
  const { contextBase } = PROFILES[flags.profile]
  const request = writeRevocationRequest({ type, revocationKey: key, issuedAtNs: null }, contextBase)
  const body = await authenticatedBody(flags, {
    plain: async () => writeJson(request),
    signed: (signer, nowSec) => signClaims({ sub: '', revrequest: request }, signer, nowSec),
  })
  const answer = await call('revocation', `${withoutSlashesAtEnd(url)}/revocation`, {
    method: 'POST',
    ...body,
  }).catch((error: unknown) => {
    if (!(error instanceof RefusedError) || error.type !== 'UNKNOWN_REVOCATION_KEY') throw error
    throw new Error(
      `revocation: expected a key with credentials of ${type} that are not revoked yet, but the key is unknown, or all its credentials are revoked already (${error.type})`,
      { cause: error },
    )
  })
  // some servers answer 200 to any request
  if (answer.trim() !== 'OK') throw new Error('revocation: expected the answer OK, got something else')
  process.stdout.write('Revoked.\n')
}
