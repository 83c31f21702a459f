/** The login of the previous protocol, and the registration of a device key for such an account (spec/interface#9.5; spec/keyshare-server#4.3, #6.5). There is no
 *  recording of a successful call, so the tests follow the specification. @module */
import * as assert from 'uvu/assert'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, type Device, NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import {
  base64,
  challengeFor,
  loggedIn,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  said,
  WRONG_PIN,
} from './app.ts'
import { type KeyshareOfTest, withKeyshare } from './harness.ts'

const UNKNOWN = '403 USER_NOT_REGISTERED could not find specified user'

async function eventsOf({ store }: KeyshareOfTest, userName: string) {
  return (await store.accounts.log(hashOfToken(userName), 0, 99)).map(({ event }) => event).reverse()
}

const Plain = suite('keyshare server: login without a device key')

function plainLogin(
  { call }: KeyshareOfTest,
  id: string,
  pin = PIN,
  path = '/users/verify/pin',
): Promise<Answer> {
  return call('POST', path, { body: { id, pin } })
}

Plain('the answers are those of a login with a challenge', async () => {
  for (const prefix of ['', '/api/v1'])
    for (const [users, status] of [
      ['users', 'success'],
      ['user', 'succes'],
    ])
      await withKeyshare({}, async server => {
        const id = await registeredWithout(server)
        const path = `${prefix}/${users}/verify/pin`
        assert.is(
          said(await plainLogin(server, id, WRONG_PIN, path)),
          '200 {"status":"failure","message":"2"}',
        )
        const { json } = await plainLogin(server, id, PIN, path)
        assert.is(Object(json).status, status)
        const headers = { 'X-Svc-Keyshare-Username': id, Authorization: Object(json).message }
        const body = ['svc-demo.gov-0']
        assert.is((await server.call('POST', '/prove/getCommitments', { headers, body })).status, 200)
        assert.equal(await eventsOf(server, id), ['PIN_CHECK_FAILED', 'PIN_CHECK_SUCCESS'])
      })
})

Plain('an account with a device key: 403 for the right PIN and for a wrong one, blocked or not', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const refused = async () => {
      const before = await rowOf(server, app.userName)
      for (const pin of [PIN, WRONG_PIN])
        assert.match(
          said(await plainLogin(server, app.userName, pin)),
          /^403 UNEXPECTED_REQUEST challenge-response authentication required/,
        )
      assert.equal(await rowOf(server, app.userName), before)
    }
    await refused()
    for (let i = 0; i < 3; i++) await loggedIn(server, app, WRONG_PIN)
    await refused()
  })
})

Plain(
  'a JWT, which belongs to another endpoint, and a PIN that is too long: 400; an unknown user: 403',
  async () => {
    await withKeyshare({}, async server => {
      const id = await registeredWithout(server)
      const body = { auth_response_jwt: await appJwt({ id }, newDevice()) }
      assert.match(
        said(await server.call('POST', '/users/verify/pin', { body })),
        /^400 INVALID_REQUEST wrong endpoint/,
      )
      assert.match(said(await plainLogin(server, id, 'x'.repeat(65))), /^400 INVALID_REQUEST pin too long/)
      assert.is(said(await plainLogin(server, 'nobody')), UNKNOWN)
      assert.is((await rowOf(server, id)).version, 1)
    })
  },
)

Plain.run()

const Key = suite('keyshare server: registration of a device key')

async function keyRegistered(
  { call }: KeyshareOfTest,
  id: string,
  device: Device,
  claims: object = {},
  path = '/users/register_publickey',
): Promise<Answer> {
  const jwt = await appJwt({ id, pin: PIN, publickey: base64(device.der), ...claims }, device)
  return call('POST', path, { body: { jwt } })
}

