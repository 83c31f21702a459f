/** spec/laws#4: a crash ends one session. A failed step is not stored. A row that cannot be woken is closed without its chart. A row of a newer
 *  chart is not touched. Other sessions continue. @module */

import * as assert from 'uvu/assert'
import { CHART, sessionChart } from '../../machines/session.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { connectedNode, createTestNode, elapse, idOf, MINUTE, settle, type TestNode } from '../actors/node.ts'
import { commitSession } from '../stores/commits.ts'
import { suite } from '../suite.ts'
import { rejection } from './rejection.ts'

function boom(): never {
  throw new Error('boom')
}

/** Changes the stored row, unnoticed by every node. */
async function spoil(store: Store, name: string, changes: Partial<SessionRow>): Promise<void> {
  const row = await store.sessions.load(idOf(name))
  assert.ok(row)
  assert.ok(await commitSession(store, row.id, row.version, { ...row, version: row.version + 1, ...changes }))
}

async function owedOf(n: TestNode): Promise<string[]> {
  return (await n.store.deliveries.list()).map(({ owner, cause }) => `${owner} ${cause}`)
}

const Law = suite('spec/laws#4: a crash ends one session')

Law(
  'an action that throws: an error for its caller, nothing stored, this session and others continue',
  async () => {
    const n = createTestNode({ chart: sessionChart.provide({ actions: { notePairing: boom } }) })
    for (const name of ['s', 't']) await n.open(name)
    assert.match(await rejection(n.turn({ type: 'frontend.chose', method: 'pin' })), /^InternalError/)
    await settle()
    assert.is((await n.row())?.version, 1)
    assert.equal([await n.connect('t'), await n.connect('s')], ['CONNECTED', 'CONNECTED'])
    assert.equal(n.reports, [`${idOf('s')}: boom`])
  },
)

Law('a guard that throws: an error for its caller, nothing stored, and the session continues', async () => {
  const n = createTestNode({ chart: sessionChart.provide({ guards: { wantsPairing: boom } }) })
  for (const name of ['s', 't']) await n.open(name)
  assert.match(await rejection(n.connect()), /^InternalError/)
  assert.is((await n.row())?.version, 1)
  assert.is(await n.turn({ type: 'cancelled' }), 'CANCELLED')
})

Law('sessions below the same parent survive actions that throw', async () => {
  const n = createTestNode({ chart: sessionChart.provide({ actions: { notePairing: boom } }) })
  const names = Array.from({ length: 5_000 }, (_, i) => `s${i}`) // more sessions than wards
  for (const name of names) await n.open(name)
  for (const name of names.slice(0, 50))
    await rejection(n.turn({ type: 'frontend.chose', method: 'pin' }, name))
  const statuses = await Promise.all(names.slice(4_900).map(name => n.connect(name)))
  assert.equal(new Set(statuses), new Set(['CONNECTED']))
})

Law('a chart that throws at its deadline: the session is closed without it, then forgotten', async () => {
  const n = createTestNode({ chart: sessionChart.provide({ actions: { startRetention: boom } }) })
  await n.open()
  const changes = n.follow('s')
  await elapse(n.clock, 5 * MINUTE)
  const row = await n.row()
  assert.equal(
    [row?.status, row?.chart, row?.result?.text],
    [
      'CANCELLED',
      null,
      '{"error":{"status":500,"error":"INTERNAL_ERROR","description":"Internal server error"}}',
    ],
  )
  assert.equal(changes, ['INITIALIZED>CANCELLED'])
  assert.equal(await owedOf(n), [`${idOf('s')} CANCELLED`])
  await elapse(n.clock, 5 * MINUTE + 5_000)
  assert.is(await n.row(), null)
})

