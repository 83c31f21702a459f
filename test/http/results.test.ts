/** Signed results (spec/interface#4.1, #5.2; spec/session-server#13.3 to #13.5; spec/decisions#d21). @module */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { jwtVerify } from 'jose'
import * as assert from 'uvu/assert'
import type { PerformEffect } from '../../actors/effects/effects.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import { type SessionOutcome, storeOutcome } from '../../sessions/result.ts'
import { answerOf } from '../actors/node.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, OVER18, type ServerOfTest, sessionIn, withServer } from './harness.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const privateKey = createPrivateKey(readFileSync('test/vectors/keys/session-jwt.private.pem'))
const publicKeyPem = readFileSync('test/vectors/keys/session-jwt.public.pem', 'utf8')
const resultSigner = { issuer: 'a server', privateKey, publicKeyPem }
const SIGNING: SettingsOfTest = { resultSigner }
const ATTRIBUTE = {
  rawvalue: 'yes',
  value: { '': 'yes', en: 'yes', nl: 'yes' },
  id: OVER18,
  status: 'PRESENT',
  issuancetime: 1,
}
const OUTCOME = { proofStatus: 'VALID', disclosed: [[ATTRIBUTE]] } as unknown as SessionOutcome // the id is a plain text, because only a parser brands ids

/** An effect that ends the session as DONE with this outcome. */
function comesTo(outcome: SessionOutcome): PerformEffect {
  return async () => ({
    event: { type: 'server.checked', isValid: true },
    columns: { result: storeOutcome(outcome) },
    answer: answerOf('{}'),
  })
}

async function claimsIn(server: ServerOfTest, path: string): Promise<Record<string, unknown>> {
  const { status, text, headers } = await server.call('GET', path)
  assert.is(status, 200, text)
  assert.is(headers['content-type'], 'text/plain')
  const pem = (await server.call('GET', '/publickey')).text
  const currentDate = new Date(server.clock.wallNow())
  const { payload, protectedHeader } = await jwtVerify(text, createPublicKey(pem), { currentDate })
  assert.equal(protectedHeader, { alg: 'RS256', typ: 'JWT' })
  return payload
}

function requestOf(type: SessionType, base: string): object {
  if (type === 'disclosing') return disclosure(base)
  if (type === 'signing')
    return { '@context': `${base}/ld/request/signature/v2`, message: 'm', disclose: [[[OVER18]]] }
  const credentials = [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }]
  return { '@context': `${base}/ld/request/issuance/v2`, credentials }
}

const Results = suite('signed results (spec/interface#4.1, #5.2)')

Results(
  'result-jwt: the result in every status, signed, with exp, iat, iss and sub before it (spec/interface#2.8, #5.2)',
  () =>
    withServer({ settings: SIGNING, effects: { check: comesTo(OUTCOME) } }, async server => {
      const { requestor, app, requestorToken: token } = await server.create()
      const read = () => claimsIn(server, `${requestor}/result-jwt`)
      const about = { exp: NOW_SEC + 120, iat: NOW_SEC, iss: 'a server', sub: 'verification_result', token }
      const type = 'disclosing'
      assert.equal(await read(), { ...about, status: 'INITIALIZED', type })
      await server.call('GET', app, { headers: appHeaders() })
      assert.equal(await read(), { ...about, status: 'CONNECTED', type })
      await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
      const done = await read()
      assert.equal(done, { ...about, status: 'DONE', type, ...OUTCOME })
      const { exp, iat, iss, sub, ...result } = done
      assert.equal(result, (await server.call('GET', `${requestor}/result`)).json, 'the body is the result')
      assert.equal(Object.keys(done), [
        'exp',
        'iat',
        'iss',
        'sub',
        'token',
        'status',
        'type',
        'proofStatus',
        'disclosed',
      ])
    }),
)

Results('result-jwt of a cancelled session contains only its result', () =>
  withServer({ settings: SIGNING }, async server => {
    const { requestor, requestorToken: token } = await server.create()
    await server.call('DELETE', requestor)
    const { exp, iat, iss, sub, ...result } = await claimsIn(server, `${requestor}/result-jwt`)
    assert.equal(result, { token, status: 'CANCELLED', type: 'disclosing' })
  }),
)

