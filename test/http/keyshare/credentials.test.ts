/** The callers that the proof endpoints and the renewal serve (spec/keyshare-server#2.5, #7.2, spec/decisions#k6): a user, identified by name or by authentication JWT,
 *  whose JWT is valid now. @module */
import * as assert from 'uvu/assert'
import { signProof } from '../../../accounts/server-jwts.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, NOW_SEC, signedText } from '../../accounts/jwts.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { type App, headersOf, PIN, registered, rowOf, said } from './app.ts'
import { type KeyshareOfTest, SIGNER, withKeyshare, withMethods } from './harness.ts'

const KEYS = ['svc-demo.gov-0']
const INPUT = { nonce: 1, resp: 1, UserChallengeInput: [] }
const COMMITTED = { keys: KEYS, hw: { hashedComms: Buffer.alloc(32).toString('base64') } }

/** Every endpoint that serves a user, and its error for an invalid JWT. Responses of the second version find no commitment. */
const ENDPOINTS: readonly (readonly [method: string, path: string, body: unknown, words: string])[] = [
  ['POST', '/prove/getCommitments', KEYS, 'invalid jwt token'],
  ['POST', '/prove/getResponse', '5', 'Invalid authorization'],
  ['POST', '/api/v1/prove/getCommitments', KEYS, 'invalid jwt token'],
  ['POST', '/api/v1/prove/getResponse', '5', 'Invalid authorization'],
  ['POST', '/api/v2/prove/getPs', KEYS, 'invalid jwt token'],
  ['POST', '/api/v2/prove/getResponse', INPUT, 'Invalid authorization'],
  ['POST', '/api/v2/prove/getResponseLinkable', INPUT, 'Invalid authorization'],
  ['POST', '/api/v2/prove/getCommitments', COMMITTED, 'invalid jwt token'],
  ['GET', '/users/renewKeyshareAttribute', undefined, 'Invalid authorization'],
  ['GET', '/user/renewKeyshareAttribute', undefined, 'Invalid authorization'],
  ['GET', '/api/v1/users/renewKeyshareAttribute', undefined, 'Invalid authorization'],
  ['GET', '/api/v1/user/renewKeyshareAttribute', undefined, 'Invalid authorization'],
]

type Headers = Readonly<Record<string, string>>
const UNKNOWN = '403 USER_NOT_REGISTERED could not find specified user'

async function eachSays(
  { call }: KeyshareOfTest,
  headers: Headers,
  expected: (words: string) => string | RegExp,
) {
  for (const [method, path, body, words] of ENDPOINTS) {
    const answer = said(await call(method, path, { headers, body }))
    const wanted = expected(words)
    if (typeof wanted === 'string') assert.is(answer, wanted, path)
    else assert.match(answer, wanted, path)
  }
}

/** Asserts that every endpoint accepts the user and the JWT. */
async function eachServes(server: KeyshareOfTest, headers: Headers): Promise<void> {
  await eachSays(server, headers, () => /^(200|409 MISSING_COMMITMENT)/)
}

const Credentials = suite('keyshare server: credentials')

Credentials('a name with a JWT, Bearer before the JWT, and a JWT without a name are accepted', async () => {
  await withKeyshare({}, async server => {
    const { Authorization: jwt = '', ...name } = await headersOf(server, await registered(server))
    for (const headers of [
      { ...name, Authorization: jwt },
      { ...name, Authorization: `Bearer ${jwt}` },
      { Authorization: jwt },
      { Authorization: `Bearer ${jwt}`, 'X-Svc-Keyshare-Username': '' },
    ])
      await eachServes(server, headers)
  })
})

Credentials('the header of the name depends on the profile; that of the other is ignored', async () => {
  await withKeyshare({ profile: 'irma' }, async server => {
    const app = await registered(server)
    const { Authorization = '' } = await headersOf(server, app)
    await eachServes(server, { Authorization, 'X-IRMA-Keyshare-Username': app.userName })
    await eachServes(server, { Authorization, 'X-Svc-Keyshare-Username': 'nobody' })
    await eachSays(server, { Authorization, 'X-IRMA-Keyshare-Username': 'nobody' }, () => UNKNOWN)
  })
})

Credentials('403 without a name and a usable JWT, and for an unknown name', async () => {
  await withKeyshare({}, async server => {
    const { Authorization: jwt = '' } = await headersOf(server, await registered(server))
    const nobody: readonly Headers[] = [
      {},
      { 'X-Svc-Keyshare-Username': '', Authorization: '' },
      { Authorization: 'x' },
      { Authorization: `${jwt}x` },
      { Authorization: `bearer ${jwt}` },
      { 'X-Svc-Keyshare-Username': 'nobody' },
      { 'X-Svc-Keyshare-Username': 'nobody', Authorization: jwt },
    ]
    for (const headers of nobody) await eachSays(server, headers, () => UNKNOWN)
  })
})

/** Invalid JWTs for the user of a valid one. */
async function notGood(
  good: string,
  other: string,
): Promise<readonly (readonly [title: string, jwt: string])[]> {
  const claims = Object(claimsIn(good))
  const signed = (changes: object, header: object = {}) =>
    signedText(JSON.stringify({ ...claims, ...changes }), { alg: 'RS256', ...header }, SIGNER.privateKey)
  const publicPem = Buffer.from(SIGNER.publicKey.export({ format: 'pem', type: 'spki' }))
  return [
    ['none', ''],
    ['no JWT', 'x'],
    ['of another user', other],
    ['expired', await signed({ exp: NOW_SEC })],
    ['not yet valid', await signed({ nbf: NOW_SEC + 11 })],
    ['with an iat in the future', await signed({ iat: NOW_SEC + 11 })],
    ['without exp', await signed({ exp: undefined })],
    ['with an exp that is a text', await signed({ exp: String(NOW_SEC + 60) })],
    ['without token_id', await signed({ token_id: undefined })],
    ['with a token_id that is a number', await signed({ token_id: 5 })],
    ['of another subject', await signed({ sub: 'ProofP' })],
    ['a ProofP JWT', await signProof({ P: 1n, c: 2n, sResponse: 3n }, NOW_SEC, SIGNER)],
    ['of HS256', await signedText(JSON.stringify(claims), { alg: 'HS256' }, publicPem)],
    ['without a signature', `${good.split('.').slice(0, 2).join('.')}.`],
  ]
}