const UNREADABLE: Record<string, Partial<SessionRow>> = {
  'an unknown state': { snapshot: { value: { CONNECTED: 'unheardOf' }, context: {} } },
  'no snapshot': { snapshot: null },
  'a chart without a migration': { chart: 0 },
}
for (const [title, changes] of Object.entries(UNREADABLE))
  Law(
    `a row that cannot be woken (${title}) is closed without its chart, its callback owed, then forgotten`,
    async () => {
      const n = await connectedNode()
      await n.open('t')
      await spoil(n.store, 's', changes)
      const heard = n.follow('s')
      assert.is(await n.submit(), 'refused CANCELLED')
      const row = await n.row()
      assert.equal([row?.status, row?.chart, row?.snapshot, row?.claim], ['CANCELLED', null, null, null])
      assert.is(row?.deadlineAt, n.clock.now() + 5 * MINUTE)
      assert.match(row?.result?.text ?? '', /"INTERNAL_ERROR"/)
      assert.equal([heard, await owedOf(n)], [['CONNECTED>CANCELLED'], [`${idOf('s')} CANCELLED`]])
      assert.is(await n.connect('t'), 'CONNECTED')
      assert.is(await n.turn({ type: 'cancelled' }), 'refused CANCELLED')
      await elapse(n.clock, 5 * MINUTE + 5_000)
      assert.is(await n.row(), null)
      assert.is((await owedOf(n)).filter(row => row.startsWith(idOf('s'))).length, 1)
    },
  )

Law('a row in PAIRING that cannot be woken is closed without its chart', async () => {
  const n = createTestNode()
  await n.open()
  await n.turn({ type: 'frontend.chose', method: 'pin' })
  assert.is(await n.connect(), 'PAIRING')
  await spoil(n.store, 's', { snapshot: null })
  const heard = n.follow('s')
  assert.is(await n.turn({ type: 'frontend.paired' }), 'refused CANCELLED')
  assert.equal([heard, await owedOf(n)], [['PAIRING>CANCELLED'], [`${idOf('s')} CANCELLED`]])
})

Law('reading a row that cannot be woken needs no chart; when it is due, it is closed', async () => {
  const n = createTestNode()
  await n.open()
  await spoil(n.store, 's', { snapshot: null })
  assert.is((await n.sessions.read(idOf('s')))?.status, 'INITIALIZED')
  await elapse(n.clock, 5 * MINUTE + 5_000)
  assert.is((await n.sessions.read(idOf('s')))?.status, 'CANCELLED')
})

Law('a final status does not change if its row cannot be woken, and its callback is owed once', async () => {
  const n = await connectedNode()
  await n.submit()
  await spoil(n.store, 's', { snapshot: null })
  assert.is(await n.turn({ type: 'cancelled' }), 'refused DONE')
  const row = await n.row()
  assert.equal([row?.status, row?.result?.text], ['DONE', '{"proofStatus":"VALID"}'])
  assert.equal(await owedOf(n), [`${idOf('s')} DONE`])
  await elapse(n.clock, 5 * MINUTE + 5_000)
  assert.is(await n.row(), null)
})

Law('a chart that refuses a due event: the session is closed without it', async () => {
  const n = await connectedNode()
  const claim = { number: 2, callHash: 'h', bootId: 'boot Z', leaseUntil: n.clock.now() }
  await spoil(n.store, 's', { claim }) // the state of the chart has no claim that could be voided
  assert.is(await n.turn({ type: 'cancelled' }), 'refused CANCELLED')
  assert.equal(
    [(await n.row())?.chart, n.reports],
    [null, [`${idOf('s')}: claim.voided is overdue, the chart refuses it`]],
  )
})

Law('a row whose chart waits for a claim that the row lacks: its session times out', async () => {
  const n = await connectedNode()
  const context = (await n.row())?.snapshot?.context
  await spoil(n.store, 's', { snapshot: { value: { CONNECTED: 'checking' }, context } })
  await elapse(n.clock, 5 * MINUTE + 5_000)
  assert.equal([(await n.row())?.status, n.reports], ['TIMEOUT', []])
})

