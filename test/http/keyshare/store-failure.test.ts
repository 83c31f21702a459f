/** A store of accounts that fails: every endpoint that needs it answers 503, never that a PIN is wrong (spec/decisions#errors). @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { AccountsStore } from '../../../stores/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { appJwt, NOW_SEC } from '../../accounts/jwts.ts'
import { deferred, settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import {
  base64,
  challengeFor,
  headersOf,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  WRONG_PIN,
} from './app.ts'
import { type KeyshareOfTest, withKeyshare, withMethods } from './harness.ts'

/** A store that fails after a number of loads or commits, which the test sets. */
function failing() {
  const store = createMemoryStore()
  const state = {
    loads: Number.POSITIVE_INFINITY,
    commits: Number.POSITIVE_INFINITY,
    error: new StoreError('store /secret/path: failed') as Error,
  }
  const accounts = new Proxy(store.accounts, {
    get(target, name) {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]) =>
        name === 'load' && state.loads-- <= 0 ? Promise.reject(state.error) : method.apply(target, args)
    },
  })
  const wrapped: AccountsStore = {
    accounts,
    deliveries: store.deliveries,
    nodes: store.nodes,
    subscribe: listener => store.subscribe(listener),
    close: () => store.close(),
    commit: commit => (state.commits-- <= 0 ? Promise.reject(state.error) : store.commit(commit)),
  }
  return { state, store: wrapped }
}

type CallOf = readonly [
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  commits: number,
]

/** Every valid call that commits, with the number of its commits. */
async function callsOf(
  server: KeyshareOfTest,
  pin: string,
): Promise<{ readonly calls: readonly CallOf[]; readonly users: readonly string[] }> {
  const app = await registered(server)
  const without = await registeredWithout(server)
  const headers = await headersOf(server, app)
  const { userName: id, device } = app
  const jwt = (claims: object) => appJwt(claims, device)
  const publickey = base64(device.der)
  await server.call('POST', '/prove/getCommitments', { headers, body: ['svc-demo.gov-0'] })
  const challenge = await challengeFor(server, app)
  const calls: readonly CallOf[] = [
    ['/client/register', { enrollment_jwt: await jwt({ pin, publickey }) }, {}, 1],
    ['/users/verify/pin_challengeresponse', { auth_response_jwt: await jwt({ id, pin, challenge }) }, {}, 2],
    ['/users/verify_start', { auth_request_jwt: await jwt({ id, exp: NOW_SEC + 180 }) }, {}, 1],
    ['/users/verify/pin', { id: without, pin }, {}, 2],
    ['/prove/getResponse', '5', headers, 1],
    ['/prove/getCommitments', ['svc-demo.gov-0'], headers, 1],
    [
      '/users/change/pin',
      { change_pin_jwt: await jwt({ id, oldpin: pin, newpin: pin }) },
      {},
      pin === PIN ? 2 : 1,
    ],
    [
      '/users/register_publickey',
      { jwt: await jwt({ id: without, pin, publickey }) },
      {},
      pin === PIN ? 2 : 1,
    ],
  ]
  return { calls, users: [id, without] }
}

const Failing = suite('keyshare server: a store that fails')

for (const pin of [PIN, WRONG_PIN])
  Failing(
    `503 with Retry-After for a failure of any commit, with a ${pin === PIN ? 'right' : 'wrong'} PIN`,
    async () => {
      const { state, store } = failing()
      await withKeyshare({ store }, async server => {
        for (const [path, body, headers, commits] of (await callsOf(server, pin)).calls)
          for (let last = 0; last < commits; last++) {
            if (path.includes('challengeresponse') && last > 0) continue // the first try has used up the challenge
            state.commits = last
            const answer = await server.call('POST', path, { headers, body })
            state.commits = Number.POSITIVE_INFINITY
            assert.equal(
              [answer.status, answer.headers['retry-after']],
              [503, '2'],
              `${path}, commit ${last + 1}`,
            )
          }
        assert.equal(
          server.log.filter(line => JSON.parse(line).level >= 50),
          [],
          'the log line of the store has the reason',
        )
      })
    },
  )

Failing('503 if accounts cannot be read, also for calls that only read', async () => {
  const { state, store } = failing()
  await withKeyshare({ store }, async server => {
    const { calls } = await callsOf(server, PIN)
    const [, , , , , [, , headers]] = calls as readonly [CallOf, CallOf, CallOf, CallOf, CallOf, CallOf]
    state.loads = 0
    const reading = [
      ...calls.filter(([path]) => path !== '/client/register'),
      ['/api/v2/prove/getPs', ['svc-demo.gov-0'], headers, 0] as const,
    ]
    for (const [path, body, headers] of reading) {
      const answer = await server.call('POST', path, { headers, body })
      assert.equal([answer.status, answer.headers['retry-after']], [503, '2'], path)
    }
    assert.is((await server.call('GET', '/users/renewKeyshareAttribute', { headers })).status, 503)
    assert.is((await server.call('GET', '/health')).status, 200)
  })
})

