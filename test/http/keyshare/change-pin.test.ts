/** POST /users/change/pin (spec/interface#4.5, #5.4; spec/keyshare-server#10, spec/decisions#k4). @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, newDevice } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import {
  type App,
  answered,
  challengeFor,
  disagreeing,
  headersOf,
  loggedIn,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  said,
  WRONG_PIN,
} from './app.ts'
import { type KeyshareOfTest, withKeyshare } from './harness.ts'

const NEW_PIN = 'the new PIN\n'

/** @param claims replace the right ones */
async function changed(
  server: KeyshareOfTest,
  app: App,
  claims: object = {},
  path?: string,
): Promise<Answer> {
  return sent(server, await changeJwt(app, claims), path)
}

function changeJwt({ userName: id, device }: App, claims: object = {}): Promise<string> {
  return appJwt({ id, oldpin: PIN, newpin: NEW_PIN, ...claims }, device)
}

function sent({ call }: KeyshareOfTest, jwt: string, path = '/users/change/pin'): Promise<Answer> {
  return call('POST', path, { body: { id: '', oldpin: '', newpin: '', change_pin_jwt: jwt } })
}

const ChangePin = suite('keyshare server: change of PIN')

ChangePin('success, with an empty message on the plural paths and none on the singular ones', async () => {
  for (const prefix of ['', '/api/v1'])
    for (const [users, body] of [
      ['users', '200 {"status":"success","message":""}'],
      ['user', '200 {"status":"success"}'],
    ])
      await withKeyshare({}, async server => {
        const app = await registered(server)
        assert.is(said(await changed(server, app, {}, `${prefix}/${users}/change/pin`)), body)
        assert.match(said(await loggedIn(server, app, NEW_PIN)), /success/)
        assert.is(said(await loggedIn(server, app)), '200 {"status":"failure","message":"2"}')
      })
})

ChangePin('all earlier authentication JWTs end, and so do the pending challenge and commitment', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const headers = await headersOf(server, app)
    const keys = { headers, body: ['svc-demo.gov-0'] }
    assert.is((await server.call('POST', '/prove/getCommitments', keys)).status, 200)
    const challenge = await challengeFor(server, app)
    const { seenAt } = await rowOf(server, app.userName)
    server.clock.advance(1_000)
    await changed(server, app)
    assert.match(
      said(await server.call('POST', '/prove/getCommitments', keys)),
      /^400 INVALID_REQUEST invalid jwt token/,
    )
    assert.match(
      said(await server.call('POST', '/prove/getResponse', { headers, body: '5' })),
      /^400 INVALID_REQUEST Invalid authorization/,
    )
    assert.match(said(await answered(server, app, { challenge, pin: NEW_PIN })), /^409 MISSING_CHALLENGE/)
    assert.is((await rowOf(server, app.userName)).seenAt, seenAt, 'a change of PIN is no use of the account')
    const fresh = await headersOf(server, app, NEW_PIN)
    assert.match(
      said(await server.call('POST', '/prove/getResponse', { headers: fresh, body: '5' })),
      /^409 MISSING_COMMITMENT/,
    )
  })
})

ChangePin(
  'a wrong old PIN counts like one at a login; the activity log has only the attempts that were refused',
  async () => {
    await withKeyshare({}, async server => {
      const app = await registered(server)
      assert.is(said(await loggedIn(server, app, WRONG_PIN)), '200 {"status":"failure","message":"2"}')
      for (const answer of ['failure","message":"1', 'error","message":"60', 'error","message":"60'])
        assert.is(said(await changed(server, app, { oldpin: WRONG_PIN })), `200 {"status":"${answer}"}`)
      assert.is(
        said(await changed(server, app)),
        '200 {"status":"error","message":"60"}',
        'the right PIN is not compared',
      )
      const log = await server.store.accounts.log(hashOfToken(app.userName), 0, 9)
      assert.equal(log.map(({ event }) => event).reverse(), [
        'PIN_CHECK_FAILED',
        'PIN_CHECK_REFUSED',
        'PIN_CHECK_REFUSED',
      ])
      server.clock.advance(60_000)
      assert.match(said(await changed(server, app)), /success/)
      assert.is((await rowOf(server, app.userName)).attempts, 0)
    })
  },
)

ChangePin('a JWT of another device is 400, and of an unknown user 403; no attempt is counted', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (const oldpin of [PIN, WRONG_PIN])
      assert.match(
        said(await changed(server, { ...app, device: newDevice() }, { oldpin })),
        /^400 INVALID_REQUEST JWT: expected a signature/,
      )
    assert.match(said(await changed(server, { ...app, userName: 'nobody' })), /^403 USER_NOT_REGISTERED/)
    const malformed = { body: { change_pin_jwt: 'x' } }
    assert.match(said(await server.call('POST', '/users/change/pin', malformed)), /^400 INVALID_REQUEST JWT/)
    assert.match(said(await server.call('POST', '/users/change/pin', { body: '{' })), /^400 INVALID_REQUEST/)
    assert.is((await rowOf(server, app.userName)).version, 1)
  })
})

ChangePin('a new PIN of 65 bytes is refused before the old one is compared', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    for (const oldpin of [PIN, WRONG_PIN])
      assert.match(
        said(await changed(server, app, { oldpin, newpin: 'x'.repeat(65) })),
        /^400 INVALID_REQUEST pin too long/,
      )
    assert.is((await rowOf(server, app.userName)).version, 1)
  })
})

