/** Whether the authentication JWT of a call is that of its user (spec/keyshare-server#7.2). @module */
import { type AccountSecrets, isTokenId } from '../../accounts/secrets.ts'
import { InvalidRequest } from '../../protocol/errors.ts'
import type { User } from './callers.ts'

/** What existing servers say of a JWT that is not good: where something is begun, and where something is asked for that was begun. */
type Words = 'invalid jwt token' | 'Invalid authorization'

/** @param secrets of the account, in the turn in which the call is handled
 *  @throws {InvalidRequest} */
export function requireToken(secrets: AccountSecrets, { tokenId }: User, words: Words): void {
  if (tokenId === null || !isTokenId(secrets, tokenId))
    throw new InvalidRequest(
      `${words}: expected an authentication JWT of this user that is good now, got another`,
    )
}
