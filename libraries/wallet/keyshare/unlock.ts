/** Unlocks a wallet app (spec/keyshare-server#2.2). The keyshare server checks the PIN. A login credential that expires soon is renewed. @module */
import { credentialTypeOf, type SchemeId } from '../../../protocol/ids.ts'
import { type ActionOutcome, endingOf, SessionError } from '../failure.ts'
import type { CredentialView } from '../wallet.ts'
import { readPointerAnswer } from './answers.ts'
import { type AskPin, authenticate, type KeyshareServer, serverOf } from './login.ts'
import {
  answerLoginSession,
  keyshareScheme,
  loginAttribute,
  type RegisterDeps,
  userNameIn,
} from './register.ts'
import { walletKeyshares } from './session-keyshares.ts'

/** Remaining validity below which a login credential is renewed. */
const RENEW_SEC = 30 * 24 * 3600

/** @param askPin called at least once, even if a token is stored */
export function unlock(deps: RegisterDeps, id: SchemeId, askPin: AskPin): Promise<ActionOutcome> {
  return endingOf(async () => {
    const scheme = keyshareScheme(deps, id)
    const account = deps.wallet.accounts().find(each => each.scheme === id)
    if (!account)
      throw new SessionError('not-registered', `this wallet has no account of ${id}: register first`)
    deps.wallet.tokens.delete(id)
    const server = serverOf(scheme, account, deps)
    const authentication = await authenticate(server, askPin)
    const login = loginCredential(deps, server)
    if (login === null || login.expiresAtSec >= deps.clock.wallNow() / 1000 + RENEW_SEC) return
    const pointer = readPointerAnswer(await server.calls.renew(authentication))
    await answerLoginSession(deps, pointer, walletKeyshares(deps, askPin), question => {
      const asked = question.request.disclose.flat(2)
      const isRight =
        asked.length === 1 &&
        asked[0]?.type === scheme.keyshareAttribute &&
        userNameIn(question, scheme) === account.userName &&
        question.candidates.isSatisfiable
      if (!isRight)
        throw new SessionError(
          'malformed-answer',
          'renewal: expected the login credential of this account in exchange for the old one',
        )
    })
  })
}

/** The login credential that expires last. Null: the wallet has none, so there is nothing to renew. */
function loginCredential(
  { wallet }: RegisterDeps,
  { scheme, account }: KeyshareServer,
): CredentialView | null {
  const attribute = loginAttribute(scheme.keyshareAttribute)
  const logins = wallet
    .credentials()
    .filter(({ type }) => type === credentialTypeOf(attribute))
    .filter(({ attributes }) =>
      attributes.some(each => each.id === attribute && each.value === account.userName),
    )
  return logins.reduce<CredentialView | null>(
    (last, each) => (last && last.expiresAtSec >= each.expiresAtSec ? last : each),
    null,
  )
}
