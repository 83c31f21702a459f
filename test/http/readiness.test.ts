/** GET /health/ready tells whether a node should get calls, with reasons. It makes few calls to the store. @module */
import * as assert from 'uvu/assert'
import { createReadiness } from '../../http/readiness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { WriteOutcomes } from '../../stores/outage.ts'
import type { Store } from '../../stores/store.ts'
import { StoreError, StoreRefusalError } from '../../stores/store-error.ts'
import { deferred, settle } from '../actors/node.ts'
import { withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { withServer } from './harness.ts'
import { withKeyshare } from './keyshare/harness.ts'

const Ready = suite('readiness')

/** A store in which the test decides whether a node is alive. It counts the requests. */
function storeSaying(isAlive: () => Promise<boolean>) {
  const asked = { times: 0 }
  const nodes: Store['nodes'] = {
    ...createMemoryStore().nodes,
    isAlive() {
      asked.times += 1
      return isAlive()
    },
  }
  return { store: withChanges(createMemoryStore(), { nodes }), asked }
}

function stateOf({ status, json }: Answer) {
  const { ready, reasons } = Object(json)
  return [status, ready, reasons]
}

const READY = [200, true, {}]

Ready('a node without a problem is ready, and answers in JSON that is not cached', () =>
  withServer({}, async server => {
    const answer = await server.call('GET', '/health/ready')
    assert.equal(stateOf(answer), READY)
    assert.equal(
      [answer.headers['content-type'], answer.headers['cache-control']],
      ['application/json; charset=UTF-8', 'no-store'],
    )
  }),
)

for (const isApart of [false, true])
  Ready(`the check is ${isApart ? 'at both listeners' : 'at the one listener'}, below api_prefix`, () =>
    withServer({ isApart, settings: { apiPrefix: '/api' } }, async server => {
      for (const client of [server, server.clients]) {
        assert.equal(stateOf(await client.call('GET', '/api/health/ready')), READY)
        assert.is((await client.call('GET', '/health/ready')).status, 404)
      }
    }),
  )

/** A node on that store. `look` makes one check and returns its reasons; load balancers check every second. */
function nodeOn(store: Store) {
  const clock = createSimulatedClock(0)
  const { now } = createReadiness({
    clock,
    store,
    bootId: 'boot A',
    hasWorker: () => true,
    schemes: { schemes: new Map() },
    failingSchemes: () => [],
  })
  const look = async (ms = 1_000) => {
    const state = now()
    await settle()
    clock.advance(ms)
    return (await state).reasons
  }
  return { clock, look }
}

const SILENT = {
  store: 'expected an answer of the store within 5000 ms, got silence or failures; the log says which',
}

const gone = () => Promise.reject(new StoreError('store "postgres://secret": gone'))

Ready('a store that fails or does not answer is a reason after 5 s', async () => {
  for (const answer of [gone, () => new Promise<boolean>(() => {})]) {
    const { look } = nodeOn(storeSaying(answer).store)
    for (let sec = 1; sec < 5; sec++) assert.equal(await look(), {})
    if (answer === gone) assert.equal(await look(), {}) // a failure is noticed only at the start of the next check
    for (let times = 0; times < 3; times++) assert.equal(await look(), SILENT)
  }
})

Ready('a single late check is no reason, because its timer may be late; two checks are', async () => {
  const silent = nodeOn(storeSaying(() => new Promise(() => {})).store)
  assert.equal(await silent.look(6_000), {})
  assert.equal(await silent.look(), SILENT)
  const { look, clock } = nodeOn(storeSaying(gone).store)
  clock.advance(60_000)
  assert.equal(await look(), {})
  clock.advance(3_000)
  assert.equal(await look(), {})
  assert.equal(await look(), SILENT)
})

Ready('a store that answers each question late, but within 5 s, keeps its node ready', async () => {
  let gate = deferred()
  const { store, asked } = storeSaying(() => gate.promise.then(() => true))
  const { look } = nodeOn(store)
  for (let question = 1; question <= 4; question++) {
    for (let sec = 0; sec < 4; sec++) assert.equal(await look(), {})
    assert.is(asked.times, question)
    const answered = gate
    gate = deferred()
    answered.resolve()
    await settle()
  }
})

Ready('a store that does not answer is not asked again until it answers', async () => {
  const gate = deferred()
  const { store, asked } = storeSaying(() => gate.promise.then(() => true))
  const { look } = nodeOn(store)
  for (let sec = 0; sec < 8; sec++) await look()
  assert.is(asked.times, 1)
  gate.resolve()
  await settle()
  assert.equal(await look(), {})
  assert.is(asked.times, 2)
})

Ready('a store that answers about nodes, but cannot be read, counts as one without answers', async () => {
  const inner = createMemoryStore()
  const deliveries = new Proxy(inner.deliveries, {
    get: (target, name) => (name === 'nextDueAfter' ? gone : Reflect.get(target, name).bind(target)),
  })
  const { look } = nodeOn(withChanges(inner, { deliveries }))
  for (let sec = 0; sec < 5; sec++) assert.equal(await look(), {})
  assert.equal(await look(), SILENT)
})

Ready(
  'a store that answered none of the last calls: 503 with Retry-After and an error without its address',
  () => {
    const outage = { isGone: true, refusesWrites: false }
    return withServer({ store: withChanges(storeSaying(gone).store, { outage }) }, async server => {
      const answer = await server.call('GET', '/health/ready')
      const reasons = { store: 'expected an answer to one of the last calls, got none; the log says why' }
      assert.equal(stateOf(answer), [503, false, reasons])
      const { status, error, message } = Object(answer.json)
      assert.equal(
        [answer.headers['retry-after'], status, error, message],
        ['2', 503, 'INTERNAL_ERROR', 'this node is not ready: store'],
      )
      assert.not.match(answer.text, 'secret')
      assert.is((await server.call('GET', '/health')).status, 200)
    })
  },
)

Ready('a store that refuses writes is a separate reason, from a refusal until the next success', () => {
  const writes = new WriteOutcomes()
  return withServer({ store: withChanges(createMemoryStore(), { outage: writes }) }, async server => {
    const state = async () => stateOf(await server.call('GET', '/health/ready'))
    assert.equal(await state(), READY)
    writes.failed(new StoreError('no answer in time'))
    assert.equal(await state(), READY)
    writes.failed(new StoreRefusalError('the disk is full'))
    const reasons = {
      'store writes': 'expected the store to take a commit, got a refusal; the log says why',
    }
    assert.equal(await state(), [503, false, reasons])
    writes.succeeded()
    assert.equal(await state(), READY)
  })
})

Ready('a node whose lease in the store has expired is not ready, with a reason', () => {
  const { store } = storeSaying(async () => false)
  return withServer({ store }, async server => {
    const [status, , reasons] = stateOf(await server.call('GET', '/health/ready'))
    assert.is(status, 503)
    assert.match(Object(reasons).store, /got one that has expired$/)
  })
})

Ready('the store is asked at most once a second, for any number of checks', () => {
  const { store, asked } = storeSaying(async () => true)
  return withServer({ store }, async server => {
    const many = () => Promise.all(Array.from({ length: 50 }, () => server.call('GET', '/health/ready')))
    await many()
    server.clock.advance(999)
    await many()
    assert.is(asked.times, 1)
    server.clock.advance(1)
    await many()
    assert.is(asked.times, 2)
  })
})

Ready('a node without a worker thread is not ready, and is ready again with one', () => {
  let hasThread = false
  return withServer({ hasThread: () => hasThread }, async server => {
    const reasons = { workers: 'expected a worker thread that checks proofs, got none' }
    assert.equal(stateOf(await server.call('GET', '/health/ready')), [503, false, reasons])
    hasThread = true
    server.clock.advance(1_000)
    assert.equal(stateOf(await server.call('GET', '/health/ready')), READY)
  })
})

Ready(
  'an overloaded node is ready: it refuses new sessions itself, and its load would only move to other nodes',
  () =>
    withServer({ isOverloaded: () => true }, async server => {
      assert.equal(stateOf(await server.call('GET', '/health/ready')), READY)
    }),
)

Ready('keys of issuers that have expired are a warning without names: the node is ready', () =>
  withServer({}, async server => {
    const keys =
      'expected a key that has not expired of each issuer, got none of some, which GET /health/ready of the metrics listener names'
    const answer = await server.call('GET', '/health/ready')
    assert.equal(stateOf(answer), READY)
    assert.equal(Object(answer.json).warnings, { keys })
    assert.not.match(answer.text, 'svc-demo')
  }),
)

const NOW_SEC = 10_000

/** The warning about issuers with these ends of their keys, the oldest key first. The issuers in `deprecated` are no longer in use. */
async function warnedOf(
  ends: Readonly<Record<string, readonly number[]>>,
  deprecated: readonly string[] = [],
) {
  const issuers = Object.entries(ends).map(([id, keys]) => {
    const publicKeys = new Map(keys.map((expiresAtSec, counter) => [counter, { expiresAtSec }]))
    return [id, { id, publicKeys, deprecatedSinceSec: deprecated.includes(id) ? 1 : null }] as const
  })
  const schemes = { schemes: new Map([['s', { issuers: new Map(issuers) }]]) } as unknown as Schemes // no other field is read
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const store = createMemoryStore()
  const { namedWarnings: warnings } = await createReadiness({
    clock,
    store,
    schemes,
    bootId: 'boot A',
    hasWorker: () => true,
    failingSchemes: () => [],
  }).now()
  return warnings.keys?.split(' none of ').at(-1)
}

Ready(
  'an issuer is in the warning if its latest key has expired, unless it has no key or is deprecated',
  async () => {
    const [past, future] = [NOW_SEC - 1, NOW_SEC + 1]
    assert.is(await warnedOf({ old: [past], renewed: [past, future], last: [NOW_SEC], none: [] }), 'old')
    assert.is(await warnedOf({ old: [past], gone: [past] }, ['gone']), 'old')
    assert.is(await warnedOf({ gone: [past], none: [] }, ['gone']), undefined)
    const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(id => [id, [past]]))
    assert.is(await warnedOf(five), 'a, b, c, d, e')
    assert.is(await warnedOf({ ...five, f: [past] }), 'a, b, c, d, e and 1 more')
  },
)

Ready('schemes that cannot be updated are a warning until they are updated: the node is ready', async () => {
  let failingSchemes = ['a', 'b', 'c', 'd', 'e', 'f']
  const clock = createSimulatedClock(0)
  const { now } = createReadiness({
    clock,
    store: createMemoryStore(),
    bootId: 'boot A',
    hasWorker: () => true,
    schemes: { schemes: new Map() },
    failingSchemes: () => failingSchemes,
  })
  const scheme = (at: string) =>
    `expected to bring each scheme up to date, got a failure at ${at}; the log says why`
  const { reasons, warnings, namedWarnings } = await now()
  assert.equal([reasons, namedWarnings], [{}, { scheme: scheme('a, b, c, d, e and 1 more') }])
  assert.equal(warnings, { scheme: scheme('some, which GET /health/ready of the metrics listener names') })
  failingSchemes = []
  clock.advance(1_000)
  assert.equal(await now(), { reasons: {}, warnings: {}, namedWarnings: {} })
})

Ready('a keyshare server has the same check', () =>
  withKeyshare({}, async ({ call }) => {
    assert.equal(stateOf(await call('GET', '/health/ready')), READY)
    assert.is((await call('GET', '/api/v1/health/ready')).status, 404)
  }),
)

Ready.run()