ChangePin('without a JWT, as in the previous protocol: only for accounts without a device key', async () => {
  await withKeyshare({}, async server => {
    const { userName } = await registered(server)
    const without = await registeredWithout(server)
    const body = { id: '', oldpin: PIN, newpin: NEW_PIN }
    for (const oldpin of [PIN, WRONG_PIN]) {
      const refused = await server.call('POST', '/users/change/pin', {
        body: { ...body, id: userName, oldpin },
      })
      assert.match(said(refused), /^403 UNEXPECTED_REQUEST challenge-response authentication required/)
    }
    assert.is((await rowOf(server, userName)).version, 1)
    const wrong = await server.call('POST', '/users/change/pin', {
      body: { ...body, id: without, oldpin: 'x' },
    })
    assert.is(said(wrong), '200 {"status":"failure","message":"2"}')
    const right = await server.call('POST', '/users/change/pin', { body: { ...body, id: without } })
    assert.is(said(right), '200 {"status":"success","message":""}')
    const login = (pin: string) => server.call('POST', '/users/verify/pin', { body: { id: without, pin } })
    assert.equal(
      [Object((await login(NEW_PIN)).json).status, Object((await login(PIN)).json).status],
      ['success', 'failure'],
    )
    const nobody = await server.call('POST', '/users/change/pin', { body: { ...body, id: 'nobody' } })
    assert.match(said(nobody), /^403 USER_NOT_REGISTERED/)
  })
})

ChangePin('a signed change for an account without a device key: 400', async () => {
  await withKeyshare({}, async server => {
    const userName = await registeredWithout(server)
    const answer = await changed(server, { userName, device: newDevice() })
    assert.match(said(answer), /^400 INVALID_REQUEST .*no public key associated to account/)
  })
})

ChangePin('an attempt that the chart refuses is answered with 409, not as a wrong PIN', async () => {
  await withKeyshare({ binding: 'read' }, async server => {
    const app = await registered(server)
    const without = await registeredWithout(server)
    const before = [await disagreeing(server, app.userName), await disagreeing(server, without)]
    for (const pin of [PIN, WRONG_PIN]) {
      const body = { id: without, pin, oldpin: pin, newpin: NEW_PIN }
      for (const answer of [
        await changed(server, app, { oldpin: pin }),
        await server.call('POST', '/users/change/pin', { body }),
        await server.call('POST', '/users/verify/pin', { body }),
      ])
        assert.match(said(answer), /^409 MISSING_CHALLENGE the account does not accept a PIN now/)
    }
    assert.equal([await rowOf(server, app.userName), await rowOf(server, without)], before)
  })
})

const CHANGED = '200 {"status":"success","message":""}'

ChangePin('a repeated call gets the same answer at every node for 90 s, and is not counted', async () => {
  const store = createMemoryStore()
  await withKeyshare({ store }, async first => {
    await withKeyshare({ store, clock: first.clock }, async second => {
      const app = await registered(first)
      const jwt = await changeJwt(app)
      assert.is(said(await sent(first, jwt)), CHANGED)
      const row = await rowOf(first, app.userName)
      for (const server of [first, second]) assert.is(said(await sent(server, jwt)), CHANGED)
      first.clock.advance(90_000)
      assert.is(said(await sent(second, jwt, '/user/change/pin')), '200 {"status":"success"}')
      assert.equal(await rowOf(first, app.userName), row)
      first.clock.advance(1)
      assert.is(said(await sent(second, jwt)), '200 {"status":"failure","message":"2"}')
    })
  })
})

ChangePin('another call with the same PINs is no repetition, nor is one after the next change', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const jwt = await changeJwt(app)
    assert.is(said(await sent(server, jwt)), CHANGED)
    assert.is(said(await changed(server, app)), '200 {"status":"failure","message":"2"}')
    assert.is(said(await changed(server, app, { oldpin: NEW_PIN, newpin: 'a third PIN' })), CHANGED)
    assert.is(said(await sent(server, jwt)), '200 {"status":"failure","message":"2"}')
  })
})

ChangePin('a repetition that arrives while the first call is handled gets its answer', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const jwt = await changeJwt(app)
    const answers = await Promise.all([1, 2, 3, 4].map(() => sent(server, jwt)))
    assert.equal(answers.map(said), [CHANGED, CHANGED, CHANGED, CHANGED])
    const { attempts, blockedUntil } = await rowOf(server, app.userName)
    assert.equal([attempts, blockedUntil], [0, 0])
  })
})

ChangePin('a repetition is answered while the account is blocked, but not once it is disabled', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const jwt = await changeJwt(app)
    await sent(server, jwt)
    for (let i = 0; i < 3; i++) await loggedIn(server, app, WRONG_PIN)
    assert.is(said(await sent(server, jwt)), CHANGED)
    const event = { type: 'owner.disabled', deleteAt: server.clock.now() + 1_000 } as const
    await server.accounts.turn(hashOfToken(app.userName), () => ({ event }))
    assert.match(said(await sent(server, jwt)), /^403 USER_NOT_REGISTERED/)
  })
})

ChangePin('a repetition without a JWT, as in the previous protocol, gets the answer, too', async () => {
  await withKeyshare({}, async server => {
    const id = await registeredWithout(server)
    const body = { id, oldpin: PIN, newpin: NEW_PIN }
    for (let i = 0; i < 2; i++)
      assert.is(said(await server.call('POST', '/users/change/pin', { body })), CHANGED)
    server.clock.advance(90_001)
    assert.match(said(await server.call('POST', '/users/change/pin', { body })), /failure/)
  })
})

ChangePin.run()
