/** POST /users/verify/pin_challengeresponse (spec/interface#4.5, #5.4; spec/keyshare-server#6.3, spec/decisions#k2, #k3, #k11). @module */
import * as assert from 'uvu/assert'
import { tokenIdIn } from '../../../accounts/server-jwts.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, NOW_SEC } from '../../accounts/jwts.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import { answered, challengeFor, loggedIn, PIN, registered, rowOf, said, WRONG_PIN } from './app.ts'
import { FORGED } from './forged.ts'
import { type KeyshareOfTest, SIGNER, withKeyshare } from './harness.ts'

const LOGIN = '/users/verify/pin_challengeresponse'

function started({ call }: KeyshareOfTest, jwt: string): Promise<Answer> {
  return call('POST', '/users/verify_start', { body: { auth_request_jwt: jwt } })
}

const Login = suite('keyshare server: login')

Login('the answer to a right PIN is an authentication JWT of 900 s; singular paths: succes', async () => {
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

Login('wrong PINs are 200: failure with the number of tries left, then error with seconds', async () => {
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
  'without a challenge, after a wrong answer to it, and after six minutes: 409, and no attempt is counted',
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

Login('the challenge of another user is a wrong one, and stays valid for that user', async () => {
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
  Login(`a JWT ${title}: 400 with any PIN; no attempt is counted, and the challenge stays`, async () => {
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

Login('an invalid challenge or PIN, and a PIN of 65 bytes: 400, and no attempt is counted', async () => {
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
})

Login('a PIN without a JWT belongs to another endpoint: 400; an unknown user: 403', async () => {
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

Login('a login ignores the headers of logged-in users, empty or with any value', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (const [name, token] of [
      ['', ''],
      ['nobody', 'Bearer '],
      [(await registered(server)).userName, 'a.b.c'],
    ]) {
      const headers = { 'X-Svc-Keyshare-Username': name ?? '', Authorization: token ?? '' }
      const call: KeyshareOfTest['call'] = (method, path, asked) =>
        server.call(method, path, { ...asked, headers })
      assert.match(said(await loggedIn({ ...server, call }, app)), /^200 \{"status":"success"/)
    }
  })
})

Login('the answer for a blocked account comes before any check of the challenge', async () => {
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
