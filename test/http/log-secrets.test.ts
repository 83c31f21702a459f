/** spec/laws#6 at the edge: for every call, answered or refused, no key, token, JWT, message, signature or attribute value reaches the log, and no refusal
 *  repeats one. @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { storeOutcome } from '../../sessions/result.ts'
import { answerOf } from '../actors/node.ts'
import { suite } from '../suite.ts'
import {
  appHeaders,
  disclosure,
  OVER18,
  type Parts,
  type ServerOfTest,
  sessionIn,
  withServer,
} from './harness.ts'
import { requestorsWith } from './permissions.ts'
import { claimsOf, HS256, OTHER_SECRET, RS256, SECRET, signed } from './signed-requests.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const VALUE = 'value-of-an-attribute-to-issue'
const MESSAGE = 'message-to-sign'
const SIGNATURE = 'number-of-a-signature'
const JWT_KEY = readFileSync('test/vectors/keys/session-jwt.private.pem', 'utf8')
const BASE = 'https://svc.example/ld/request'
const ISSUING = {
  '@context': `${BASE}/issuance/v2`,
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: VALUE } }],
}
const SIGNING = { '@context': `${BASE}/signature/v2`, message: MESSAGE, disclose: [[[OVER18]]] }
const everything = { disclose: ['*'], sign: ['*'], issue: ['*'] }

const SERVER: Parts = {
  settings: {
    verbosity: 2,
    noAuth: false,
    requestors: requestorsWith(everything),
    resultSigner: { issuer: 'a server', privateKey: createPrivateKey(JWT_KEY), publicKeyPem: '' },
  },
  effects: {
    check: async () => ({
      event: { type: 'server.checked', isValid: true },
      columns: {
        result: storeOutcome({ proofStatus: 'VALID', signature: { '@context': BASE, signature: SIGNATURE } }),
      },
      answer: answerOf('{}'),
    }),
    sign: async () => {
      throw new Error('the thread that signs died')
    },
  },
}
const TEXT = { 'Content-Type': 'text/plain' }
const TOKEN = { Authorization: 'token-of-the-shop' }

/** @returns the JWTs, which are secrets too */
async function signedRequests(): Promise<readonly string[]> {
  const claims = (name: string, request: object) => claimsOf(name, { request }, NOW_SEC)
  return [
    await signed(claims('hmacshop', ISSUING), HS256),
    await signed(claims('rsashop', SIGNING), RS256),
    await signed(claims('hmacshop', ISSUING), { alg: 'HS256', key: OTHER_SECRET }),
    await signed(claims('rsashop', ISSUING), { alg: 'HS256', key: SECRET }),
    await signed({ ...claims('hmacshop', ISSUING), iat: NOW_SEC - 10_000 }, HS256),
    await signed({ ...claims('hmacshop', ISSUING), sub: 'nothing' }, HS256),
    await signed(
      {
        ...claims('hmacshop', {
          ...ISSUING,
          credentials: [{ credential: 'svc-demo.fast.note', attributes: { nope: VALUE } }],
        }),
      },
      HS256,
    ),
  ]
}

/** Calls every endpoint of a session. Some calls are refused. */
async function useSession(server: ServerOfTest, request: object, submission: object): Promise<string[]> {
  const { requestor, app, frontend, authorization } = sessionIn(await server.post(request, TOKEN))
  const told: string[] = []
  const read = async (method: string, path: string, headers = {}, body?: unknown) =>
    told.push((await server.call(method, path, { headers, body })).text)
  await read('GET', app, appHeaders())
  await read('POST', `${app}/proofs`, appHeaders('2.4', '2.8', 'authorization-of-another'), submission)
  for (const path of ['proofs', 'commitments']) await read('POST', `${app}/${path}`, appHeaders(), submission)
  for (const path of ['result', 'result-jwt', 'getproof', 'status']) await read('GET', `${requestor}/${path}`)
  await read('GET', `${frontend}/status`, authorization)
  await read('GET', `${frontend}/status`, { Authorization: 'wrong-authorization' })
  await read('DELETE', app)
  return told.filter(text => text.startsWith('ey'))
}

const Secrets = suite('spec/laws#6: nothing secret in the log at any verbosity')

Secrets('keys, tokens, JWTs, messages, signatures and attribute values stay out of log and refusals', () =>
  withServer(SERVER, async server => {
    const jwts = await signedRequests()
    const refusals: string[] = []
    for (const body of jwts) {
      const answer = await server.call('POST', '/session', { headers: TEXT, body })
      if (answer.status !== 200) refusals.push(answer.text)
    }
    for (const headers of [
      TOKEN,
      { Authorization: 'token-of-the-shop ' },
      { Authorization: SECRET.export().toString('base64') },
    ])
      for (const body of [
        ISSUING,
        { ...ISSUING, '@context': MESSAGE },
        `${JSON.stringify(ISSUING)}}`,
        { ...SIGNING, disclose: [[['svc-demo.gov.nope.x']]] },
      ]) {
        const answer = await server.post(body, headers)
        if (answer.status !== 200) refusals.push(answer.text)
      }
    const submission = { proofs: [{ A: SIGNATURE }], indices: [], n_2: SIGNATURE, combinedProofs: [] }
    const results = [
      ...(await useSession(server, disclosure(), submission)),
      ...(await useSession(server, SIGNING, submission)),
      ...(await useSession(server, ISSUING, submission)),
    ]
    const secrets = [
      ...server.secrets,
      VALUE,
      SIGNATURE,
      'token-of-the-shop',
      'authorization-of-another',
      'wrong-authorization',
      ...[SECRET, OTHER_SECRET].flatMap(key => [key.export().toString(), key.export().toString('base64')]),
      ...JWT_KEY.split('\n').slice(1, 4),
      ...[...jwts, ...results].flatMap(jwt => [jwt, ...jwt.split('.').slice(1)]),
    ]
    assert.ok(server.log.length > 40 && results.length > 0 && refusals.length > 5)
    for (const secret of [...secrets, MESSAGE])
      for (const line of server.log) assert.not.match(line, secret, `${line} holds ${secret}`)
    for (const secret of secrets) for (const text of refusals) assert.not.match(text, secret)
  }),
)

Secrets.run()
