/** GET /users/renewKeyshareAttribute (spec/keyshare-server#5.1): a session that issues the login credential again. @module */
import { answerJson } from '../answer.ts'
import type { User } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { requireToken } from './token.ts'

export function renewKeyshareAttribute({
  accounts,
  prepareLoginSession,
}: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user) => {
    requireToken(accounts.secretsOf(user.account), user, 'Invalid authorization')
    const session = await prepareLoginSession(user.account.userName, true)
    answerJson(ctx, await session.open())
  }
}
