/** POST /users/verify_start (spec/interface#4.5, #5.4; spec/keyshare-server#6.1, #6.2). @module */
import * as assert from 'uvu/assert'
import type { AccountRow } from '../../../stores/account-store.ts'
import { appJwt, NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import {
  answered,
  challengeFor,
  disagreeing,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  said,
} from './app.ts'
import { type KeyshareOfTest, withKeyshare, withMethods } from './harness.ts'

const LOGIN = '/users/verify/pin_challengeresponse'

import { FORGED } from './forged.ts'

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
    assert.is(challenge?.length, 32)
    assert.is(Object(json).challenge, Buffer.from(challenge ?? '').toString('base64'))
  })
})

Start('one JWT may start any number of logins until its exp, and each replaces the one before', async () => {
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
})

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
  'a body without a JWT is 400, an unknown user 403, and an account without a device key 400',
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

Start('the device key is checked again in the turn of the account', async () => {
  const stale: { row: AccountRow | null } = { row: null }
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    accounts: withMethods(accounts, { read: async id => stale.row ?? accounts.read(id) }),
  })
  await withKeyshare({ deps, binding: 'read' }, async server => {
    const [app, other] = [await registered(server), await registered(server)]
    const challenge = await challengeFor(server, app)
    const { id } = await rowOf(server, app.userName)
    // the first read returns a row with the device key of the other account
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
  'an account without a device key in its chart starts no login, even if its record contains one',
  async () => {
    await withKeyshare({ binding: 'read' }, async server => {
      const app = await registered(server)
      await disagreeing(server, app.userName)
      const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
      assert.match(said(await started(server, jwt)), /^403 UNEXPECTED_REQUEST/)
      assert.is((await rowOf(server, app.userName)).challenge, null)
    })
  },
)

Start('an account that is deleted while a call about it is handled: 403', async () => {
  let isGone = false
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    accounts: withMethods(accounts, {
      turn: async (...asked) => (isGone ? null : accounts.turn(...asked)),
    }),
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    const challenge = await challengeFor(server, app)
    const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
    isGone = true
    for (const answer of [await started(server, jwt), await answered(server, app, { challenge })])
      assert.is(said(answer), '403 USER_NOT_REGISTERED could not find specified user')
  })
})

Start.run()