Key('the registration of a key is a login, and from then on only the device logs in', async () => {
  for (const prefix of ['', '/api/v1'])
    for (const [users, status] of [
      ['users', 'success'],
      ['user', 'succes'],
    ])
      await withKeyshare({}, async server => {
        const userName = await registeredWithout(server)
        const device = newDevice()
        const before = server.accounts.secretsOf(await rowOf(server, userName))
        const path = `${prefix}/${users}/register_publickey`
        const { json } = await keyRegistered(server, userName, device, {}, path)
        assert.is(Object(json).status, status)
        const after = server.accounts.secretsOf(await rowOf(server, userName))
        assert.equal(after, { ...before, deviceKey: new Uint8Array(device.der) }, 'the token id is kept')
        assert.match(said(await plainLogin(server, userName)), /^403 UNEXPECTED_REQUEST/)
        assert.match(said(await loggedIn(server, { userName, device })), /success/)
      })
})

Key(
  'a wrong PIN counts like one at a login, and stores no key; the activity log has only refused attempts',
  async () => {
    await withKeyshare({}, async server => {
      const userName = await registeredWithout(server)
      const device = newDevice()
      await plainLogin(server, userName, WRONG_PIN)
      for (const answer of ['failure","message":"1', 'error","message":"60', 'error","message":"60'])
        assert.is(
          said(await keyRegistered(server, userName, device, { pin: WRONG_PIN })),
          `200 {"status":"${answer}"}`,
        )
      assert.equal(await eventsOf(server, userName), ['PIN_CHECK_FAILED', 'PIN_CHECK_REFUSED'])
      assert.is(server.accounts.secretsOf(await rowOf(server, userName)).deviceKey, null)
      server.clock.advance(60_000)
      assert.match(said(await keyRegistered(server, userName, device)), /success/)
      assert.is((await rowOf(server, userName)).attempts, 0)
    })
  },
)

Key('a registered key is never replaced: 500 with any PIN, and nothing is counted', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const before = await rowOf(server, app.userName)
    for (const pin of [PIN, WRONG_PIN])
      assert.match(
        said(await keyRegistered(server, app.userName, newDevice(), { pin })),
        /^500 INTERNAL_ERROR user already has public key/,
      )
    assert.equal(await rowOf(server, app.userName), before)
    assert.ok(await challengeFor(server, app))
  })
})

Key('the key that is already registered gives no login: 500, and a wrong PIN counts', async () => {
  await withKeyshare({}, async server => {
    const userName = await registeredWithout(server)
    const device = newDevice()
    await keyRegistered(server, userName, device)
    const { tokenIdHash } = await rowOf(server, userName)
    const again = async (pin: string) => said(await keyRegistered(server, userName, device, { pin }))
    assert.is(await again(WRONG_PIN), '200 {"status":"failure","message":"2"}')
    assert.match(await again(PIN), /^500 INTERNAL_ERROR user already has public key/)
    const row = await rowOf(server, userName)
    assert.equal([row.tokenIdHash, row.attempts], [tokenIdHash, 0])
    assert.match(said(await loggedIn(server, { userName, device })), /success/)
  })
})

Key(
  'a JWT that is expired or not signed by its own key is 400, no JWT is 400, and an unknown user is 403',
  async () => {
    await withKeyshare({}, async server => {
      const userName = await registeredWithout(server)
      const device = newDevice()
      const foreign = { publickey: base64(newDevice().der) }
      for (const claims of [foreign, { exp: NOW_SEC }, { publickey: undefined }, { pin: 5 }, { id: 5 }])
        assert.match(said(await keyRegistered(server, userName, device, claims)), /^400 INVALID_REQUEST/)
      for (const body of ['{', {}, { jwt: 'x' }])
        assert.match(
          said(await server.call('POST', '/users/register_publickey', { body })),
          /^400 INVALID_REQUEST/,
        )
      assert.is(said(await keyRegistered(server, 'nobody', device)), UNKNOWN)
      assert.is((await rowOf(server, userName)).version, 1)
    })
  },
)

Key(
  'two devices at once: one is registered, and the answer to the other is not that of a wrong PIN',
  async () => {
    await withKeyshare({}, async server => {
      const userName = await registeredWithout(server)
      const answers = await Promise.all([1, 2].map(() => keyRegistered(server, userName, newDevice())))
      const statuses = answers.map(({ status }) => status).sort()
      assert.is(statuses[0], 200)
      assert.ok(statuses[1] === 500 || statuses[1] === 409, String(statuses))
    })
  },
)

Key.run()
