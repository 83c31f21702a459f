/** GET /users/renewKeyshareAttribute (`spec/keyshare-server.md` 5.1): a session that issues the login credential again. @module */
import { answerJson } from '../answer.ts'
import type { User } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { requireToken } from './token.ts'

export function renewKeyshareAttribute({ accounts, openLoginSession }: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user) => {
    requireToken(accounts.secretsOf(user.account), user, 'Invalid authorization')
    answerJson(ctx, await openLoginSession(user.account.userName, true))
  }
}
