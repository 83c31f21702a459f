/** POST /users/verify_start and POST /users/verify/pin_challengeresponse (specification 4.5, 5.4; keyshare note 6, K2, K3, K11). @module */
import * as assert from 'uvu/assert'
import { tokenIdIn } from '../../../accounts/server-jwts.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, type Device, forcedJwt, NOW_SEC, newDevice, signedText } from '../../accounts/jwts.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import {
  answered,
  challengeFor,
  disagreeing,
  loggedIn,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  said,
  WRONG_PIN,
} from './app.ts'
import { type KeyshareOfTest, SIGNER, withKeyshare, withMethods } from './harness.ts'

const LOGIN = '/users/verify/pin_challengeresponse'

/** What no JWT of an app may be, signed by whichever key. */
const FORGED: readonly (readonly [
  title: string,
  jwt: (claims: object, device: Device) => Promise<string> | string,
])[] = [
  ['of another device', claims => appJwt(claims, newDevice())],
  ['of alg none', (claims, device) => forcedJwt(claims, device, { alg: 'none' })],
  [
    'of HS256 with the bytes of the key',
    (claims, { der }) => signedText(JSON.stringify(claims), { alg: 'HS256' }, der),
  ],
  ['of RS256', claims => signedText(JSON.stringify(claims), { alg: 'RS256' }, SIGNER.privateKey)],
  [
    'without a signature',
    async (claims, device) => `${(await appJwt(claims, device)).split('.').slice(0, 2).join('.')}.`,
  ],
  ['that has expired', (claims, device) => appJwt({ ...claims, exp: NOW_SEC }, device)],
  ['of the future', (claims, device) => appJwt({ ...claims, nbf: NOW_SEC + 1 }, device)],
  ['that is none', () => 'x'],
]

function started({ call }: KeyshareOfTest, jwt: string): Promise<Answer> {
  return call('POST', '/users/verify_start', { body: { auth_request_jwt: jwt } })
}

const Start = suite('keyshare server: verify_start')

Start('the answer is a challenge of 32 bytes, which is stored first', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const claims = { id: app.userName, exp: NOW_SEC + 360 }
    const { status, text, json, headers } = await started(server, await appJwt(claims, app.device))
    assert.equal([status, headers['content-type']], [200, 'application/json; charset=UTF-8'])
    assert.match(text, /^\{"candidates":\["pin_challengeresponse"\],"challenge":"[^"]{44}"\}$/)
    const { challenge } = await rowOf(server, app.userName)
    assert.is(Object(json).challenge, Buffer.from(challenge ?? '').toString('base64'))
  })
})

Start(
  'one JWT starts as many logins as one wants until its exp, each in place of the one before',
  async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
      const first = Object((await started(server, jwt)).json).challenge
      const second = Object((await started(server, jwt)).json).challenge
      assert.is.not(first, second)
      assert.is(
        said(await answered(server, app, { challenge: first })),
        '403 UNEXPECTED_REQUEST wrong challenge',
      )
    })
  },
)

for (const [title, jwt] of FORGED)
  Start(`a JWT ${title}: 400, and nothing is pending`, async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const forged = await jwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
      const { status, json } = await started(server, forged)
      assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
      assert.is((await rowOf(server, app.userName)).version, 1)
    })
  })

Start('without an exp, or with one that is more than six minutes ahead: 400', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (const exp of [undefined, NOW_SEC + 361]) {
      const { status, json } = await started(server, await appJwt({ id: app.userName, exp }, app.device))
      assert.is(status, 400)
      assert.match(Object(json).message, /^JWT expiry may not be more than 6m0s from now/)
    }
    assert.is((await rowOf(server, app.userName)).version, 1)
  })
})

Start(
  'a body without a JWT 400, a user that is not there 403, an account without a device key 400',
  async () => {
    await withKeyshare({}, async server => {
      const device = newDevice()
      const without = await registeredWithout(server)
      const jwtOf = (id: unknown) => appJwt({ id, exp: NOW_SEC + 180 }, device)
      assert.match(
        said(await server.call('POST', '/users/verify_start', { body: {} })),
        /^400 INVALID_REQUEST auth_request_jwt/,
      )
      assert.match(
        said(await server.call('POST', '/users/verify_start', { body: '{' })),
        /^400 INVALID_REQUEST/,
      )
      const unknown = '403 USER_NOT_REGISTERED could not find specified user'
      for (const id of ['nobody', '', undefined])
        assert.is(said(await started(server, await jwtOf(id))), unknown)
      assert.match(
        said(await started(server, await jwtOf(without))),
        /^400 INVALID_REQUEST can't do challenge-response/,
      )
      assert.match(said(await started(server, await jwtOf(5))), /^400 INVALID_REQUEST id: expected a string/)
    })
  },
)

