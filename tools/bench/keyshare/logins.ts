/** The clients of the login benchmark: wallet apps, each with its own account. @module */
import { appJwt, type Device, newDevice } from '../../../test/accounts/jwts.ts'
import { call } from '../sessions/client.ts'

const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
/** 2048 bits */
export const KEY = 'svc-keyshare.keyshare-0'
const JSON_BODY = { 'content-type': 'application/json' }
const VERSIONS = { 'X-IRMA-MinProtocolVersion': '2.4', 'X-IRMA-MaxProtocolVersion': '2.8' }

export type App = { readonly userName: string; readonly device: Device }

function post(address: string, path: string, body: unknown, headers = {}): Promise<string> {
  return call('POST', `${address}${path}`, { ...JSON_BODY, ...headers }, JSON.stringify(body))
}

export async function newApp(address: string): Promise<App> {
  const device = newDevice()
  const publickey = Buffer.from(device.der).toString('base64')
  const enrollment = { enrollment_jwt: await appJwt({ pin: PIN, publickey }, device) }
  const { u } = JSON.parse(await post(address, '/client/register', enrollment))
  const { request } = JSON.parse(await call('GET', u, { ...VERSIONS, authorization: 'benchmark' }))
  return { userName: request.credentials[0].attributes.username, device }
}

/** A whole login: start, PIN, commitments for one key, response.
 *  @param note called with the milliseconds of each call */
export async function login(
  address: string,
  { userName: id, device }: App,
  note: (ms: number) => void,
): Promise<void> {
  const timed = async (path: string, body: unknown, headers = {}): Promise<string> => {
    const startedAt = performance.now()
    const text = await post(address, path, body, headers)
    note(performance.now() - startedAt)
    return text
  }
  const exp = Math.floor(Date.now() / 1_000) + 180
  const started = await timed('/users/verify_start', { auth_request_jwt: await appJwt({ id, exp }, device) })
  const { challenge } = JSON.parse(started)
  const jwt = await appJwt({ id, challenge, pin: PIN }, device)
  const { status, message } = JSON.parse(
    await timed('/users/verify/pin_challengeresponse', { auth_response_jwt: jwt }),
  )
  if (status !== 'success') throw new Error(`benchmark: expected a login, got ${status}`)
  const headers = { 'X-IRMA-Keyshare-Username': id, authorization: message }
  await timed('/prove/getCommitments', [KEY], headers)
  await timed('/prove/getResponse', 12_345, headers)
}
