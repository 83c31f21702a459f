/** Sessions and accounts in the states in which calls are tried. Each state is reached by recorded calls, so that mutations begin where real clients are. @module */
import { fromBase64 } from '../../../crypto/bytes.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { type Device, forcedJwt, newDevice } from '../../accounts/jwts.ts'
import { type Exchange, readTranscript } from '../../replay/transcript.ts'
import type { Caller } from './send.ts'
import { type FuzzedServer, SHOP_TOKEN } from './servers.ts'

/** Values in place of names in guillemets, in paths, headers and bodies. */
export type Values = Readonly<Record<string, string>>

export type State = {
  readonly name: string
  /** bodies of this state, by the end of their path */
  readonly bodies: readonly (readonly [end: string, body: string])[]
  reach(server: FuzzedServer, caller: Caller): Promise<Values>
}

const FLOWS = [
  ...[
    'disclosure-1024',
    'disclosure-labels-and-options',
    'issuance-1024',
    'combined-two-and-two',
    'signature-1024',
  ],
  ...['pairing-disclosure', 'legacy-request-disclosure', 'chained-three', 'revocation-1024'],
]
/** The status of a session. */
const STEPS = ['new', 'connected', 'over'] as const
const APP = 'authorization-of-the-app'

export function sessionStates(server: FuzzedServer): readonly State[] {
  return FLOWS.flatMap(flow => {
    const { exchanges } = readTranscript(`transcripts/${flow}.json`, server.profile)
    const created = exchanges.find(({ method, path }) => method === 'POST' && path === '/session')
    const sent = exchanges.find(({ path }) => /\/(?:proofs|commitments)$/.test(path))
    if (created === undefined) return []
    return STEPS.map(step => sessionState(`${flow}, ${step}`, step, created, sent))
  })
}

function sessionState(
  name: string,
  step: (typeof STEPS)[number],
  created: Exchange,
  sent: Exchange | undefined,
): State {
  const body = sent?.body
  return {
    name,
    bodies: body === undefined ? [] : [[sent?.path.split('/').at(-1) ?? '', body]],
    async reach(server, caller) {
      server.nonce = fromBase64(created.random.nonce)
      const headers = { 'Content-Type': 'application/json', Authorization: SHOP_TOKEN }
      const answer = await caller.send({
        method: 'POST',
        path: '/session',
        headers,
        body: created.body ?? '',
      })
      server.nonce = null
      const { sessionPtr, token, frontendRequest } = Object(jsonOf(answer.body.toString()))
      const clientToken = String(sessionPtr?.u).split('/').at(-1) ?? ''
      const values = {
        clientToken,
        requestorToken: String(token),
        frontend: String(frontendRequest?.authorization),
        app: APP,
      }
      const path = `${PROFILES[server.profile].prefix}/session/${clientToken}`
      if (step !== 'new') await caller.send({ method: 'GET', path, headers: appHeaders(server), body: '' })
      if (step === 'over')
        await caller.send({ method: 'DELETE', path: `/session/${token}`, headers: {}, body: '' })
      return values
    },
  }
}

export function appHeaders(
  { profile }: Pick<FuzzedServer, 'profile'>,
  authorization = APP,
): Record<string, string> {
  const { minVersionHeader, maxVersionHeader } = PROFILES[profile]
  return { [minVersionHeader]: '2.4', [maxVersionHeader]: '2.8', Authorization: authorization }
}

const ES256 = { alg: 'ES256', typ: 'JWT' }
const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'

/** Users: without a login, with a challenge, logged in, and with a commitment. */
export function accountStates(): readonly State[] {
  return (['none', 'challenged', 'logged in', 'committed'] as const).map(name => ({
    name: `account, ${name}`,
    bodies: [],
    async reach(server, caller) {
      const user = await registered(server, caller)
      if (name === 'none') return user.values
      const challenge = await challengeOf(user, caller, server.clock.now())
      if (name === 'challenged') return { ...user.values, challenge }
      const login = await post(caller, '/users/verify/pin_challengeresponse', {
        id: user.id,
        pin: PIN,
        auth_response_jwt: forcedJwt({ id: user.id, pin: PIN, challenge }, user.device, ES256),
      })
      const values = { ...user.values, challenge, token: String(Object(login).message) }
      if (name === 'committed') await commit(server, caller, values)
      return values
    },
  }))
}

type User = { readonly id: string; readonly device: Device; readonly values: Values }

let accounts = 0
const devices = Array.from({ length: 8 }, () => newDevice())

async function registered(server: FuzzedServer, caller: Caller): Promise<User> {
  const id = `user${String(++accounts).padStart(8, '0')}`
  const device = devices[accounts % devices.length] ?? newDevice()
  const publickey = Buffer.from(device.der).toString('base64')
  server.userName = id
  const claims = { pin: PIN, language: 'en', publickey }
  await post(caller, '/client/register', { enrollment_jwt: forcedJwt(claims, device, ES256) })
  server.userName = ''
  return { id, device, values: { user: id, publickey, pin: PIN, device: String(accounts % devices.length) } }
}

async function challengeOf({ id, device }: User, caller: Caller, nowMs: number): Promise<string> {
  const claims = { id, exp: Math.floor(nowMs / 1_000) + 100 }
  const answer = await post(caller, '/users/verify_start', {
    auth_request_jwt: forcedJwt(claims, device, ES256),
  })
  return String(Object(answer).challenge)
}

async function commit(
  { profile }: FuzzedServer,
  caller: Caller,
  { user = '', token = '' }: Values,
): Promise<void> {
  const headers = { [PROFILES[profile].keyshareUsernameHeader]: user, Authorization: token }
  await caller.send({ method: 'POST', path: '/prove/getCommitments', headers, body: '["svc-demo.fast-0"]' })
}

/** Signs claims with the device of a state. */
export function signedBy(device: string, claims: object): string {
  return forcedJwt(claims, devices[Number(device)] ?? newDevice(), ES256)
}

async function post(caller: Caller, path: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  return jsonOf(
    (await caller.send({ method: 'POST', path, headers, body: JSON.stringify(body) })).body.toString(),
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
