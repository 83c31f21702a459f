/** The whole way of a wallet through a keyshare server that is built from its settings. The wallet registers, gets its login credential from the embedded session server, and
 *  renews it. */
import * as assert from 'uvu/assert'
import type { Sessions } from '../../../actors/sessions.ts'
import { changePin } from '../../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { withMethods } from '../../http/keyshare/harness.ts'
import { suite } from '../../suite.ts'
import { idlePool } from '../node-of-test.ts'
import { depsOf, emptyWallet, type NodeOfTest, PIN, registeredWallet, SCHEME, startNode } from './node.ts'

const DAY_MS = 24 * 3_600_000

async function withNode(node: Promise<NodeOfTest>, use: (node: NodeOfTest) => Promise<void>): Promise<void> {
  const { close, ...started } = await node
  try {
    await use({ ...started, close })
  } finally {
    await close()
  }
}

/** The clock of the system. A test can set it forward. */
function movableClock() {
  const system = createSystemClock()
  const time = { aheadMs: 0 }
  const wallNow = (): number => system.wallNow() + time.aheadMs
  return { time, clock: { ...system, now: () => system.now() + time.aheadMs, wallNow } }
}

/** A store that counts its commits of sessions and accounts. */
function countingStore() {
  const store = createMemoryStore()
  let committed = 0
  store.subscribe(() => void committed++)
  return { store, commits: () => committed }
}

async function plainRegistration({ url }: NodeOfTest): Promise<Response> {
  return fetch(`${url}client/register`, { method: 'POST', body: JSON.stringify({ pin: PIN }) })
}

const Whole = suite('a keyshare server with its embedded session server (spec/keyshare-server#5)')

for (const profile of ['svc', 'irma'])
  Whole(`a wallet registers, and its login credential contains its user name: profile ${profile}`, () =>
    withNode(startNode({ profile }), async ({ port, store }) => {
      const { wallet, deps } = await registeredWallet(port)
      const [account, ...others] = wallet.accounts()
      assert.equal([account?.profile, others], [profile, []])
      const userName = account?.userName ?? ''
      assert.match(userName, /^[a-zA-Z0-9]{12}$/)
      assert.equal(
        wallet.credentials().map(({ type, attributes }) => [type, attributes]),
        [
          [
            'svc-keyshare.keyshare.keyshare',
            [{ id: 'svc-keyshare.keyshare.keyshare.username', value: userName }],
          ],
        ],
      )
      assert.is((await store.accounts.load(hashOfToken(userName)))?.userName, userName)
      assert.equal(await changePin(deps, { oldPin: PIN, newPin: '54321' }), { status: 'success' })
    }),
  )

Whole('two registrations are two accounts', () =>
  withNode(startNode(), async ({ port }) => {
    const [one, two] = [await registeredWallet(port), await registeredWallet(port)]
    assert.is.not(one.wallet.accounts()[0]?.userName, two.wallet.accounts()[0]?.userName)
  }),
)

Whole('the account is stored before the session of its credential begins', async () => {
  const store = createMemoryStore()
  const committed: string[] = []
  const stop = store.subscribe(id => void committed.push(id))
  let storedBefore: unknown = null
  const instead = {
    store,
    sessions: (sessions: Sessions) =>
      withMethods(sessions, {
        open: async () => {
          storedBefore = await store.accounts.load(committed[0] ?? '')
          throw new Error('no session begins')
        },
      }),
  }
  const log = { info() {}, warn() {}, error() {} }
  await withNode(startNode({}, { instead, log }), async node => {
    assert.is((await plainRegistration(node)).status, 500)
    assert.is(Object(storedBefore).version, 1)
  })
  stop()
})

Whole('the endpoints of requestors do not exist, with or without the prefix of the profile', () =>
  withNode(startNode(), async ({ url }) => {
    const calls = [
      'POST session',
      'GET publickey',
      'POST revocation',
      'GET session/aaaaaaaaaaaaaaaaaaaa/result',
    ]
    for (const [method, path] of calls.map(call => call.split(' '))) {
      const answer = await fetch(`${url}${path}`, { method: method ?? '' })
      assert.is(answer.status, 404, path)
      assert.is(Object(await answer.json()).error, 'INVALID_REQUEST')
    }
    const below = await fetch(`${url}irma/session`, { method: 'POST', body: '{}' })
    assert.is(below.status, 404)
  }),
)

