/** The calls of the first version of the proofs (spec/decisions#keyshare_v1), and `getResponseLinkable`, whose answer has the same form and weakness. @module */
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { PublicKeyId } from '../../protocol/keyshare/public-key-ids.ts'
import type { KeyshareDeps } from './deps.ts'

type Deps = Pick<KeyshareDeps, 'settings' | 'noteFirstVersion'>

/** Apps treat 400 as a failure. A 403 would make them ask for the PIN again.
 *  @throws {InvalidRequestError} if the first version is refused */
export function requireFirstVersion({ settings }: Deps): void {
  if (settings.keyshareV1 === 'refuse')
    throw new InvalidRequestError(
      'first version of the proofs: expected getCommitments and getResponse below /api/v2, because keyshare_v1 is refuse',
    )
}

/** @param ids of known keys */
export function noteFirstVersion({ settings, noteFirstVersion }: Deps, ids: readonly PublicKeyId[]): void {
  if (settings.keyshareV1 === 'warn') for (const { issuer } of ids) noteFirstVersion(issuer)
}
