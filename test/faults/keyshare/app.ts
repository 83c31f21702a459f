/** The wallet app at keyshare servers that may be killed at any time. Each call goes to a random server. @module */
import { randomInt } from 'node:crypto'
import { appJwt, type Device, newDevice } from '../../accounts/jwts.ts'
import { pause } from '../../patience.ts'
import type { Servers } from './servers.ts'

/** the servers that may be called */
type Urls = Pick<Servers, 'urls'>

/** A PIN in the form that apps send: a salted hash in Base64, and a newline. */
export const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
export const WRONG_PIN = 'AAASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
/** A short key of the demo scheme, whose powers are fast to compute. */
export const KEY = 'svc-keyshare.shop-0'

export type Answer = { readonly status: number; readonly text: string }
export type App = { readonly userName: string; readonly device: Device | null }

type Call = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** @throws {Error} if there is no answer */
export async function callAt(
  url: string,
  path: string,
  { method = 'POST', headers = {}, body }: Call,
): Promise<Answer> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, { method, headers, ...json })
  return { status: response.status, text: await response.text() }
}

/** Calls random servers until one answers with another status than 503.
 *  @returns also the number of earlier tries: each may have been handled */
export async function call(
  { urls }: Urls,
  path: string,
  of: Call,
): Promise<Answer & { readonly lost: number }> {
  for (let lost = 0; ; lost++)
    try {
      const answer = await callAt(urls[randomInt(urls.length)] ?? '', path, of)
      if (answer.status !== 503) return { ...answer, lost }
    } catch {
      await pause(30) // the server is restarting
    }
}

/** Registers an account. Its user name is read from the session that issues the login credential.
 *  @param isBound true: with a device key; false: as in the previous protocol */
export async function registered(servers: Urls, isBound: boolean): Promise<App> {
  const device = isBound ? newDevice() : null
  const publickey = device && Buffer.from(device.der).toString('base64')
  const body = device ? { enrollment_jwt: await appJwt({ pin: PIN, publickey }, device) } : { pin: PIN }
  for (;;) {
    const { status, text } = await call(servers, '/client/register', { body })
    if (status !== 200) throw new Error(`registration: ${status} ${text}`)
    const versions = { 'X-IRMA-MinProtocolVersion': '2.4', 'X-IRMA-MaxProtocolVersion': '2.8' }
    try {
      const request = await callAt(JSON.parse(text).u, '', {
        method: 'GET',
        headers: { ...versions, Authorization: 'app' },
      })
      return { userName: JSON.parse(request.text).request.credentials[0].attributes.username, device }
    } catch {
      // its server was killed, and the session with it: an app would renew the session; this test uses another account
    }
  }
}

export type LoginAnswer = { readonly status: string; readonly message: string }

/** One attempt of a login. If a killed server consumed the challenge, the app asks for another. */
export async function login(servers: Urls, { userName: id, device }: App, pin: string): Promise<LoginAnswer> {
  for (;;) {
    const answer = await (device === null
      ? call(servers, '/users/verify/pin', { body: { id, pin } })
      : challengeAnswered(servers, { userName: id, device }, pin))
    if (answer.status === 200) return JSON.parse(answer.text)
    if (answer.status !== 409) throw new Error(`login: ${answer.status} ${answer.text}`)
  }
}

async function challengeAnswered(
  servers: Urls,
  { userName: id, device }: { readonly userName: string; readonly device: Device },
  pin: string,
): Promise<Answer> {
  const exp = Math.floor(Date.now() / 1_000) + 180
  const started = await call(servers, '/users/verify_start', {
    body: { auth_request_jwt: await appJwt({ id, exp }, device) },
  })
  if (started.status !== 200) throw new Error(`verify_start: ${started.status} ${started.text}`)
  const { challenge } = JSON.parse(started.text)
  const jwt = await appJwt({ id, challenge, pin }, device)
  return call(servers, '/users/verify/pin_challengeresponse', { body: { auth_response_jwt: jwt } })
}

export function headersOf({ userName }: App, token: string): Readonly<Record<string, string>> {
  return { 'X-IRMA-Keyshare-Username': userName, Authorization: token }
}

export type Commitment = { readonly P: string; readonly Pcommit: string }

export async function commitment(
  servers: Urls,
  headers: Readonly<Record<string, string>>,
): Promise<Commitment> {
  const { status, text } = await call(servers, '/prove/getCommitments', { headers, body: [KEY] })
  if (status !== 200) throw new Error(`getCommitments: ${status} ${text}`)
  return JSON.parse(text).c[KEY]
}
