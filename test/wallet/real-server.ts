/** The session server of this project with everything real but its store, on a free port, and the little that a requestor and a frontend
 *  do there. @module */
import { createPrivateKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { createSessions } from '../../actors/create-sessions.ts'
import { createEffects } from '../../actors/effects/create-effects.ts'
import { createRevocation } from '../../actors/revocation/create-revocation.ts'
import type { CredentialToIssue } from '../../actors/revocation/revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { integerOf } from '../../crypto/bytes.ts'
import { createSessionServer } from '../../http/server.ts'
import { serverSettings } from '../../http/settings.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { createEventSource } from '../../ports/event-source.ts'
import { createOutgoing } from '../../ports/outgoing.ts'
import { contextOf } from '../../protocol/contexts.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { AUTHORITY } from '../actors/authority.ts'
import { PROJECT } from '../project.ts'
import { schemes as demoSchemes } from './support.ts'

/** Where results go to a next session, some profiles want them signed. */
const RESULT_KEY = readFileSync(join(PROJECT, 'test/vectors/keys/session-jwt.private.pem'))

export type RealServer = {
  readonly profile: Profile
  /** ends in a slash */
  readonly url: string
  /** POST /session for a disclosure */
  start(disclose: unknown, members?: object): Promise<Started>
  /** POST /session
   *  @param body a session request without its context, or an extended one around that */
  create(type: SessionType, body: object): Promise<Started>
  /** POST /revocation */
  revoke(type: string, revocationKey: string): Promise<void>
  /** Credentials of nobody. */
  issueAndRevoke(type: string, count: number): Promise<void>
  close(): Promise<void>
}

export type Started = {
  /** what the QR code holds */
  readonly pointer: string
  /** @returns its HTTP status */
  frontend(method: string, path: string, body?: object): Promise<number>
  result(): Promise<{
    readonly status: string
    readonly proofStatus?: string
    readonly disclosed?: Shown[][]
    readonly signature?: { readonly message: string; readonly timestamp: { readonly Time: number } | null }
    /** requestor token of the session that follows */
    readonly nextSession?: string
  }>
  /** The session that follows in a chain. */
  next(token: string): Pick<Started, 'result'>
}
type Result = Awaited<ReturnType<Started['result']>>
type Package = {
  readonly sessionPtr: { readonly u: string }
  readonly token: string
  readonly frontendRequest: { readonly authorization: string }
}
type Shown = { readonly id: string; readonly rawvalue: string | null; readonly notrevoked?: boolean }

/** @param authorityOf a credential type that it issues so that it can be revoked, and revokes; by default none */
export async function startRealServer(
  profile: Profile,
  schemes: Schemes = demoSchemes,
  authorityOf?: string,
): Promise<RealServer> {
  const clock = createSystemClock()
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const resultSigner = { issuer: 'test', privateKey: createPrivateKey(RESULT_KEY), publicKeyPem: '' }
  const permissions = { revokePerms: ['*'] }
  const settings = {
    ...serverSettings({ url: 'http://127.0.0.1', profile: profile.name, permissions }),
    resultSigner,
  }
  const outgoing = createOutgoing({ fetch, clock })
  const report = (_: string, error: unknown): void => console.log(error)
  const store = createMemoryStore()
  const revocation = await createRevocation({
    ...{ store, schemes, clock, random, pool, outgoing, report },
    listenTo: createEventSource({ fetch, clock }),
    settings: new Map(authorityOf === undefined ? [] : [[parseCredentialTypeId(authorityOf), AUTHORITY]]),
  })
  const parts = { schemes, clock, random, revocation, settings, noteUnknownMembers: () => {} }
  const effects = createEffects({ ...parts, pool, outgoing, noteHashedValue: () => {} })
  const sessions = createSessions({ store, clock, bootId: 'boot', effects, report })
  const log = pino({ level: 'silent' })
  const server = createSessionServer({ ...parts, sessions, log, isOverloaded: pool.isOverloaded })
  const { port } = await server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}/`
  Object.assign(settings, { url }) // the port is known only now
  const revoke = (type: string, revocationKey: string) =>
    revokeAt(url, { '@context': contextOf(profile.contextBase, 'revocation'), type, revocationKey })
  return {
    ...{ profile, url, revoke },
    async issueAndRevoke(type, count) {
      for (let i = 0; i < count; i++) await revocation.issue(nobodys(type, clock.now()))
      await revoke(type, 'nobody')
    },
    start: (disclose, members) =>
      create(url, { '@context': contextOf(profile.contextBase, 'disclosing'), ...members, disclose }),
    create: (type, body) => create(url, requestOf(contextOf(profile.contextBase, type), body)),
    async close() {
      await server.close()
      await sessions.close()
      await revocation.close()
      await pool.close()
    },
  }
}

function requestOf(context: string, body: object): object {
  if (!('request' in body)) return { '@context': context, ...body }
  return { ...body, request: { '@context': context, ...Object(body.request) } }
}

const random = {
  token: () => randomBytes(10).toString('hex'),
  pairingCode: () => '0815',
  nonce: () => integerOf(randomBytes(16)),
  bytes: randomBytes,
}

function nobodys(type: string, nowMs: number): CredentialToIssue {
  const issuedAtSec = Math.floor(nowMs / 1000)
  const validUntilSec = issuedAtSec + 1000
  return {
    ...{
      type: parseCredentialTypeId(type),
      keyCounter: 0,
      revocationKey: 'nobody',
      issuedAtSec,
      validUntilSec,
    },
  }
}

async function revokeAt(url: string, request: object): Promise<void> {
  const answer = await call('POST', `${url}revocation`, request)
  if (answer.status !== 200) throw new Error(`expected a revocation, got ${await answer.text()}`)
}

async function create(url: string, request: object): Promise<Started> {
  const created = await call('POST', `${url}session`, request)
  if (created.status !== 200) throw new Error(`expected a session, got ${await created.text()}`)
  const { sessionPtr, token, frontendRequest } = (await created.json()) as Package // the server's own writing
  const headers = { Authorization: frontendRequest.authorization }
  const resultOf = (session: string) => async () =>
    (await (await call('GET', `${url}session/${session}/result`)).json()) as Result
  return {
    pointer: JSON.stringify(sessionPtr),
    frontend: async (method, path, body) =>
      (await call(method, `${sessionPtr.u}${path}`, body, headers)).status,
    result: resultOf(token),
    next: session => ({ result: resultOf(session) }),
  }
}

function call(method: string, url: string, body?: object, headers: object = {}): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
}