Law('a session without a callback owes none when it is closed without its chart', async () => {
  const n = createTestNode()
  const { snapshot } = await n.open('s', { hasCallback: false })
  await spoil(n.store, 's', { snapshot: { value: 'UNHEARD_OF', context: snapshot?.context } })
  assert.is(await n.connect(), 'refused CANCELLED')
  assert.equal(await owedOf(n), [])
})

Law(
  'a session with a damaged stored request ends at its deadline, and its callback has no address',
  async () => {
    const n = createTestNode()
    await n.open()
    await spoil(n.store, 's', { request: restoreRequest('{"secret') })
    await elapse(n.clock, 5 * MINUTE + 5_000)
    assert.is((await n.row())?.status, 'TIMEOUT')
    const [owed] = await n.store.deliveries.list()
    assert.equal([owed?.owner, owed?.host, owed?.message], [idOf('s'), '', null])
    await elapse(n.clock, 5 * MINUTE + 5_000)
    assert.equal([await n.row(), n.reports], [null, []])
  },
)

Law('a chart that fails on the outcome of a claim: the claim is void at once', async () => {
  const n = await connectedNode({ chart: sessionChart.provide({ actions: { startRetention: boom } }) })
  const refused = rejection(n.submit())
  await settle()
  const row = await n.row()
  assert.equal([row?.status, row?.claim, n.checked.length], ['CONNECTED', null, 1])
  assert.match(await refused, /^UnavailableError/)
})

Law('a row of a newer chart is not changed: 503, also when it is overdue', async () => {
  const n = createTestNode()
  await n.open()
  await spoil(n.store, 's', { chart: CHART + 1 })
  const before = await n.row()
  for (const work of [n.connect(), n.submit(), n.sessions.read(idOf('s'))])
    assert.match(await rejection(work), /^UnavailableError/)
  await elapse(n.clock, 6 * MINUTE)
  assert.equal(await n.row(), before)
})

Law('a decision that throws changes nothing, and its error is passed on', async () => {
  const n = createTestNode()
  await n.open()
  const decided = n.sessions.turn(idOf('s'), () => {
    throw new RangeError('not now')
  })
  assert.is(await rejection(decided), 'RangeError: not now')
  assert.is((await n.row())?.version, 1)
  assert.is(await n.connect(), 'CONNECTED')
})

const FAILING: Record<string, () => Promise<never>> = {
  'that fails after it has begun': () => Promise.reject(new Error('the worker died')),
  'that throws before it begins': boom,
}
for (const [title, fail] of Object.entries(FAILING))
  Law(`a check ${title} voids its claim: 503, reported, and the app may submit again`, async () => {
    let calls = 0
    const n = await connectedNode({
      check: () =>
        calls++ === 0
          ? fail()
          : Promise.resolve({
              event: { type: 'server.checked', isValid: true },
              columns: { result: null },
              answer: { status: 200, contentType: null, body: 'fine' },
            }),
    })
    assert.match(
      await rejection(n.submit()),
      /^UnavailableError: the work on this call ended without an outcome/,
    )
    assert.is(n.reports.length, 1)
    assert.is((await n.row())?.claimedBody, null)
    assert.is(await n.submit(), 'fine')
  })

Law(
  'a remote error while checking is an outcome: CANCELLED, and the error is the answer, also for a repeat (spec/decisions#d16)',
  async () => {
    const answer = { status: 400, contentType: 'application/json', body: '{"error":"MALFORMED_INPUT"}' }
    const n = await connectedNode({
      check: async () => ({
        event: { type: 'server.failed' },
        columns: { result: restoreOutcome('{"error":{}}') },
        answer,
      }),
    })
    assert.equal([await n.submit(), await n.submit()], [answer.body, answer.body])
    const row = await n.row()
    assert.equal([row?.status, row?.result?.text, n.checked.length], ['CANCELLED', '{"error":{}}', 1])
    assert.equal(await owedOf(n), [`${idOf('s')} CANCELLED`])
  },
)

Law.run()
