/** The wallet app's side of the keyshare server, for tests: an account with its device, and the calls that an app makes. @module */
import type { AccountRow } from '../../../stores/account-store.ts'
import type { AccountsStore } from '../../../stores/store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, type Device, NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import type { Answer, Client } from '../client.ts'

/** As apps send it: a salted hash in Base64, and a newline. */
export const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
export const WRONG_PIN = 'AAASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'

export type App = {
  readonly userName: string
  readonly device: Device
}

/** A new account.
 *  @param members of the registration besides PIN and key */
export async function registered({ call }: Client, members: object = {}): Promise<App> {
  const device = newDevice()
  const claims = { pin: PIN, publickey: base64(device.der), ...members }
  const answer = await call('POST', '/client/register', {
    body: { enrollment_jwt: await appJwt(claims, device) },
  })
  return { userName: userNameIn(answer), device }
}

/** A new account of the previous protocol. */
export async function registeredWithout({ call }: Client): Promise<string> {
  return userNameIn(await call('POST', '/client/register', { body: { pin: PIN } }))
}

/** Reads the user name from the session pointer, into which the test server writes it. No test calls that session. */
function userNameIn({ status, text, json }: Answer): string {
  if (status !== 200) throw new Error(`registration: ${status} ${text}`)
  return String(Object(json).u).split(' ')[1] ?? ''
}

export async function challengeFor({ call }: Client, app: App): Promise<string> {
  const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
  const { status, text, json } = await call('POST', '/users/verify_start', {
    body: { auth_request_jwt: jwt },
  })
  if (status !== 200) throw new Error(`verify_start: ${status} ${text}`)
  return Object(json).challenge
}

/** Answers a challenge.
 *  @param claims replace the right ones */
export async function answered(
  { call }: Client,
  { userName: id, device }: App,
  claims: object,
  path = '/users/verify/pin_challengeresponse',
): Promise<Answer> {
  const jwt = await appJwt({ id, pin: PIN, ...claims }, device)
  return call('POST', path, { body: { id: '', pin: '', auth_response_jwt: jwt } })
}

/** A login of two calls. */
export async function loggedIn(client: Client, app: App, pin = PIN): Promise<Answer> {
  return answered(client, app, { challenge: await challengeFor(client, app), pin })
}

/** The headers of a user who has logged in. */
export async function headersOf(client: Client, app: App, pin = PIN): Promise<Record<string, string>> {
  const { status, text, json } = await loggedIn(client, app, pin)
  const { status: outcome, message } = Object(json)
  if (outcome !== 'success') throw new Error(`login: ${status} ${text}`)
  return { 'X-Svc-Keyshare-Username': app.userName, Authorization: message }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** An answer in short: its status and body, or its error type and message. */
export function said({ status, text, json }: Answer): string {
  const { error, message = '' } = Object(json)
  return error === undefined ? `${status} ${text}` : `${status} ${error} ${message}`.trim()
}

/** An account as it is stored. */
export async function rowOf(
  { store }: { readonly store: AccountsStore },
  userName: string,
): Promise<AccountRow> {
  const row = await store.accounts.load(hashOfToken(userName))
  if (row === null) throw new Error(`no account ${userName}`)
  return row
}

/** Changes an account so that its chart contradicts its record: one of them has a device key, the other one none. */
export async function disagreeing(
  server: { readonly store: AccountsStore },
  userName: string,
): Promise<AccountRow> {
  const row = await rowOf(server, userName)
  const facts = Object(row.snapshot?.context)
  const context = { ...facts, isDeviceBound: !facts.isDeviceBound }
  const changed = { ...row, version: row.version + 1, snapshot: row.snapshot && { ...row.snapshot, context } }
  await server.store.commit({ account: { id: row.id, version: row.version, row: changed } })
  return changed
}
