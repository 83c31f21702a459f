/** The session server of this project on a free port, real except for its store, and the few calls of a requestor and a frontend. @module */

import { createPrivateKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CredentialToIssue } from '../../actors/revocation/revocation.ts'
import { integerOf } from '../../crypto/bytes.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { contextOf } from '../../protocol/contexts.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createNode } from '../../server/create-node.ts'
import type { World } from '../../server/world.ts'
import { AUTHORITY } from '../actors/authority.ts'
import { sharedPool } from '../actors/shared-pool.ts'
import { placed } from '../behind-proxy.ts'
import { PROJECT } from '../project.ts'
import { FAILURES, type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'
import { schemes as demoSchemes } from './support.ts'

/** Some profiles require signed results in the post for a next session. */
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
  /** Issues and revokes that many credentials without a wallet. */
  issueAndRevoke(type: string, count: number): Promise<void>
  close(): Promise<void>
}

export type Started = {
  /** the content of the QR code */
  readonly pointer: string
  /** @returns the HTTP status */
  frontend(method: string, path: string, body?: object): Promise<number>
  result(): Promise<{
    readonly status: string
    readonly proofStatus?: string
    readonly disclosed?: Shown[][]
    readonly signature?: { readonly message: string; readonly timestamp: { readonly Time: number } | null }
    /** requestor token of the next session */
    readonly nextSession?: string
  }>
  /** The next session of a chain. */
  next(token: string): Pick<Started, 'result'>
}
type Result = Awaited<ReturnType<Started['result']>>
type Package = {
  readonly sessionPtr: { readonly u: string }
  readonly token: string
  readonly frontendRequest: { readonly authorization: string }
}
type Shown = { readonly id: string; readonly rawvalue: string | null; readonly notrevoked?: boolean }

/** @param authorityOf a credential type for which the server issues and revokes credentials; none by default */
export async function startRealServer(
  profile: Profile,
  schemes: Schemes = demoSchemes,
  authorityOf?: string,
  { log = FAILURES, ...changes }: SettingsOfTest & { readonly log?: World['log'] } = {},
): Promise<RealServer> {
  const clock = createSystemClock()
  const resultSigner = { issuer: 'test', privateKey: createPrivateKey(RESULT_KEY), publicKeyPem: '' }
  const revocationOf =
    authorityOf === undefined ? [] : [[parseCredentialTypeId(authorityOf), AUTHORITY] as const]
  const place = await placed(async ({ store, port, servicePort }) => {
    const url = `http://127.0.0.1:${servicePort}/`
    const settings = settingsOfTest(
      {
        url: 'http://127.0.0.1',
        profile: profile.name,
        permissions: { revokePerms: ['*'] },
        resultSigner,
        threads: 1,
        store,
        revocation: new Map(revocationOf),
        ...changes,
      },
      schemes,
    )
    Object.assign(settings, { url }) // the form in pointers
    const node = await createNode(settings, { clock, random, fetch, log, instead: { pool: sharedPool() } })
    await node.server.listen(port, '127.0.0.1')
    return node
  })
  const [{ revocation }] = place.nodes
  const url = `http://127.0.0.1:${place.port}/`
  const revoke = (type: string, revocationKey: string) =>
    revokeAt(url, { '@context': contextOf(profile.contextBase, 'revocation'), type, revocationKey })
  return {
    profile,
    url,
    revoke,
    async issueAndRevoke(type, count) {
      for (let i = 0; i < count; i++) await revocation.issue(nobodys(type, clock.now()))
      await revoke(type, 'nobody')
    },
    start: (disclose, members) =>
      create(url, { '@context': contextOf(profile.contextBase, 'disclosing'), ...members, disclose }),
    create: (type, body) => create(url, requestOf(contextOf(profile.contextBase, type), body)),
    async close() {
      await place.close()
      await Promise.all(place.nodes.map(({ close }) => close()))
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
    type: parseCredentialTypeId(type),
    keyCounter: 0,
    revocationKey: 'nobody',
    issuedAtSec,
    validUntilSec,
  }
}

async function revokeAt(url: string, request: object): Promise<void> {
  const answer = await call('POST', `${url}revocation`, request)
  if (answer.status !== 200) throw new Error(`expected a revocation, got ${await answer.text()}`)
}

async function create(url: string, request: object): Promise<Started> {
  const created = await call('POST', `${url}session`, request)
  if (created.status !== 200) throw new Error(`expected a session, got ${await created.text()}`)
  const { sessionPtr, token, frontendRequest } = (await created.json()) as Package // this server wrote it
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
