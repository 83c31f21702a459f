/** The session server of this project with everything real but its store, on a free port, and the little that a requestor and a frontend
 *  do there. @module */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createSystemClock } from '../../actors/clock.ts'
import { createSessions } from '../../actors/create-sessions.ts'
import { createEffects } from '../../actors/effects/create-effects.ts'
import { createOutgoing } from '../../actors/outgoing.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { integerOf } from '../../crypto/bytes.ts'
import { createSessionServer } from '../../http/server.ts'
import { serverSettings } from '../../http/settings.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { createMemoryStore } from '../../stores/memory.ts'
import { schemes } from './support.ts'

export type RealServer = {
  readonly profile: Profile
  /** POST /session for a disclosure */
  start(disclose: unknown, members?: object): Promise<Started>
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
  }>
}
type Result = Awaited<ReturnType<Started['result']>>
type Package = {
  readonly sessionPtr: { readonly u: string }
  readonly token: string
  readonly frontendRequest: { readonly authorization: string }
}
type Shown = { readonly id: string; readonly rawvalue: string | null }

export async function startRealServer(profile: Profile): Promise<RealServer> {
  const clock = createSystemClock()
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const settings = serverSettings({ url: 'http://127.0.0.1', profile: profile.name })
  const random = {
    token: () => randomBytes(10).toString('hex'),
    pairingCode: () => '0815',
    nonce: () => integerOf(randomBytes(16)),
    bytes: randomBytes,
  }
  const outgoing = createOutgoing({ fetch, clock })
  const effects = createEffects({ schemes, clock, pool, outgoing, random, settings })
  const report = (_: string, error: unknown): void => console.log(error)
  const sessions = createSessions({
    store: createMemoryStore(),
    clock,
    bootId: 'boot',
    effects,
    report,
  })
  const log = pino({ level: 'silent' })
  const server = createSessionServer({
    sessions,
    schemes,
    settings,
    random,
    clock,
    log,
    isOverloaded: pool.isOverloaded,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}/`
  Object.assign(settings, { url }) // the port is known only now
  return {
    profile,
    start: (disclose, members) => start(url, profile, { ...members, disclose }),
    async close() {
      await server.close()
      await sessions.close()
      await pool.close()
    },
  }
}

async function start(url: string, profile: Profile, members: object): Promise<Started> {
  const request = { '@context': `${profile.contextBase}/ld/request/disclosure/v2`, ...members }
  const created = await call('POST', `${url}session`, request)
  const { sessionPtr, token, frontendRequest } = (await created.json()) as Package // the server's own writing
  const headers = { Authorization: frontendRequest.authorization }
  return {
    pointer: JSON.stringify(sessionPtr),
    frontend: async (method, path, body) =>
      (await call(method, `${sessionPtr.u}${path}`, body, headers)).status,
    result: async () => (await (await call('GET', `${url}session/${token}/result`)).json()) as Result,
  }
}

function call(method: string, url: string, body?: object, headers: object = {}): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
}
