/** Two nodes of a keyshare server on one PostgreSQL database: an app may ask any of them at any time. */
import { getHeapStatistics } from 'node:v8'
import * as assert from 'uvu/assert'
import { MemorySessions } from '../../../stores/memory/sessions.ts'
import { changePin } from '../../../wallet/keyshare/change-pin.ts'
import { register } from '../../../wallet/keyshare/register.ts'
import { unlock } from '../../../wallet/keyshare/unlock.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { depsOf, emptyWallet, type NodeOfTest, PIN, registeredWallet, SCHEME, startNode } from './node.ts'

const Two = suite('two nodes of a keyshare server on one database')
const test = isMissing('PostgreSQL', hasPostgres) ? Two.skip : Two

async function withTwo(use: (one: NodeOfTest, two: NodeOfTest) => Promise<void>): Promise<void> {
  const store = await newPostgresDatabase()
  const [one, two] = await Promise.all([startNode({ store }), startNode({ store })])
  try {
    await use(one, two)
  } finally {
    await Promise.all([one.close(), two.close()])
  }
}

const right = async (): Promise<string> => PIN

test('a wallet that has registered at either logs in at both', () =>
  withTwo(async (one, two) => {
    for (const [at, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const { wallet, deps } = await registeredWallet(at.port)
      for (const node of [at, other])
        assert.equal(await unlock(depsOf(wallet, node.port), SCHEME, right), { status: 'success' })
      assert.equal(await changePin(deps, { oldPin: PIN, newPin: '54321' }), { status: 'success' })
      const old = await unlock(depsOf(wallet, other.port), SCHEME, async ({ triesLeft }) =>
        triesLeft === null ? PIN : null,
      )
      assert.is(old.status, 'cancelled')
    }
  }))

test('wrong PINs at both are counted together', () =>
  withTwo(async (one, two) => {
    const { wallet } = await registeredWallet(one.port)
    const tries: (number | null)[] = []
    const wrongOnce = async ({ triesLeft }: { readonly triesLeft: number | null }) => {
      tries.push(triesLeft)
      return triesLeft === null ? 'wrong' : null
    }
    await unlock(depsOf(wallet, one.port), SCHEME, wrongOnce)
    await unlock(depsOf(wallet, two.port), SCHEME, wrongOnce)
    assert.equal(tries, [null, 2, null, 1])
    for (const [node, pin] of [
      [one, 'wrong'],
      [two, PIN],
    ] as const) {
      const ending = await unlock(depsOf(wallet, node.port), SCHEME, async () => pin)
      assert.is(ending.status === 'failed' && ending.reason, 'pin-blocked')
    }
  }))

test('the session that issues the login credential is at the node that began it, wherever the registration went through', () =>
  withTwo(async (one, two) => {
    const wallet = await emptyWallet()
    const deps = depsOf(wallet, one.port)
    let registrations = 0
    // a balancer: each call of the keyshare protocol goes to the other node, and the pointer says where the session is
    const balanced: typeof fetch = (url, init) => {
      const said = wallet.schemes.scheme(SCHEME)?.keyshareServer ?? ''
      if (!String(url).startsWith(said)) return fetch(url, init)
      const { port } = registrations++ % 2 === 0 ? one : two
      return fetch(String(url).replace(said, `http://127.0.0.1:${port}`), init)
    }
    const registration = { pin: PIN, email: '', language: 'en' }
    assert.equal(await register({ ...deps, fetch: balanced }, SCHEME, registration), { status: 'success' })
    assert.ok(registrations > 4)
  }))
test('sessions of registrations fill half of the memory of a node at most; then 503 with Retry-After', async () => {
  const most = Math.floor(getHeapStatistics().heap_size_limit / 2 / 8_192)
  const { count } = MemorySessions.prototype
  const node = await startNode({ store: await newPostgresDatabase() })
  const statuses: number[] = []
  try {
    for (const held of [most - 1, most]) {
      MemorySessions.prototype.count = async () => held
      const body = JSON.stringify({ pin: PIN })
      const { status, headers } = await fetch(`${node.url}client/register`, { method: 'POST', body })
      statuses.push(status)
      assert.is(headers.has('retry-after'), status === 503)
    }
  } finally {
    MemorySessions.prototype.count = count
    await node.close()
  }
  assert.equal(statuses, [200, 503])
})

Two.run()
