/** Checks that the authentication JWT of a call belongs to its user (spec/keyshare-server#7.2). @module */
import { type AccountSecrets, isTokenId } from '../../accounts/secrets.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { User } from './callers.ts'

/** The texts of existing servers for a JWT that is not valid: one for calls that begin something, one for calls that continue it. */
type TokenMessage = 'invalid jwt token' | 'Invalid authorization'

/** @param secrets of the account, in the turn in which the call is handled
 *  @throws {InvalidRequestError} */
export function requireToken(secrets: AccountSecrets, { tokenId }: User, words: TokenMessage): void {
  if (tokenId === null || !isTokenId(secrets, tokenId))
    throw new InvalidRequestError(
      `${words}: expected an authentication JWT of this user that is valid now, got another`,
    )
}
