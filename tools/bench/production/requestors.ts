/** The requestors of the production benchmark, one for each way to authenticate. They take turns. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorized, type RequestorAuth } from '../../../libraries/client/authorization.ts'
import type { CallContent } from '../../../libraries/client/calls.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import type { WireSessionRequest } from '../../../protocol/wire/session-request.ts'
import { PROJECT } from '../../../test/project.ts'

const KEYS = join(PROJECT, 'test/vectors/keys')
const RSA = join(KEYS, 'requestor-rs256')
const TOKEN = 'the token of a requestor of the benchmark'
const SECRET = Buffer.from('the secret of a requestor of the benchmark')
const ATTRIBUTE = 'svc-demo.uni.student.university'
const perms = { disclose_perms: [ATTRIBUTE] }

export const requestorSettings = {
  requestors: {
    tokens: { auth_method: 'token', key: TOKEN, ...perms },
    hmac: { auth_method: 'hmac', key: SECRET.toString('base64'), ...perms },
    rsa: { auth_method: 'publickey', key_file: `${RSA}.public.pem`, ...perms },
  },
  disclose_perms: [],
  sign_perms: [],
  jwt_privkey_file: join(KEYS, 'session-jwt.private.pem'),
}

export const REQUEST: WireSessionRequest = {
  request: {
    '@context': `${PROFILES.irma.contextBase}/ld/request/disclosure/v2`,
    disclose: [[[ATTRIBUTE]]],
  },
}

const auths: readonly RequestorAuth[] = [
  { method: 'token', token: TOKEN },
  { method: 'hmac', name: 'hmac', key: SECRET },
  { method: 'publickey', name: 'rsa', key: readFileSync(`${RSA}.private.pem`, 'utf8') },
]

/** A signed request serves this long, so that signing does not slow the callers. */
const SIGNED_FOR_MS = 60_000

/** @returns the function that gives the content of call number `index` */
export function createRequests(): (index: number) => Promise<CallContent> {
  const signed = new Map<number, { readonly content: Promise<CallContent>; readonly untilMs: number }>()
  return index => {
    const turn = index % auths.length
    const known = signed.get(turn)
    if (known && known.untilMs > performance.now()) return known.content
    const content = authorized({ type: 'session', request: REQUEST }, auths[turn])
    signed.set(turn, { content, untilMs: performance.now() + SIGNED_FOR_MS })
    return content
  }
}
