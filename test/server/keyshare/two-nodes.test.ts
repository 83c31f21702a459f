/** Two nodes of a keyshare server on one PostgreSQL database. An app may call either of them at any time. */
import * as assert from 'uvu/assert'
import { changePin } from '../../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
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

test('a wallet that has registered at one node logs in at both', () =>
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

test('wrong PINs at both nodes are counted together', () =>
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

test('the calls of a registration, and of its issuance session, may go to different nodes', () =>
  withTwo(async (one, two) => {
    const wallet = await emptyWallet()
    const deps = depsOf(wallet, one.port)
    const said = wallet.schemes.scheme(SCHEME)?.keyshareServer ?? ''
    const asked = { keyshare: 0, session: 0 }
    // a load balancer: successive calls go to alternate nodes
    const balanced: typeof fetch = (url, init) => {
      const text = String(url)
      const { port } = (asked.keyshare + asked.session) % 2 === 0 ? one : two
      asked[text.startsWith(said) ? 'keyshare' : 'session'] += 1
      const here = text.replace(said, `http://127.0.0.1:${port}`)
      return fetch(here.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`), init)
    }
    const registration = { pin: PIN, email: '', language: 'en' }
    assert.equal(await register({ ...deps, fetch: balanced }, SCHEME, registration), { status: 'success' })
    assert.ok(asked.keyshare > 4 && asked.session > 1, JSON.stringify(asked))
    const rows = await Promise.all([one, two].map(({ store }) => store.sessions.newest(9)))
    assert.equal(rows[0], rows[1])
    assert.is(rows[0]?.[0]?.status, 'DONE')
  }))

Two.run()
