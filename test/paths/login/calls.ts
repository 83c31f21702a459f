/** The HTTP call of each event of the keyshare login chart (spec/interface#4.5, #5.4; spec/keyshare-server#4.3, #6, #8 to #10, #13.3, #15). @module */
import type { AccountSecrets } from '../../../accounts/secrets.ts'
import { signAuthentication } from '../../../accounts/server-jwts.ts'
import { hashUserInput } from '../../../crypto/keyshare/user-input.ts'
import { beginVisit } from '../../../http/account-page/visit.ts'
import type { ProofVersion } from '../../../machines/login-events.ts'
import type { AccountId } from '../../../stores/account-store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, type Device } from '../../accounts/jwts.ts'
import type { Answer } from '../../http/client.ts'
import { base64 } from '../../http/keyshare/app.ts'
import { SIGNER } from '../../http/keyshare/harness.ts'
import { FORM_TOKEN, type LoginServer } from './server.ts'

/** A short key of the demo scheme, whose powers are fast to compute. */
export const KEY = 'svc-demo.uni-0'

export type User = {
  readonly id: AccountId
  readonly userName: string
  /** the device, whose key is or may be registered */
  readonly device: Device
  /** a confirmed address of this account only */
  readonly address: string
}

const nowSec = ({ clock }: LoginServer): number => Math.floor(clock.wallNow() / 1_000)

export async function startLogin(server: LoginServer, { userName: id, device }: User): Promise<Answer> {
  const jwt = await appJwt({ id, exp: nowSec(server) + 180 }, device)
  return server.call('POST', '/users/verify_start', { body: { auth_request_jwt: jwt } })
}

export async function login(
  server: LoginServer,
  user: User,
  challenge: string,
  pin: string,
): Promise<Answer> {
  const jwt = await appJwt({ id: user.userName, pin, challenge }, user.device)
  return server.call('POST', '/users/verify/pin_challengeresponse', { body: { auth_response_jwt: jwt } })
}

export function plainLogin({ call }: LoginServer, { userName: id }: User, pin: string): Promise<Answer> {
  return call('POST', '/users/verify/pin', { body: { id, pin } })
}

export async function changePin(
  server: LoginServer,
  user: User,
  oldpin: string,
  newpin: string,
): Promise<Answer> {
  const jwt = await appJwt({ id: user.userName, oldpin, newpin }, user.device)
  return server.call('POST', '/users/change/pin', { body: { change_pin_jwt: jwt } })
}

export function changePinPlainly(
  { call }: LoginServer,
  user: User,
  oldpin: string,
  newpin: string,
): Promise<Answer> {
  return call('POST', '/users/change/pin', { body: { id: user.userName, oldpin, newpin } })
}

export async function registerKey(
  server: LoginServer,
  { userName: id, device }: User,
  pin: string,
): Promise<Answer> {
  const jwt = await appJwt({ id, pin, publickey: base64(device.der) }, device)
  return server.call('POST', '/users/register_publickey', { body: { jwt } })
}

/** The last signed token. It is reused, because signing takes as long as a call. */
let signed = { by: '', token: '' }

/** The headers of a user who has logged in, with a fresh token. */
function headersOf(server: LoginServer, { userName }: User, { tokenId }: Pick<AccountSecrets, 'tokenId'>) {
  const times = { nowSec: nowSec(server), validitySec: 900 }
  const by = `${base64(tokenId)} ${times.nowSec}`
  if (signed.by !== by) signed = { by, token: signAuthentication(tokenId, times, SIGNER) }
  return { 'X-Svc-Keyshare-Username': userName, Authorization: signed.token }
}

/** The hash that an app of the second version sends for an empty list of proofs. */
const HASHED_INPUT = base64(hashUserInput([]))

export function requestCommitments(
  server: LoginServer,
  user: User,
  secrets: AccountSecrets,
  version: ProofVersion,
): Promise<Answer> {
  const headers = headersOf(server, user, secrets)
  if (version === 'v1') return server.call('POST', '/prove/getCommitments', { headers, body: [KEY] })
  const body = { keys: [KEY], hw: { hashedComms: HASHED_INPUT } }
  return server.call('POST', '/api/v2/prove/getCommitments', { headers, body })
}

export function requestResponse(
  server: LoginServer,
  user: User,
  secrets: AccountSecrets,
  version: ProofVersion,
): Promise<Answer> {
  const headers = headersOf(server, user, secrets)
  if (version === 'v1') return server.call('POST', '/prove/getResponse', { headers, body: '5' })
  const body = { nonce: 'AQ==', resp: 'AQ==', UserChallengeInput: [] }
  return server.call('POST', '/api/v2/prove/getResponse', { headers, body })
}

/** Reads the public parts, which never change. The call changes nothing. */
export function publicParts(
  server: LoginServer,
  user: User,
  secrets: Pick<AccountSecrets, 'tokenId'>,
): Promise<Answer> {
  const headers = headersOf(server, user, secrets)
  return server.call('POST', '/api/v2/prove/getPs', { headers, body: [KEY] })
}

/** Follows a link that confirms the address again. The links of an account are deleted with it. */
export async function confirmAddress({ call, clock, store }: LoginServer, user: User): Promise<Answer> {
  const token = `link-${clock.now()}-${user.userName}`
  const [madeAt, tokenHash] = [clock.now(), hashOfToken(token)]
  const { address, id: accountId } = user
  const endsAt = madeAt + 3_600_000
  if ((await store.accounts.load(accountId)) !== null)
    await store.accounts.addLink({ tokenHash, purpose: 'confirmation', address, accountId, madeAt, endsAt })
  const answer = await call('POST', '/verify', { body: token })
  await store.accounts.useLink(tokenHash)
  return answer
}

/** Deletes the account on the account page, as a visitor who has followed a link. */
export function deleteAccount({ call, page }: LoginServer, { id, address }: User): Promise<Answer> {
  let cookie = ''
  const ctx = { append: (_: string, value: string) => (cookie = value.split(';')[0] ?? '') }
  beginVisit(Object(ctx), address, page)
  const body = new URLSearchParams({ form: FORM_TOKEN, understood: 'yes' }).toString()
  const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
  return call('POST', `/account/en/accounts/${id}/delete`, { headers, body })
}