Start('the device key is held against the account again in its turn', async () => {
  const stale: { row: AccountRow | null } = { row: null }
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    accounts: withMethods(accounts, { read: async id => stale.row ?? accounts.read(id) }),
  })
  await withKeyshare({ deps }, async server => {
    const [app, other] = [await registered(server), await registered(server)]
    const challenge = await challengeFor(server, app)
    const { id } = await rowOf(server, app.userName)
    // what is read first has the key of the other
    stale.row = { ...(await rowOf(server, other.userName)), id }
    const claims = { id: app.userName, exp: NOW_SEC + 180, pin: PIN, challenge, oldpin: PIN, newpin: 'x' }
    const jwt = await appJwt(claims, other.device)
    for (const [path, member] of [
      ['/users/verify_start', 'auth_request_jwt'],
      [LOGIN, 'auth_response_jwt'],
      ['/users/change/pin', 'change_pin_jwt'],
    ] as const)
      assert.match(
        said(await server.call('POST', path, { body: { [member]: jwt } })),
        /^400 INVALID_REQUEST JWT: expected a signature with the device key of the account/,
      )
    const row = await rowOf(server, app.userName)
    assert.equal([row.version, row.attempts], [2, 0])
  })
})

Start(
  'an account whose chart knows of no device key starts no login, whatever its record holds',
  async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      await disagreeing(server, app.userName)
      const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
      assert.match(said(await started(server, jwt)), /^403 UNEXPECTED_REQUEST/)
      assert.is((await rowOf(server, app.userName)).challenge, null)
    })
  },
)

Start.run()

const Login = suite('keyshare server: login')

Login('the answer to a right PIN is an authentication JWT of 900 s; singular paths say succes', async () => {
  for (const prefix of ['', '/api/v1'])
    for (const [users, status] of [
      ['users', 'success'],
      ['user', 'succes'],
    ])
      await withKeyshare({}, async server => {
        const app = await registered(server)
        const challenge = await challengeFor(server, app)
        const path = `${prefix}/${users}/verify/pin_challengeresponse`
        const { headers, json } = await answered(server, app, { challenge }, path)
        assert.equal(Object.keys(Object(json)), ['status', 'message'])
        assert.equal(
          [Object(json).status, headers['content-type']],
          [status, 'application/json; charset=UTF-8'],
        )
        const { message } = Object(json)
        const { exp, iat, iss, sub } = Object(claimsIn(message))
        assert.equal([exp, iat, iss, sub], [NOW_SEC + 900, NOW_SEC, 'demo_keyshare_server', 'auth_tok'])
        const account = await server.accounts.findByTokenId(await tokenIdIn(message, SIGNER, NOW_SEC))
        assert.is(account?.userName, app.userName)
      })
})

Login('wrong PINs are 200: failure with the tries that are left, then error with seconds', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const answers: string[] = []
    for (const pin of [WRONG_PIN, PIN.trimEnd(), WRONG_PIN, PIN])
      answers.push(said(await loggedIn(server, app, pin)))
    assert.equal(answers, [
      '200 {"status":"failure","message":"2"}',
      '200 {"status":"failure","message":"1"}',
      '200 {"status":"error","message":"60"}',
      '200 {"status":"error","message":"60"}',
    ])
    server.clock.advance(60_000)
    assert.match(said(await loggedIn(server, app)), /^200 \{"status":"success"/)
  })
})

Login('a challenge is used once, whether the PIN was right or wrong: 409 after it', async () => {
  for (const pin of [PIN, WRONG_PIN])
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const challenge = await challengeFor(server, app)
      assert.is((await answered(server, app, { challenge, pin })).status, 200)
      const { attempts } = await rowOf(server, app.userName)
      assert.is(said(await answered(server, app, { challenge })), '409 MISSING_CHALLENGE missing challenge')
      assert.is((await rowOf(server, app.userName)).attempts, attempts)
    })
})

