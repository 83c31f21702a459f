/** POST /client/register (spec/interface#4.5; spec/keyshare-server#4.1): a new account, which works at once (spec/decisions#k12). The app learns its user name from the
 *  session that issues it as the first attribute. The previous protocol registered without a device key (spec/interface#9.5). @module */
import { selfSignedClaims } from '../../accounts/app-jwts.ts'
import { mailLanguage } from '../../accounts/mails/texts.ts'
import { newSecrets, TOKEN_ID_BYTES } from '../../accounts/secrets.ts'
import type { AccountStepInserts } from '../../actors/accounts/accounts.ts'
import { drawKeyshareSecret } from '../../crypto/keyshare/secrets.ts'
import { InvalidRequestError, OverloadedError } from '../../protocol/errors.ts'
import { type Registration, readRegistration } from '../../protocol/keyshare/claims.ts'
import { parseRegistration } from '../../protocol/keyshare/signed-bodies.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { nowSec } from './device.ts'

type NewUser = Registration & {
  /** DER; null: none */
  readonly deviceKey: Uint8Array | null
}

/** Randomness, in this order: the user name, m_k, the token id, what the mail needs, the nonce of the record, what the session needs. */
export function register(deps: KeyshareDeps): KeyshareEndpoint<null> {
  const { accounts, callerNames, registrations, random, settings, powers, withMail, prepareLoginSession } =
    deps
  return async (ctx, _caller, body) => {
    const { pin, email, language, deviceKey } = await newUserIn(textOf(body, InvalidRequestError), deps)
    if (powers.isOverloaded()) throw new OverloadedError('too many proofs are waiting to be checked')
    const caller = callerNames.of(ctx)
    registrations.count(caller)
    const userName = random.userName()
    const mk = drawKeyshareSecret(random.bytes)
    const secrets = newSecrets(pin, { mk, tokenId: random.bytes(TOKEN_ID_BYTES), deviceKey })
    const accountId = hashOfToken(userName)
    // an error about the session or the address leaves no account behind
    const session = await prepareLoginSession(userName, false)
    const account = { userName, language: mailLanguage(language, settings.defaultLanguage), secrets }
    const store = async (inserts: AccountStepInserts): Promise<void> => {
      await accounts.register({ ...account, inserts })
    }
    await (email === ''
      ? store({})
      : withMail({ accountId, email, language: account.language, caller }, store))
    answerJson(ctx, await session.open())
  }
}

async function newUserIn(text: string, deps: Pick<KeyshareDeps, 'clock'>): Promise<NewUser> {
  const registration = parseRegistration(text)
  if (registration.type === 'plain') return { ...registration.content, deviceKey: null }
  const { claims, deviceKey } = selfSignedClaims(registration.jwt, nowSec(deps))
  return { ...readRegistration(claims), deviceKey }
}
