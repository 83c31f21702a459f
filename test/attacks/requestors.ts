/** A server that authenticates requestors by signatures and tokens, and the JWTs of an attacker. @module */
import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import type { OwnServer, OwnServers } from './own-servers.ts'

const KEYS = join(PROJECT, 'test/vectors/keys')
export const RSA_PRIVATE = createPrivateKey(readFileSync(join(KEYS, 'requestor-rs256.private.pem')))
export const RSA_PUBLIC_FILE = join(KEYS, 'requestor-rs256.public.pem')
/** The key of the attacker, who is a requestor of few permissions. */
export const SMALL_SECRET = Buffer.from('the secret of a requestor with few permissions')

export const SMALL = 'small'
export const LARGE = 'large'
const ALLOWED = 'svc-demo.gov.idcard.over18'

/** `large` signs with RSA and may do everything; `small` signs with a shared secret and may ask for one attribute. */
export function startWithRequestors({ start }: OwnServers): Promise<OwnServer> {
  return start('server', {
    no_auth: false,
    allow_unsigned_callbacks: true,
    disclose_perms: [],
    sign_perms: [],
    issue_perms: [],
    requestors: {
      [LARGE]: {
        auth_method: 'publickey',
        key_file: RSA_PUBLIC_FILE,
        disclose_perms: ['*'],
        sign_perms: ['*'],
        issue_perms: ['*'],
      },
      [SMALL]: { auth_method: 'hmac', key: SMALL_SECRET.toString('base64'), disclose_perms: [ALLOWED] },
    },
  })
}

/** A request that both requestors may make. */
export const ALLOWED_REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[[ALLOWED]]],
}
/** Requests that only `large` may make. */
export const LARGE_REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.familyname']]],
}
export const ISSUANCE = {
  '@context': 'https://svc.example/ld/request/issuance/v2',
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'forged' } }],
}

const FORMS = [
  { sub: 'verification_request', field: 'sprequest' },
  { sub: 'issue_request', field: 'iprequest' },
] as const

/** The claims of a right JWT. */
export function claimsOf(iss: string, request: object = LARGE_REQUEST): Readonly<Record<string, unknown>> {
  const { sub, field } = FORMS['credentials' in request ? 1 : 0]
  return { iat: nowSec(), iss, sub, [field]: { request } }
}

export function nowSec(): number {
  return Math.floor(Date.now() / 1_000)
}

/** @param signature in Base64url */
export function jwtOf(
  header: object | string,
  claims: object | string,
  signature: (text: string) => string,
): string {
  const text = [header, claims].map(base64url).join('.')
  return `${text}.${signature(text)}`
}

function base64url(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

export const rs256 =
  (key: KeyObject = RSA_PRIVATE) =>
  (text: string): string =>
    sign('sha256', Buffer.from(text), key).toString('base64url')

export const hs256 =
  (secret: Uint8Array = SMALL_SECRET) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url')

/** @returns true if the server started a session */
export async function isStarted({ url }: Pick<OwnServer, 'url'>, jwt: string): Promise<boolean> {
  const headers = { 'Content-Type': 'text/plain' }
  const answer = await fetch(`${url}/session`, { method: 'POST', headers, body: jwt })
  return answer.ok && (await answer.text()).includes('"sessionPtr"')
}

/** The JWTs, by what is wrong with them.
 *  @returns the gain: the names of those that started a session */
export async function tryJwts(
  own: OwnServers,
  forged: Readonly<Record<string, string>>,
): Promise<string | null> {
  const server = await startWithRequestors(own)
  const right = [
    jwtOf({ alg: 'RS256' }, claimsOf(LARGE), rs256()),
    jwtOf({ alg: 'HS256' }, claimsOf(SMALL, ALLOWED_REQUEST), hs256()),
  ]
  for (const jwt of right)
    if (!(await isStarted(server, jwt))) throw new Error('expected a session from a right JWT')
  const started: string[] = []
  for (const [what, jwt] of Object.entries(forged)) if (await isStarted(server, jwt)) started.push(what)
  return started.length === 0 ? null : `a session was started by a JWT ${started.join(', ')}`
}
