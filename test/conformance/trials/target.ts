/** A server of this project with everything that a trial may need, and the clients of trials. The server's clock is simulated: a waiting trial advances it. @module */

import { createPrivateKey, createPublicKey, createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { integerOf } from '../../../crypto/bytes.ts'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import { listenForOthers } from '../../../libraries/conformance/other-servers.ts'
import type { Requestor, Target } from '../../../libraries/conformance/service.ts'
import { offerOf, subjectOf } from '../../../libraries/conformance/subject.ts'
import { type Clock, createSystemClock } from '../../../ports/clock.ts'
import { createOutgoing } from '../../../ports/outgoing.ts'
import type { Randomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { parseCredentialTypeId } from '../../../protocol/ids.ts'
import { PROFILES, type ProfileName } from '../../../protocol/profiles.ts'
import { createNode } from '../../../server/create-node.ts'
import { sdJwtIssuersOf } from '../../../server/settings/sd-jwt.ts'
import { elapse } from '../../actors/node.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { issuerWithSdJwts } from '../../issuer-with-sd-jwts.ts'
import { PATIENCE_MS } from '../../patience.ts'
import { PROJECT } from '../../project.ts'
import { FAILURES, type SettingsOfTest, settingsOfTest } from '../../server/node-of-test.ts'
import { deps, newWallet } from '../../wallet/demo-wallets.ts'
import { schemes } from '../../wallet/support.ts'
import { HELD } from '../requests.ts'

/** After the certificates of SD-JWTs were made. */
const NOW_MS = Date.UTC(2026, 10, 28)
const STAMPS = 'http://127.0.0.1:8190/'
const STAMPS_EXPIRE_AT_SEC = 2_398_377_600
const TOKEN = 'a token of the shop'
const SECRET = Buffer.from('a secret of shop and server, 32+')
const ALL = {
  disclosePerms: ['*'],
  signPerms: ['*'],
  issuePerms: ['*'],
  revokePerms: [],
  hostPerms: ['127.0.0.1*'],
}

/** Settings of a server without authentication. */
const OPEN: SettingsOfTest = {}
/** Settings of a server that knows both requestors of the trials. */
const AUTHENTICATED: SettingsOfTest = {
  noAuth: false,
  requestors: [
    { ...ALL, name: 'shop', auth: { method: 'token', token: TOKEN } },
    { ...ALL, name: 'signer', auth: { method: 'hmac', key: createSecretKey(SECRET) } },
  ],
}

const FIELDS = {
  disclosing: ['verification_request', 'sprequest'],
  signing: ['signature_request', 'absrequest'],
  issuing: ['issue_request', 'iprequest'],
} as const

function requestorOf(method: Requestor['method'], now: () => number): Requestor {
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ iat: Math.floor(now() / 1_000), iss: 'signer', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET)
  return {
    method,
    sign,
    async body(type, request) {
      if (method !== 'signed')
        return { headers: method === 'token' ? { Authorization: TOKEN } : {}, body: JSON.stringify(request) }
      const [sub, field] = FIELDS[type]
      const extended = 'request' in request ? request : { request }
      return { headers: { 'Content-Type': 'text/plain' }, body: await sign({ sub, [field]: extended }) }
    },
  }
}

export type Tried = {
  readonly target: Target
  /** the same server, as a requestor that authenticates in another way */
  as(method: Requestor['method']): Target
  close(): Promise<void>
}

function resultSigner() {
  const file = join(PROJECT, 'test/vectors/keys/session-jwt.private.pem')
  const privateKey = createPrivateKey(readFileSync(file))
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  return { issuer: 'demo server', privateKey, publicKeyPem }
}

const random: Randomness = {
  token: () => randomBytes(10).toString('hex'),
  pairingCode: () => '0815',
  nonce: () => integerOf(randomBytes(16)),
  bytes: randomBytes,
}

/** Timers of trials only bound a wait for an event. On a slow machine they must not fire before the event. */
function patientClock(): Clock {
  const clock = createSystemClock()
  return { ...clock, setTimeout: (callback, ms) => clock.setTimeout(callback, Math.max(ms, PATIENCE_MS)) }
}

export async function startTarget(
  profile: ProfileName,
  method: Requestor['method'],
  options: SettingsOfTest = {},
): Promise<Tried> {
  const clock = createSimulatedClock(NOW_MS)
  const stamps = createTimestampServer({ clock, expiresAtSec: STAMPS_EXPIRE_AT_SEC })
  const stampsUrl = await stamps.listen(0, '127.0.0.1')
  const toStamps = (url: string): string => url.replace(STAMPS, stampsUrl)
  const real = createOutgoing({ fetch, clock })
  const own = { url: 'http://127.0.0.1', store: 'memory', threads: 1, augmentClientReturnUrl: true } as const
  const settings = settingsOfTest(
    {
      ...own,
      profile,
      resultSigner: resultSigner(),
      sdJwtIssuers: sdJwtIssuersOf(issuerWithSdJwts(), schemes).issuers,
      ...(method === 'none' ? OPEN : AUTHENTICATED),
      ...options,
    },
    schemes,
  )
  const instead = { outgoing: { ...real, get: (url: string) => real.get(toStamps(url)) }, pool: sharedPool() }
  const node = await createNode(settings, { clock, random, fetch, log: FAILURES, instead })
  const { port } = await node.server.listen(0, '127.0.0.1')
  Object.assign(node.deps.settings, { url: `http://127.0.0.1:${port}/` }) // the port is known only after the start
  const now = clock.wallNow
  const wallet = await newWallet(HELD, true, { ...deps, clock: { wallNow: now } })
  const others = await listenForOthers(null)
  const note = schemes.credentialType(parseCredentialTypeId('svc-demo.fast.note'))
  if (note === undefined) throw new Error('the demo schemes have a note')
  const target: Target = {
    ...{ wallet, others, randomBytes, profile: PROFILES[profile], isLong: true },
    clock: { ...patientClock(), wallNow: now },
    fetch: (input, init) => fetch(toStamps(String(input)), init),
    signal: new AbortController().signal,
    server: `http://127.0.0.1:${port}`,
    requestor: requestorOf(method, now),
    subject: subjectOf(wallet, null),
    offer: offerOf(note, { text: 'issued', extra: 'x' }),
    wait: ms => elapse(clock, ms),
  }
  return {
    target,
    as: other => ({ ...target, requestor: requestorOf(other, now) }),
    async close() {
      await node.close()
      await Promise.all([stamps.close(), others.close(), wallet.close()])
    },
  }
}