Credentials('with a name, an invalid JWT is 400 at every endpoint, and nothing changes', async () => {
  await withKeyshare({}, async server => {
    const [app, other] = [await registered(server), await registered(server)]
    const { Authorization: good = '' } = await headersOf(server, app)
    const { Authorization: foreign = '' } = await headersOf(server, other)
    const before = await rowOf(server, app.userName)
    for (const [title, Authorization] of await notGood(good, foreign)) {
      const headers = { 'X-Svc-Keyshare-Username': app.userName, Authorization }
      await eachSays(server, headers, words => new RegExp(`^400 INVALID_REQUEST ${words}: expected`))
      assert.equal(await rowOf(server, app.userName), before, title)
    }
    await eachServes(server, { 'X-Svc-Keyshare-Username': app.userName, Authorization: good })
  })
})

Credentials('a JWT is valid for 900 s', async () => {
  await withKeyshare({}, async server => {
    const headers = await headersOf(server, await registered(server))
    server.clock.advance(899_999)
    await eachServes(server, headers)
    server.clock.advance(1)
    await eachSays(server, headers, words => new RegExp(`^400 INVALID_REQUEST ${words}`))
  })
})

Credentials('a JWT stays valid while the account is blocked', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const headers = await headersOf(server, app)
    for (let i = 0; i < 3; i++) await headersOf(server, app, 'wrong').catch(() => {})
    assert.is((await rowOf(server, app.userName)).attempts, 3)
    await eachServes(server, headers)
  })
})

async function disable({ accounts }: KeyshareOfTest, { userName }: App): Promise<void> {
  await accounts.turn(hashOfToken(userName), () => ({ event: { type: 'owner.disabled', deleteAt: 0 } }))
}

Credentials(
  'an account that its owner disabled: 403 at every endpoint, with the name and without',
  async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const { Authorization = '', ...name } = await headersOf(server, app)
      await disable(server, app)
      for (const headers of [{ ...name, Authorization }, { Authorization }]) {
        await eachSays(server, headers, () => UNKNOWN)
        // refused before the body is read, and before the path is checked
        assert.is(said(await server.call('POST', '/prove/getResponse', { headers, body: '{' })), UNKNOWN)
        assert.is(said(await server.call('POST', '/api/v2/nothing', { headers })), UNKNOWN)
      }
    })
  },
)

Credentials('the user is looked up before the body is read, and the JWT is checked after it', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (const [method, path] of ENDPOINTS.filter(([method]) => method === 'POST')) {
      const call = (headers: Headers, body: string) => server.call(method, path, { headers, body })
      assert.is(said(await call({}, '{')), UNKNOWN)
      const answer = said(await call({ 'X-Svc-Keyshare-Username': app.userName }, '{'))
      assert.match(answer, /^400 INVALID_REQUEST (?!invalid jwt|Invalid auth)/, path)
    }
  })
})

Credentials(
  'a JWT that was valid when the call arrived is checked again in the turn of the account',
  async () => {
    const stale: { row: AccountRow | null } = { row: null }
    const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
      accounts: withMethods(accounts, { read: async id => stale.row ?? accounts.read(id) }),
    })
    await withKeyshare({ deps }, async server => {
      const app = await registered(server)
      const headers = await headersOf(server, app)
      const before = await rowOf(server, app.userName)
      const body = {
        change_pin_jwt: await appJwt({ id: app.userName, oldpin: PIN, newpin: 'x' }, app.device),
      }
      assert.is((await server.call('POST', '/users/change/pin', { body })).status, 200)
      stale.row = before
      for (const [path, body, words] of [
        ['/prove/getCommitments', KEYS, 'invalid jwt token'],
        ['/api/v2/prove/getCommitments', COMMITTED, 'invalid jwt token'],
        ['/prove/getResponse', '5', 'Invalid authorization'],
      ] as const)
        assert.match(
          said(await server.call('POST', path, { headers, body })),
          new RegExp(`^400 INVALID_REQUEST ${words}`),
        )
      assert.is((await rowOf(server, app.userName)).commitment, null)
    })
  },
)

Credentials('nothing is calculated for an invalid JWT', async () => {
  const never = (): Promise<never> => Promise.reject(new Error('expected no calculation'))
  const keyshare = { secretPowers: never, challenge: never }
  const deps = ({ powers }: KeyshareOfTest['deps']) => ({ powers: { ...powers, keyshare } })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    const name = { 'X-Svc-Keyshare-Username': app.userName }
    await eachSays(server, name, words => new RegExp(`^400 INVALID_REQUEST ${words}`))
  })
})

Credentials('a renewal answers with a session that issues the name of the user again', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const answer = await server.call('GET', '/users/renewKeyshareAttribute', {
      headers: await headersOf(server, app),
    })
    assert.is(said(answer), `200 {"u":"renews ${app.userName}","svcqr":"issuing"}`)
  })
})

Credentials.run()