Results(
  'sub depends on the type, and for a disclosure on the profile (spec/interface#5.2, spec/decisions#d21)',
  async () => {
    for (const profile of ['svc', 'irma'] as const)
      await withServer({ settings: { ...SIGNING, profile } }, async server => {
        const first = profile === 'svc' ? 'verification_result' : 'disclosing_result'
        for (const [type, sub, legacy] of [
          ['disclosing', first, 'disclosure_result'],
          ['signing', 'signing_result', 'abs_result'],
          ['issuing', 'issuing_result', 'issue_result'],
        ] as const) {
          const request = requestOf(type, PROFILES[profile].contextBase)
          const { requestor } = sessionIn(await server.post({ request }), PROFILES[profile].prefix)
          assert.is((await claimsIn(server, `${requestor}/result-jwt`)).sub, sub)
          assert.is((await claimsIn(server, `${requestor}/getproof`)).sub, legacy)
        }
      })
  },
)

Results(
  'exp follows the validity parameter, by default 120 s, counted from each call (spec/interface#2.6, #5.2, #8)',
  () =>
    withServer({ settings: SIGNING }, async server => {
      for (const [validity, sec] of [
        [undefined, 120],
        [0, 120],
        [7, 7],
      ] as const) {
        const { requestor } = await server.create({}, { validity })
        for (const path of ['result-jwt', 'getproof']) {
          const { iat, exp } = await claimsIn(server, `${requestor}/${path}`)
          assert.equal([iat, exp], [server.clock.now() / 1000, server.clock.now() / 1000 + sec])
        }
        server.clock.advance(1_000)
      }
    }),
)

Results('iat and exp follow the clock of the system, also if it is set while the server runs', () =>
  withServer({ settings: SIGNING }, async server => {
    const { requestor } = await server.create()
    for (const hours of [-2, 5]) {
      server.clock.setWall(hours * 3_600_000)
      for (const path of ['result-jwt', 'getproof']) {
        const { iat, exp } = await claimsIn(server, `${requestor}/${path}`)
        assert.equal([iat, exp], [server.clock.wallNow() / 1000, server.clock.wallNow() / 1000 + 120])
      }
    }
  }),
)

Results('iss is left out when the server has no name', () =>
  withServer({ settings: { resultSigner: { ...resultSigner, issuer: '' } } }, async server => {
    const { requestor } = await server.create()
    for (const path of ['result-jwt', 'getproof'])
      assert.not('iss' in (await claimsIn(server, `${requestor}/${path}`)))
  }),
)

Results('getproof: attributes by id in the legacy structure, in every status', () =>
  withServer({ settings: SIGNING, effects: { check: comesTo(OUTCOME) } }, async server => {
    const { requestor, app } = await server.create()
    const read = () => claimsIn(server, `${requestor}/getproof`)
    const about = { exp: NOW_SEC + 120, iat: NOW_SEC, iss: 'a server', sub: 'disclosure_result' }
    assert.equal(await read(), { attributes: {}, ...about, status: '' })
    await server.call('GET', app, { headers: appHeaders() })
    await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
    assert.equal(await read(), { attributes: { [OVER18]: 'yes' }, ...about, status: 'VALID' })
  }),
)

Results('publickey: PEM that verifies the results, as text/plain with a charset', () =>
  withServer({ settings: SIGNING }, async server => {
    const { status, text, headers } = await server.call('GET', '/publickey')
    assert.equal([status, text], [200, publicKeyPem])
    assert.is(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(text, /^-----BEGIN PUBLIC KEY-----\n[\s\S]*\n-----END PUBLIC KEY-----\n$/)
  }),
)

Results('without a private key: 501 UNSUPPORTED for a session and for the key', () =>
  withServer({}, async server => {
    const { requestor } = await server.create()
    for (const path of [`${requestor}/result-jwt`, `${requestor}/getproof`, '/publickey'])
      assert.equal((await server.call('GET', path)).json, {
        status: 501,
        error: 'UNSUPPORTED',
        description: 'Unsupported by this server',
        message: 'expected a JWT private key, got none',
      })
  }),
)

for (const [title, settings] of [
  ['with a key', SIGNING],
  ['without a key', {}],
] as const)
  Results(`${title}, a token of no session is answered with SESSION_UNKNOWN`, () =>
    withServer({ settings }, async server => {
      for (const name of ['result-jwt', 'getproof'])
        for (const token of ['abcdefghijABCDEFGHIJ', 'short'])
          assert.equal((await server.call('GET', `/session/${token}/${name}`)).json, {
            status: 400,
            error: 'SESSION_UNKNOWN',
            description: 'Unknown or expired session',
          })
    }),
  )

Results(
  'with a key, callbackUrl and nextSession need no option for unsigned ones (spec/session-server#6.1)',
  () =>
    withServer({ settings: { ...SIGNING, profile: 'irma' } }, async server => {
      const request = disclosure('https://irma.app')
      for (const member of [
        { callbackUrl: 'http://a.example' },
        { nextSession: { url: 'http://a.example' } },
      ])
        assert.is((await server.post({ request, ...member })).status, 200)
    }),
)

Results.run()