Failing('a login whose outcome could not be stored has used up its attempt', async () => {
  const { state, store } = failing()
  await withKeyshare({ store }, async server => {
    const without = await registeredWithout(server)
    const body = { id: without, pin: PIN }
    state.commits = 1
    assert.is((await server.call('POST', '/users/verify/pin', { body })).status, 503)
    state.commits = Number.POSITIVE_INFINITY
    assert.is((await rowOf(server, without)).attempts, 1)
  })
})

Failing('a commitment gets no response if its commit may have failed: the app begins again', async () => {
  const { state, store } = failing()
  await withKeyshare({ store }, async server => {
    const headers = await headersOf(server, await registered(server))
    const commit = store.commit
    await server.call('POST', '/prove/getCommitments', { headers, body: ['svc-demo.gov-0'] })
    Object.assign(store, {
      async commit(each: Parameters<typeof commit>[0]) {
        await commit(each)
        throw state.error // stored, but the caller gets an error
      },
    })
    assert.is((await server.call('POST', '/prove/getResponse', { headers, body: '5' })).status, 503)
    Object.assign(store, { commit })
    assert.is((await server.call('POST', '/prove/getResponse', { headers, body: '5' })).status, 409)
  })
})

Failing('a bug of this server is answered with 500 without details, and is an error in the log', async () => {
  const { state, store } = failing()
  await withKeyshare({ store }, async server => {
    const without = await registeredWithout(server)
    state.error = new TypeError('a bug')
    state.commits = 0
    const { status, text } = await server.call('POST', '/users/verify/pin', {
      body: { id: without, pin: PIN },
    })
    assert.equal(
      [status, text],
      [500, '{"status":500,"error":"INTERNAL_ERROR","description":"Internal server error"}'],
    )
    assert.is(server.log.filter(line => JSON.parse(line).level >= 50).length, 1)
  })
})

async function damaged(server: KeyshareOfTest, user: string, damage: (record: Buffer) => void) {
  const row = await rowOf(server, user)
  const record = Buffer.from(row.record ?? '')
  damage(record)
  const changed = { ...row, record, version: row.version + 1 }
  await server.store.commit({ account: { id: row.id, version: row.version, row: changed } })
  return changed
}

Failing(
  'a record that is damaged, or sealed with an unknown key, is 500 at every call, never a wrong PIN',
  async () => {
    const damages: readonly (readonly [what: RegExp, damage: (record: Buffer) => void])[] = [
      [/Key identifier unknown: expected the storage key with number 6/, record => record.writeUInt32LE(6)],
      [
        /expected bytes that storage key 7 sealed/,
        record => record.writeUInt8((record.at(-1) ?? 0) ^ 1, record.length - 1),
      ],
    ]
    for (const [what, damage] of damages)
      await withKeyshare({}, async server => {
        const { calls, users } = await callsOf(server, PIN)
        const before = await Promise.all(users.map(user => damaged(server, user, damage)))
        const logged = server.log.length
        for (const [path, body, headers] of calls.filter(([path]) => path !== '/client/register')) {
          const { status, text } = await server.call('POST', path, { headers, body })
          assert.equal(
            [status, text],
            [500, '{"status":500,"error":"INTERNAL_ERROR","description":"Internal server error"}'],
            path,
          )
        }
        const errors = server.log.slice(logged).filter(line => JSON.parse(line).level >= 50)
        assert.equal(
          errors.map(line => what.test(line)),
          calls.slice(1).map(() => true),
          errors.join(),
        )
        assert.equal(await Promise.all(users.map(user => rowOf(server, user))), before, 'nothing is counted')
      })
  },
)

Failing('a call that takes longer than 4 s is answered with 503 and Retry-After', async () => {
  const state = { asked: () => {}, isHanging: false }
  const hang = (): Promise<never> => {
    state.asked()
    return new Promise(() => {})
  }
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    accounts: withMethods(accounts, {
      read: id => (state.isHanging ? hang() : accounts.read(id)),
      register: account => (state.isHanging ? hang() : accounts.register(account)),
    }),
  })
  await withKeyshare({ deps }, async server => {
    const { calls } = await callsOf(server, PIN)
    const [, , , , , [, , headers]] = calls as readonly [CallOf, CallOf, CallOf, CallOf, CallOf, CallOf]
    state.isHanging = true
    const all = [...calls, ['/users/renewKeyshareAttribute', undefined, headers] as const]
    for (const [path, body, headers] of all) {
      const { promise, resolve } = deferred()
      state.asked = resolve
      const answer = server.call(body === undefined ? 'GET' : 'POST', path, { headers, body })
      await promise
      server.clock.advance(3_999)
      assert.is(
        await Promise.race([answer.then(() => 'answered'), settle().then(() => 'waiting')]),
        'waiting',
      )
      server.clock.advance(1)
      const { status, headers: got } = await answer
      assert.equal([status, got['retry-after']], [503, '2'], path)
    }
  })
})

Failing.run()
