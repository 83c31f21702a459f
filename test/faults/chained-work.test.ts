/** spec/laws#1 to #6 for the whole work on a submission: check, ask for the next session, sign, end (spec/decisions#chain). With any event between two steps,
 *  a next session never exists without the end of the previous one, and there are never two. No signature is sent before it is stored. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { createTestNode, elapse, idOf, MINUTE, settle } from '../actors/node.ts'
import { sharedBy } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { chainedNode, chainedWork, childrenIn, FAILED, STEPS, stateOf, submitUntil } from './chained-work.ts'
import { type Fault, faultyStore } from './faulty-store.ts'
import { rejection } from './rejection.ts'

const Whole = suite('the whole work on a submission')

Whole('each step begins when the previous step is stored, and gets its outcome', async () => {
  const n = await chainedNode()
  const changes = n.follow('s')
  assert.is(await n.submit(), 'signed 3')
  assert.equal(n.work.begun, ['checking 3: null', 'askingNext 3: checked 3', 'signing 3: asked 3'])
  const row = await n.row()
  assert.equal([row?.status, row?.version, row?.result?.text], ['DONE', 6, '"result 3"'])
  assert.equal([row?.claim, row?.claimedBody, row?.progress], [null, null, null])
  assert.equal([changes, await childrenIn(n.store)], [['CONNECTED>DONE'], [3]])
})

Whole('the next session waits for its app and times out at its deadline, as every session does', async () => {
  const n = await chainedNode()
  await elapse(n.clock, 1_234) // between two rounds of the index of deadlines
  await n.submit()
  await n.open('t')
  const [child, other] = [await n.row('child-3'), await n.row('t')]
  assert.equal([child?.status, child?.deadlineAt, child?.version], ['INITIALIZED', other?.deadlineAt, 1])
  assert.is((await n.sessions.findByRequestorToken('requestor-child-3'))?.id, idOf('child-3'))
  const changes = n.follow('child-3')
  await elapse(n.clock, 5 * MINUTE - 1)
  assert.equal(changes, [])
  await elapse(n.clock, 1)
  assert.equal(changes, ['INITIALIZED>TIMEOUT'], 'to the millisecond')
})

for (const step of STEPS)
  Whole(`until the last commit readers see CONNECTED, without a result (${step})`, async () => {
    const n = await chainedNode()
    const { letGo, answer } = await submitUntil(n, step)
    const row = await n.sessions.read(idOf('s'))
    assert.equal([row?.status, row?.result, row?.answered], ['CONNECTED', null, null])
    assert.equal(await childrenIn(n.store), [])
    letGo()
    assert.is(await answer, 'signed 3')
  })

for (const step of STEPS)
  Whole(
    `an identical call waits until the end of the work, on any node, and gets the same bytes (${step})`,
    async () => {
      const n = await chainedNode()
      const b = createTestNode({ store: n.store, clock: n.clock, bootId: 'boot B' })
      const { letGo, answer } = await submitUntil(n, step)
      const waiting = [n.submit(), b.submit()]
      await settle()
      assert.is(await b.submit('another'), 'refused CONNECTED')
      await b.turn({ type: 'app.fetched' })
      letGo()
      assert.equal(await Promise.all([answer, ...waiting]), ['signed 3', 'signed 3', 'signed 3'])
      assert.equal([await n.submit(), await b.submit()], ['signed 3', 'signed 3'])
      assert.equal([n.work.begun.length, b.checked], [3, []])
    },
  )

for (const step of STEPS)
  Whole(
    `DELETE while ${step}: CANCELLED at once, waiting callers are refused, and the work has no later effect`,
    async () => {
      const n = await chainedNode()
      const { letGo, answer } = await submitUntil(n, step)
      assert.is(await n.turn({ type: 'cancelled' }), 'CANCELLED')
      assert.is(await answer, 'refused CANCELLED')
      letGo()
      await settle()
      const row = await n.row()
      assert.equal(
        [row?.status, row?.result, row?.progress, row?.claimedBody],
        ['CANCELLED', null, null, null],
      )
      assert.equal([await childrenIn(n.store), await n.submit()], [[], 'refused CANCELLED'])
      assert.is(n.work.begun.length, STEPS.indexOf(step) + 1, 'and no further step is begun')
      assert.equal(n.reports, [])
    },
  )

for (const step of STEPS)
  Whole(
    `a remote error while ${step}: CANCELLED, the error is the answer, and no next session is opened`,
    async () => {
      const n = await chainedNode()
      n.work.spoil(step, async () => FAILED)
      assert.equal([await n.submit(), await n.submit()], ['failed', 'failed'])
      const row = await n.row()
      assert.equal([row?.status, row?.result?.text, row?.progress], ['CANCELLED', '"failed"', null])
      assert.equal(await childrenIn(n.store), [])
    },
  )

for (const step of STEPS)
  Whole(
    `a step that dies (${step}): back to awaiting without progress; the app submits again, and all steps are repeated`,
    async () => {
      const n = await chainedNode()
      n.work.spoil(step, () => Promise.reject(new Error('the thread died')))
      assert.match(await rejection(n.submit()), /^UnavailableError/)
      const row = await n.row()
      assert.equal(
        [stateOf(row), row?.progress, row?.claimedBody, row?.claim],
        ['awaiting', null, null, null],
      )
      const begun = n.work.begun.length
      const answer = await n.submit()
      assert.match(answer, /^signed \d$/)
      assert.equal(await childrenIn(n.store), [Number(answer.slice(-1))])
      assert.is(n.work.begun.length, begun + 3)
      assert.match(n.work.begun[begun] ?? '', /^checking \d: null$/)
    },
  )

for (const step of STEPS)
  Whole(
    `a node that dies while ${step}: its claim is void at once, and its late outcome is ignored`,
    async () => {
      const dead = new Set<string>()
      const store = sharedBy(createMemoryStore(), bootId => !dead.has(bootId))
      const n = await chainedNode({ store })
      const work = chainedWork()
      const b = createTestNode({ store, clock: n.clock, bootId: 'boot B', ...work.options })
      const { letGo } = await submitUntil(n, step)
      dead.add('boot A')
      const answer = await b.submit()
      assert.match(answer, /^signed \d+$/)
      letGo() // the process seemed dead, and continues
      await settle()
      assert.equal(await childrenIn(store), [Number(answer.slice('signed '.length))])
      assert.is(await b.submit(), answer)
      assert.equal(work.begun.length, 3)
    },
  )

Whole(
  'each stored step renews the lease, and so does its owner every 10 s; other commits do not',
  async () => {
    const n = await chainedNode()
    const { letGo: toAsk } = await submitUntil(n, 'checking')
    const lease = async (): Promise<number> => ((await n.row())?.claim?.leaseUntil ?? 0) - n.clock.now()
    assert.is(await lease(), 30_000)
    await elapse(n.clock, 9_000)
    await n.turn({ type: 'app.fetched' })
    assert.is(await lease(), 21_000)
    const toSign = n.work.hold('askingNext')
    toAsk()
    await settle()
    assert.equal([stateOf(await n.row()), await lease()], ['askingNext', 30_000])
    await elapse(n.clock, 9_000)
    assert.is(await lease(), 21_000)
    await elapse(n.clock, 1_000)
    assert.is(await lease(), 30_000)
    const toEnd = n.work.hold('signing')
    toSign()
    await settle()
    assert.equal([stateOf(await n.row()), await lease()], ['signing', 30_000])
    await elapse(n.clock, 120_000)
    assert.is(await lease(), 30_000)
    toEnd()
    await settle()
    assert.equal([(await n.row())?.status, await childrenIn(n.store)], ['DONE', [3]])
  },
)

for (const step of STEPS)
  Whole(
    `a lease that ends while ${step}: the claim is void; a late outcome is refused, also during the next claim`,
    async () => {
      const n = await chainedNode()
      const { letGo } = await submitUntil(n, step)
      n.clock.advance(30_000) // the process is paused
      await settle()
      const row = await n.row()
      assert.equal([stateOf(row), row?.claim, row?.progress], ['awaiting', null, null])
      const again = n.submit()
      await settle()
      letGo()
      const answer = await again
      await settle()
      assert.equal(await childrenIn(n.store), [Number(answer.slice('signed '.length))])
      assert.is((await n.row())?.answered?.answer.body, answer)
    },
  )

for (const step of STEPS)
  Whole(
    `no deadline fires while ${step}: an app that submitted in time gets an answer (spec/decisions#d3)`,
    async () => {
      const n = await chainedNode()
      await elapse(n.clock, 5 * MINUTE - 1_000)
      const { letGo, answer } = await submitUntil(n, step)
      await elapse(n.clock, 10_000)
      letGo()
      assert.is(await answer, 'signed 3')
    },
  )

const COMMITS = ['the claim', 'the check', 'the next session', 'the end'] as const
const FAULTS: readonly Fault[] = ['fails', 'loses', 'unknown']
for (const [i, commit] of COMMITS.entries())
  for (const fault of FAULTS)
    Whole(
      `the commit of ${commit} ${fault}: only stored outcomes are answered, and there is one end`,
      async () => {
        const store = faultyStore(createMemoryStore())
        const n = await chainedNode({ store })
        const changes = n.follow('s')
        store.faults.push(...Array<null>(i).fill(null), fault)
        const told = await n.submit().catch(() => null)
        await settle()
        const row = await n.row()
        const isDone = row?.status === 'DONE'
        assert.is(
          (await childrenIn(store)).length,
          isDone ? 1 : 0,
          'a next session, if and only if this one ended',
        )
        if (told !== null)
          assert.equal([isDone, row?.answered?.answer.body], [true, told], 'the answer is stored')
        if (!isDone) assert.equal([changes, row?.result], [[], null])
        if (!isDone) assert.match(await n.submit(), /^signed \d+$/)
        assert.is(n.work.begun.length, STEPS.length, 'no step is done twice')
        const end = await n.row()
        assert.equal([end?.status, changes], ['DONE', ['CONNECTED>DONE']])
        const children = await childrenIn(store)
        assert.equal(end?.result?.text, `"result ${children[0]}"`)
        assert.is(children.length, 1)
        assert.is((await store.deliveries.list()).length, 1)
      },
    )

Whole(
  'a next session that can never be stored: the call is answered at once, and no session is opened',
  async () => {
    const n = await chainedNode()
    await n.open('child-3') // its tokens are in use
    assert.match(await n.submit(), 'INTERNAL_ERROR')
    const row = await n.row()
    assert.equal([row?.status, row?.claim, row?.progress], ['CANCELLED', null, null])
  },
)

Whole('no report and no status fact contains the outcomes of the steps', async () => {
  const store = faultyStore(createMemoryStore())
  const n = await chainedNode({ store })
  const { letGo } = await submitUntil(n, 'signing')
  const { progress, ...facts } = (await n.row()) ?? {}
  assert.is(progress, 'asked 3')
  assert.not.match(JSON.stringify(facts), 'asked')
  store.faults.push('fails')
  letGo()
  await settle()
  assert.ok(n.reports.length > 0)
  for (const report of n.reports) assert.not.match(report, /asked|checked|signed/)
})

Whole.run()