Whole(
  'the login credential is renewed in its last month, in a session that discloses the old one',
  async () => {
    const { time, clock } = movableClock()
    await withNode(startNode({}, { clock }), async ({ port }) => {
      const { wallet, deps } = await registeredWallet(port, { clock })
      const askPin = async (): Promise<string> => PIN
      const expiries = () => wallet.credentials().map(({ expiresAtSec }) => expiresAtSec)
      const [first = 0] = expiries()
      time.aheadMs = 300 * DAY_MS
      assert.equal(await unlock(deps, SCHEME, askPin), { status: 'success' })
      assert.equal(expiries(), [first])
      time.aheadMs = 350 * DAY_MS
      assert.equal(await unlock(deps, SCHEME, askPin), { status: 'success' })
      assert.ok(Math.max(...expiries()) > first)
    })
  },
)

Whole('a login credential that has expired is renewed, too', async () => {
  const { time, clock } = movableClock()
  await withNode(startNode({}, { clock }), async ({ port }) => {
    const { wallet, deps } = await registeredWallet(port, { clock })
    time.aheadMs = 400 * DAY_MS
    assert.ok(wallet.credentials().every(({ isExpired }) => isExpired))
    assert.equal(await unlock(deps, SCHEME, async () => PIN), { status: 'success' })
    assert.ok(wallet.credentials().some(({ isExpired }) => !isExpired))
  })
})

Whole('requests have devMode, except those of a production server', async () => {
  const instead = { store: createMemoryStore() }
  for (const production of [false, true]) {
    const values = { production, url: 'https://keyshare.example', store: 'sqlite:unused' }
    await withNode(startNode(values, { instead }), async node => {
      const { u, irmaqr } = Object(await (await plainRegistration(node)).json())
      assert.is(irmaqr, 'issuing')
      const versions = { 'X-IRMA-MinProtocolVersion': '2.4', 'X-IRMA-MaxProtocolVersion': '2.8' }
      const headers = { ...versions, Authorization: 'an-app' }
      const { request } = Object(await (await fetch(u, { headers })).json())
      assert.is(request.devMode, production ? undefined : true)
    })
  }
})

Whole('while too many proofs wait, a registration is 503, and no account is stored', async () => {
  const { store, commits } = countingStore()
  await withNode(startNode({}, { instead: { store, pool: idlePool(() => true) } }), async node => {
    const { status, headers } = await plainRegistration(node)
    assert.equal([status, headers.get('Retry-After'), commits()], [503, '2', 0])
  })
})

Whole('a credential whose issuer key has expired is 500 EXCEPTION, and no account is stored', async () => {
  const { time, clock } = movableClock()
  const { store, commits } = countingStore()
  time.aheadMs = 30 * 366 * DAY_MS
  await withNode(startNode({}, { clock, instead: { store } }), async node => {
    const answer = await plainRegistration(node)
    assert.equal([answer.status, Object(await answer.json()).error], [500, 'EXCEPTION'])
  })
  assert.is(commits(), 0)
})

Whole('while there are too many sessions, a registration is 503, and no account is stored', async () => {
  const { store, commits } = countingStore()
  store.sessions.count = async () => 1_000_000
  await withNode(startNode({}, { instead: { store } }), async node => {
    const { status, headers } = await plainRegistration(node)
    assert.equal([status, headers.get('Retry-After'), commits()], [503, '2', 0])
  })
})

Whole('a wallet that never got its credential registers again', () =>
  withNode(startNode(), async node => {
    assert.is((await plainRegistration(node)).status, 200)
    const wallet = await emptyWallet()
    const again = { pin: PIN, email: '', language: '' }
    assert.equal(await register(depsOf(wallet, node.port), SCHEME, again), { status: 'success' })
  }),
)
Whole.run()
