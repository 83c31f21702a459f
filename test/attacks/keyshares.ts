/** Keyshare servers, and users with a device, for attacks. @module */
import { NotTriedError } from '../../libraries/conformance/expect.ts'
import { appJwt, type Device } from '../accounts/jwts.ts'
import { type Answer, type App, callAt, PIN, registered } from '../faults/keyshare/app.ts'
import type { Servers } from '../faults/keyshare/servers.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import type { OwnServers } from './own-servers.ts'

export type User = App & { readonly device: Device }

const ALWAYS_THERE = { killAndRestart: async () => {}, end: async () => {} }

export async function startKeyshare({ start }: OwnServers): Promise<Servers> {
  const { url } = await start('keyshare', { profile: 'irma' })
  return { ...ALWAYS_THERE, urls: [url] }
}

/** Two servers on one database.
 *  @throws {NotTriedError} without PostgreSQL */
export async function startTwo({ start }: OwnServers, kind: 'keyshare' | 'server'): Promise<Servers> {
  if (!hasPostgres) throw new NotTriedError('there is no PostgreSQL')
  const store = await newPostgresDatabase()
  const settings = { store, ...(kind === 'keyshare' && { profile: 'irma' }) }
  const nodes = [await start(kind, settings), await start(kind, settings)]
  return { ...ALWAYS_THERE, urls: nodes.map(({ url }) => url) }
}

/** A user whose account has a device key. */
export async function userOf(servers: Servers): Promise<User> {
  const { userName, device } = await registered(servers, true)
  if (device === null) throw new Error('expected a device')
  return { userName, device }
}

export function post(servers: Servers, path: string, body: unknown, headers = {}): Promise<Answer> {
  return callAt(servers.urls[0] ?? '', path, { headers, body })
}

/** True if the answer to a login holds a token. */
export function hasToken({ status, text }: Answer): boolean {
  return status === 200 && text.includes('"success"')
}

/** The JWT with which the app begins a login. */
export function startJwt({ userName: id, device }: User): Promise<string> {
  return appJwt({ id, exp: Math.floor(Date.now() / 1_000) + 180 }, device)
}

/** Begins a login with this JWT.
 *  @returns the challenge; null: refused */
export async function challengeFor(servers: Servers, auth_request_jwt: string): Promise<string | null> {
  const { status, text } = await post(servers, '/users/verify_start', { auth_request_jwt })
  return status === 200 ? String(Object(JSON.parse(text)).challenge) : null
}

export function answerClaims({ userName: id }: App, challenge: string, pin = PIN): object {
  return { id, challenge, pin }
}

export function answerWith(servers: Servers, auth_response_jwt: string): Promise<Answer> {
  return post(servers, '/users/verify/pin_challengeresponse', { auth_response_jwt })
}
