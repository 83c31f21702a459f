/** spec/laws#2: a submission is handled once. Identical calls wait for the same committed outcome, on every node; different ones are refused; a claim
 *  ends by its outcome, by DELETE, or by being void. The same on every store. @module */
import * as assert from 'uvu/assert'
import { openStore } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import {
  answerOf,
  connectedNode,
  createTestNode,
  deferred,
  elapse,
  idOf,
  MINUTE,
  type NodeOptions,
  settle,
  type TestNode,
  VALID,
} from '../actors/node.ts'
import { sharedBy, withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { rejection } from './rejection.ts'

const FINE = '{"proofStatus":"VALID"}'
const STORES = {
  memory: () => openStore('memory', 'boot A'),
  sqlite: () => openStore(`sqlite:${newStoreFile()}`, 'boot A'),
}

type Pair = {
  readonly a: TestNode
  /** boot B, on the same store and clock */
  readonly b: TestNode
  /** boot ids that are gone */
  readonly dead: Set<string>
}

/** Two nodes on one store, and a session that connected at node A. */
async function pairOn(inner: Store, options: NodeOptions = {}): Promise<Pair> {
  const dead = new Set<string>()
  const store = sharedBy(inner, bootId => !dead.has(bootId))
  const a = await connectedNode({ store, ...options })
  return { a, b: createTestNode({ store, clock: a.clock, bootId: 'boot B' }), dead }
}

/** Advances the clock without a turn of this process in between. */
async function pause({ clock }: TestNode, ms: number): Promise<void> {
  clock.advance(ms)
  await settle()
}

type Body = (pair: Pair) => Promise<void>
/** Tests whose checks succeed at once, and tests whose checks wait until they are released. */
const PLAIN: Record<string, Body> = {}
const HELD: Record<string, (pair: Pair, letGo: () => void) => Promise<void>> = {}
const NEVER: Record<string, Body> = {}

PLAIN['the stored answer is sent again for 90 s, to the identical call only, by every node'] = async ({
  a,
  b,
}) => {
  assert.is(await a.submit(), FINE)
  await elapse(a.clock, 90_000)
  assert.equal([await a.submit(), await b.submit()], [FINE, FINE])
  assert.is(await b.submit('another'), 'refused DONE')
  await elapse(a.clock, 1)
  assert.equal([await a.submit(), await b.submit()], ['refused DONE', 'refused DONE'])
  assert.equal([a.checked.length, b.checked.length], [1, 0])
}

PLAIN['two nodes, identical submissions at once: one claim, one check, the same answer for both'] = async ({
  a,
  b,
}) => {
  assert.equal(await Promise.all([a.submit(), b.submit()]), [FINE, FINE])
  assert.is(a.checked.length + b.checked.length, 1)
  assert.is((await a.store.deliveries.list()).length, 1)
}

PLAIN['two nodes, different submissions at once: exactly one is accepted'] = async ({ a, b }) => {
  const outcomes = await Promise.all([a.submit('one'), b.submit('two')])
  assert.is(outcomes.filter(outcome => outcome === FINE).length, 1)
  assert.is(outcomes.filter(outcome => outcome.startsWith('refused')).length, 1)
  assert.is(a.checked.length + b.checked.length, 1)
}

PLAIN['a live actor that is older than the stored row is not used'] = async ({ a, b }) => {
  await a.open('t')
  await b.turn({ type: 'frontend.chose', method: 'pin' }, 't')
  assert.is(await b.connect('t'), 'PAIRING')
  assert.is(await a.turn({ type: 'frontend.paired' }, 't'), 'CONNECTED')
}

PLAIN['streams on every node get every change, in order'] = async ({ a, b }) => {
  const heard = [a.follow('t'), b.follow('t')]
  await a.open('t')
  await b.connect('t')
  await a.submit('proof', 't')
  await settle()
  assert.equal(heard, Array(2).fill(['INITIALIZED>CONNECTED', 'CONNECTED>DONE']))
}

HELD['an identical call waits for the same outcome, on any node; a different one is refused'] = async (
  { a, b },
  letGo,
) => {
  const waiting = [a.submit(), a.submit(), b.submit()]
  await settle()
  assert.is(await a.submit('another'), 'refused CONNECTED')
  assert.is(await a.turn({ type: 'app.failed' }), 'refused CONNECTED')
  await a.turn({ type: 'app.fetched' }) // changes neither the claim nor the waiting callers
  letGo()
  assert.equal(await Promise.all(waiting), [FINE, FINE, FINE])
  assert.equal([a.checked, b.checked], [[3], []])
}

HELD['a wait on another node ends within a second although its notification is lost'] = async (
  { a },
  letGo,
) => {
  const deaf = createTestNode({
    store: withChanges(a.store, { subscribe: () => () => {} }),
    clock: a.clock,
    bootId: 'boot C',
  })
  const first = a.submit()
  await settle()
  let answer = ''
  const waiting = deaf.submit().then(text => (answer = text))
  await settle()
  letGo()
  await first
  await settle()
  assert.is(answer, '')
  await elapse(a.clock, 1_000)
  assert.is(await waiting, FINE)
}

HELD['DELETE: CANCELLED at once, waiting callers are refused, the late outcome is dropped'] = async (
  { a, b },
  letGo,
) => {
  const waiting = [a.submit(), b.submit()]
  await settle()
  assert.is(await b.turn({ type: 'cancelled' }), 'CANCELLED')
  assert.equal(await Promise.all(waiting), ['refused CANCELLED', 'refused CANCELLED'])
  letGo()
  await settle()
  const row = await a.row()
  assert.equal([row?.status, row?.result, row?.claimedBody], ['CANCELLED', null, null])
  assert.equal(
    (await a.store.deliveries.list()).map(({ cause }) => cause),
    ['CANCELLED'],
  )
  assert.equal(a.reports, [])
}

HELD['15 seconds without an outcome: 503, the claim continues, and the same call again gets its answer'] =
  async ({ a }, letGo) => {
    const waiting = rejection(a.submit())
    await settle()
    await elapse(a.clock, 15_000)
    assert.match(await waiting, /^UnavailableError: no outcome in time/)
    const again = a.submit()
    await settle()
    letGo()
    assert.is(await again, FINE)
    assert.is(a.checked.length, 1)
  }

HELD['a late outcome is refused, also during the next claim'] = async ({ a }, letGo) => {
  const first = rejection(a.submit('one'))
  await settle()
  await pause(a, 30_000)
  assert.match(await first, /^UnavailableError/)
  const { claim } = (await a.row()) ?? {}
  assert.is(claim, null)
  const second = a.submit('two')
  await settle()
  const standing = (await a.row())?.claim
  assert.is(standing?.number, 5)
  letGo()
  assert.is(await second, FINE)
  const row = await a.row()
  assert.equal([row?.answered?.callHash, a.checked], ['two', [3, 5]])
}

NEVER['a node dies while it checks: the claim is void at once, waiting callers may call again, DONE once'] =
  async ({ a, b, dead }) => {
    void a.submit().catch(() => {}) // no caller reads it: its node is dead
    await settle()
    const waiting = rejection(b.submit())
    await settle()
    assert.is((await b.row())?.claim?.bootId, 'boot A')
    dead.add('boot A')
    await elapse(b.clock, 1_000)
    assert.match(await waiting, /^UnavailableError: the work on this call ended/)
    const row = await b.row()
    assert.equal([row?.status, row?.claim, row?.claimedBody], ['CONNECTED', null, null])
    assert.equal(b.checked, [], 'an answered effect is not performed on waking')
    assert.is(await b.submit(), FINE)
    assert.is((await b.store.deliveries.list()).length, 1)
  }

NEVER[
  'a repeated call after the death of a process needs no wait: one turn ends the void claim and makes a new one'
] = async ({ a, b, dead }) => {
  void a.submit().catch(() => {}) // no caller reads it: its node is dead
  await settle()
  dead.add('boot A')
  assert.is(await b.submit(), FINE)
  assert.equal(b.checked, [5])
}

NEVER['a process that is paused for longer than a lease loses its claims'] = async ({ a, b }) => {
  const waiting = rejection(a.submit())
  await settle()
  await pause(a, 29_999)
  assert.ok((await a.row())?.claim)
  await pause(a, 30_000)
  assert.match(await waiting, /^UnavailableError/)
  assert.is((await a.row())?.claim, null)
  assert.is(await b.submit(), FINE)
}

HELD['a claim of a live process is never void, even if its work waits for long'] = async (
  { a, b },
  letGo,
) => {
  const waiting = rejection(a.submit())
  await settle()
  await elapse(a.clock, 10 * MINUTE)
  assert.match(await waiting, /^UnavailableError: no outcome in time/)
  const again = [a.submit(), b.submit()]
  await settle()
  letGo()
  assert.equal(await Promise.all(again), [FINE, FINE])
  assert.equal([a.checked, b.checked], [[3], []])
}

HELD['callers see no renewal: the last answer is still repeated, and no stream reports it'] = async (
  { a },
  letGo,
) => {
  const changes = a.follow('s')
  const submitted = a.submit()
  await settle()
  const fetch = () =>
    a.sessions.call(idOf('s'), 'fetch', () => ({
      event: { type: 'app.fetched' },
      answer: answerOf('request'),
    }))
  await elapse(a.clock, 5_000)
  await fetch()
  const { version = 0, claim } = (await a.row()) ?? {}
  await elapse(a.clock, 5_000)
  const renewed = await a.row()
  assert.equal(
    [renewed?.version, renewed?.claim?.leaseUntil],
    [version + 1, (claim?.leaseUntil ?? 0) + 10_000],
  )
  const told = await fetch()
  assert.equal([told, (await a.row())?.version], [{ answer: answerOf('request') }, version + 1])
  letGo()
  assert.is(await submitted, FINE)
  assert.equal(changes, ['CONNECTED>DONE'])
}

NEVER[
  'no timeout during a claim; if the claim is void after the deadline, the timeout counts from the deadline'
] = async ({ a }) => {
  await elapse(a.clock, 5 * MINUTE - 1)
  const deadlineAt = (await a.row())?.deadlineAt ?? 0
  void a.submit().catch(() => {}) // the call ends with an error after 15 s
  await settle()
  await elapse(a.clock, 60_000)
  assert.equal([(await a.row())?.status, (await a.row())?.deadlineAt], ['CONNECTED', deadlineAt])
  await pause(a, 30_000)
  const row = await a.row()
  assert.equal([row?.status, row?.deadlineAt], ['TIMEOUT', deadlineAt + 5 * MINUTE])
}

for (const [name, open] of Object.entries(STORES)) {
  const Law = suite(`spec/laws#2: handled once (${name})`)
  const add = (title: string, options: NodeOptions, body: Body): void =>
    Law(title, async () => {
      const store = await open()
      await body(await pairOn(store, options))
      await store.close()
    })
  for (const [title, body] of Object.entries(PLAIN)) add(title, {}, body)
  for (const [title, body] of Object.entries(HELD)) {
    const { promise, resolve } = deferred()
    add(title, { check: () => promise.then(() => VALID) }, pair => body(pair, () => resolve()))
  }
  for (const [title, body] of Object.entries(NEVER)) add(title, { check: () => new Promise(() => {}) }, body)
  Law.run()
}