Login(
  'without a challenge, after a wrong one, and after six minutes: 409, and no attempt is counted',
  async () => {
    await withKeyshare({}, async server => {
      const missing = '409 MISSING_CHALLENGE missing challenge'
      const app = await registered(server)
      assert.is(said(await answered(server, app, { challenge: 'AAAA' })), missing)
      const challenge = await challengeFor(server, app)
      assert.is(
        said(await answered(server, app, { challenge: 'AAAA' })),
        '403 UNEXPECTED_REQUEST wrong challenge',
      )
      assert.is(said(await answered(server, app, { challenge })), missing)
      const late = await challengeFor(server, app)
      server.clock.advance(360_000)
      assert.is(said(await answered(server, app, { challenge: late })), missing)
      assert.is((await rowOf(server, app.userName)).attempts, 0)
    })
  },
)

Login('the challenge of another user is a wrong one, and stays with its own', async () => {
  await withKeyshare({}, async server => {
    const [app, other] = [await registered(server), await registered(server)]
    const [challenge, foreign] = [await challengeFor(server, app), await challengeFor(server, other)]
    assert.is(
      said(await answered(server, app, { challenge: foreign })),
      '403 UNEXPECTED_REQUEST wrong challenge',
    )
    assert.match(said(await answered(server, other, { challenge: foreign })), /success/)
    assert.match(said(await answered(server, app, { challenge })), /^409/)
  })
})

for (const [title, jwt] of FORGED)
  Login(`a JWT ${title}: 400, whatever the PIN; no attempt is counted, and the challenge stays`, async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const challenge = await challengeFor(server, app)
      for (const pin of [PIN, WRONG_PIN]) {
        const forged = await jwt({ id: app.userName, pin, challenge }, app.device)
        const { status, json } = await server.call('POST', LOGIN, { body: { auth_response_jwt: forged } })
        assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
      }
      assert.is((await rowOf(server, app.userName)).version, 2)
      assert.match(said(await answered(server, app, { challenge })), /success/)
    })
  })

Login(
  'a challenge or a PIN that is none, and a PIN of 65 bytes: 400, and no attempt is counted',
  async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      const challenge = await challengeFor(server, app)
      for (const claims of [
        { challenge: '!' },
        { challenge: 5 },
        { challenge, pin: 5 },
        { challenge, pin: 'x'.repeat(65) },
      ])
        assert.match(said(await answered(server, app, claims)), /^400 INVALID_REQUEST/)
      assert.equal(
        [(await rowOf(server, app.userName)).version, (await rowOf(server, app.userName)).attempts],
        [2, 0],
      )
    })
  },
)

Login('a PIN without a JWT is at the wrong endpoint: 400; a user that is not there: 403', async () => {
  await withKeyshare({}, async server => {
    const { userName, device } = await registered(server)
    const plain = await server.call('POST', LOGIN, { body: { id: userName, pin: PIN } })
    assert.match(said(plain), /^400 INVALID_REQUEST wrong endpoint/)
    const nobody = { userName: 'nobody', device }
    assert.is(
      said(await answered(server, nobody, { challenge: 'AAAA' })),
      '403 USER_NOT_REGISTERED could not find specified user',
    )
  })
})

Login('a blocked account says so before it says anything of the challenge', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (let i = 0; i < 3; i++) await loggedIn(server, app, WRONG_PIN)
    const blocked = '200 {"status":"error","message":"60"}'
    assert.is(said(await answered(server, app, { challenge: 'AAAA' })), blocked)
    const challenge = await challengeFor(server, app)
    assert.is(said(await answered(server, app, { challenge: 'AAAA' })), blocked)
    server.clock.advance(60_000)
    assert.match(said(await answered(server, app, { challenge })), /success/)
  })
})

Login('an account that was disabled while its app logged in: 403, at every call', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const challenge = await challengeFor(server, app)
    const id = hashOfToken(app.userName)
    await server.accounts.turn(id, () => ({ event: { type: 'owner.disabled', deleteAt: 0 } }))
    const unknown = '403 USER_NOT_REGISTERED could not find specified user'
    assert.is(said(await answered(server, app, { challenge })), unknown)
    const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
    assert.is(said(await started(server, jwt)), unknown)
  })
})

Login.run()
