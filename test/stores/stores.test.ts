/** Every store keeps the same promises (stores/session-store.ts). @module */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../stores/open.ts'
import type { OwedRow, SessionStore, StatusChange } from '../../stores/session-store.ts'
import { makeRow } from './make-row.ts'

const FULL = makeRow('full', {
  version: 1,
  status: 'CONNECTED',
  deadlineAt: 2 ** 41,
  claim: { number: 7, callHash: 'hash', bootId: 'boot', leaseUntil: 5 },
  claimedBody: '{"proofs":\u0000[]} é \u2028',
  answered: {
    callHash: 'call',
    version: 1,
    answeredAt: 2 ** 41,
    answer: { status: 200, contentType: 'application/json', body: '{"a":"\\u0000"}' },
  },
  pairingCode: '0042',
  clientAuthorization: 'app',
  result: '{"proofStatus":"VALID"}',
  requestor: 'shop',
  profile: 'irma',
})
const OWED: OwedRow = { id: 'a/oweCallback/DONE', session: 'a', effect: 'oweCallback', status: 'DONE' }

type Context = { folder: string; store: SessionStore }

async function rejects(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
  }
  return assert.unreachable('expected an error') as never
}

const STORES: Readonly<Record<string, (folder: string) => string>> = {
  memory: () => 'memory',
  sqlite: folder => `sqlite:${join(folder, 'store.db')}`,
}

for (const [name, specOf] of Object.entries(STORES)) {
  const Store = suite<Context>(`store: ${name}`)

  Store.before.each(async context => {
    context.folder = mkdtempSync(join(tmpdir(), 'svc-store-'))
    context.store = await openStore(specOf(context.folder), 'boot')
  })
  Store.after.each(async ({ store, folder }) => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  Store('a row comes back as it was written, NUL and all', async ({ store }) => {
    assert.is(await store.load('full'), null)
    assert.is(await store.commit('full', 0, FULL), true)
    assert.equal(await store.load('full'), FULL)
    assert.is(await store.findByRequestorToken('requestor-full'), 'full')
    assert.is(await store.findByRequestorToken('client-full'), null)
    assert.is(await store.count(), 1)
  })

  Store('a commit against another version changes nothing', async ({ store }) => {
    await store.commit('a', 0, makeRow('a'))
    assert.is(await store.commit('a', 0, makeRow('a', { version: 1, status: 'DONE' })), false)
    assert.is(await store.commit('a', 2, makeRow('a', { version: 3 }), { owed: [OWED] }), false)
    assert.is(await store.commit('a', 2, null), false)
    assert.is(await store.commit('none', 1, makeRow('none', { version: 2 })), false)
    assert.equal(await store.load('a'), makeRow('a'))
    assert.equal(await store.owed(), [])
  })

  Store('of commits at once on one version, one wins', async ({ store }) => {
    await store.commit('a', 0, makeRow('a'))
    const claims = Array.from({ length: 20 }, (_, i) => makeRow('a', { version: 2, nonce: `${i}` }))
    const won = await Promise.all(claims.map(row => store.commit('a', 1, row)))
    assert.is(won.filter(Boolean).length, 1)
    assert.is((await store.load('a'))?.nonce, `${won.indexOf(true)}`)
  })

  Store('inserts are stored with their row, or nothing is', async ({ store }) => {
    await store.commit('a', 0, makeRow('a'))
    const next = makeRow('next')
    assert.is(
      await store.commit('a', 1, makeRow('a', { version: 2 }), { owed: [OWED], sessions: [next] }),
      true,
    )
    assert.equal(await store.owed(), [OWED])
    assert.equal(await store.load('next'), next)
    await rejects(store.commit('a', 2, makeRow('a', { version: 3, status: 'DONE' }), { owed: [OWED] }))
    await rejects(store.commit('a', 2, makeRow('a', { version: 3, status: 'DONE' }), { sessions: [next] }))
    assert.is((await store.load('a'))?.version, 2)
  })

  Store('two sessions never share a requestor token', async ({ store }) => {
    await store.commit('a', 0, makeRow('a'))
    await rejects(store.commit('b', 0, makeRow('b', { requestorToken: 'requestor-a' })))
    assert.is(await store.load('b'), null)
  })

  Store('a deleted row is gone, and its token with it', async ({ store }) => {
    await store.commit('a', 0, makeRow('a'))
    assert.is(await store.commit('a', 1, null), true)
    assert.is(await store.load('a'), null)
    assert.is(await store.findByRequestorToken('requestor-a'), null)
  })

  Store(
    'what is due comes oldest first, by deadline or by lease, and not for newer charts',
    async ({ store }) => {
      const claim = { number: 1, callHash: '', bootId: 'boot', leaseUntil: 20 }
      await store.commit('late', 0, makeRow('late', { deadlineAt: 50 }))
      await store.commit('claimed', 0, makeRow('claimed', { deadlineAt: 1, claim }))
      await store.commit('early', 0, makeRow('early', { deadlineAt: 10 }))
      await store.commit('closed', 0, makeRow('closed', { deadlineAt: 30, chart: null }))
      await store.commit('newer', 0, makeRow('newer', { deadlineAt: 5, chart: 2 }))
      assert.equal(await store.due(9, 1, 10), [])
      assert.equal(await store.due(30, 1, 10), ['early', 'claimed', 'closed'])
      assert.equal(await store.due(99, 1, 2), ['early', 'claimed'])
      assert.equal((await store.due(99, 2, 1))[0], 'newer')
    },
  )

  Store('old answers are dropped without a new version', async ({ store }) => {
    await store.commit('full', 0, FULL)
    await store.dropAnswers(2 ** 41)
    assert.equal(await store.load('full'), FULL)
    await store.dropAnswers(2 ** 41 + 1)
    assert.equal(await store.load('full'), { ...FULL, answered: null })
  })

  Store('listeners hear of each commit in order, and of none that was refused', async ({ store }) => {
    const heard: unknown[] = []
    const change: StatusChange = { id: 'a', version: 2, oldStatus: 'INITIALIZED', newStatus: 'DONE' }
    const stop = store.subscribe((id, news) => heard.push([id, news]))
    await store.commit('a', 0, makeRow('a'))
    await store.commit('a', 5, makeRow('a', { version: 6 }), { change })
    await store.commit('a', 1, makeRow('a', { version: 2, status: 'DONE' }), { change })
    stop()
    await store.commit('a', 2, null)
    assert.equal(heard, [
      ['a', null],
      ['a', change],
    ])
  })

  Store.run()
}
