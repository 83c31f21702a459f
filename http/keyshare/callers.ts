/** The callers of the keyshare server (spec/keyshare-server#2.5, spec/decisions#k6): any caller, or a user identified by name or by authentication JWT. The user is looked
 *  up before the body is read. The JWT is checked then, and each endpoint enforces the result later. @module */
import type { Context } from 'koa'
import { tokenIdIn } from '../../accounts/server-jwts.ts'
import { InvalidRequestError, UserNotRegisteredError } from '../../protocol/errors.ts'
import { readCredentials } from '../../protocol/keyshare/credentials.ts'
import type { AccountRow } from '../../stores/account-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { Admit } from '../mount.ts'
import type { KeyshareDeps } from './deps.ts'

export type User = {
  readonly account: AccountRow
  /** the token id that the authentication JWT names, secret; null: the JWT is not one of this server, or not valid at this time */
  readonly tokenId: Uint8Array | null
}

/** The facts about an admitted call, by kind of caller. */
export type KeyshareCallerTypes = {
  anybody: null
  user: User
}

export function admittingUsers(deps: KeyshareDeps): Admit<KeyshareCallerTypes> {
  return { anybody: async () => null, user: ctx => findUser(ctx, deps) }
}

/** @throws {UserNotRegisteredError} also for an account that is disabled, and for a call that names no user */
async function findUser(ctx: Context, deps: KeyshareDeps): Promise<User> {
  const { accounts, settings } = deps
  const name = settings.profile.keyshareUsernameHeader
  const { userName, jwt } = readCredentials(ctx.get('Authorization'), ctx.get(name))
  const tokenId = jwt === null ? null : usableTokenId(jwt, deps)
  if (userName !== null) return { account: known(await accounts.read(hashOfToken(userName))), tokenId }
  return { account: known(tokenId && (await accounts.findByTokenId(tokenId))), tokenId }
}

function usableTokenId(jwt: string, { settings, clock }: KeyshareDeps): Uint8Array | null {
  try {
    return tokenIdIn(jwt, settings.signer, Math.floor(clock.wallNow() / 1_000))
  } catch (error) {
    if (error instanceof InvalidRequestError) return null
    throw error
  }
}

/** The account of a user who may be served.
 *  @throws {UserNotRegisteredError} */
export function known(account: AccountRow | null): AccountRow {
  if (account?.record) return account
  throw new UserNotRegisteredError('could not find specified user')
}
