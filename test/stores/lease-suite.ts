/** The rules of every shared store for the lease of a node: after its end, no commit of the node succeeds. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { Commit, SessionServerStore } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { suite } from '../suite.ts'
import { commitAccumulators, commitSession } from './commits.ts'
import { failureOf, until } from './other-connection.ts'
import { accumulatorRow, eventRow, firstOf } from './revocation-suite.ts'
import { owedRow, sessionRow } from './rows.ts'

export type Leased = {
  readonly open: (bootId: string, clock?: SimulatedClock) => Promise<SessionServerStore>
  /** Lets the lease of that node expire. */
  readonly endLease: (bootId: string) => Promise<void>
}

const CHANGE = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
const MOVED = { id: 'id-s', version: 1, row: sessionRow('s', { version: 2, status: 'CONNECTED' }) }

/** Each would succeed for a node that is alive. */
const COMMITS: Readonly<Record<string, Commit>> = {
  'a new session': { session: { id: 'id-new', version: 0, row: sessionRow('new') } },
  'a session that changes, with a delivery': {
    session: MOVED,
    inserts: { change: CHANGE, owed: [owedRow('new')] },
  },
  'a session with the next one of its chain': {
    session: MOVED,
    inserts: { change: CHANGE, sessions: [sessionRow('new')] },
  },
  'a session that is deleted': { session: { ...MOVED, row: null } },
  'a delivery that changes': { delivery: { id: 'd', version: 1, row: owedRow('d', { version: 2 }) } },
  'a delivery that is deleted': { delivery: { id: 'd', version: 1, row: null } },
  'a revocation': {
    accumulators: [{ row: accumulatorRow({ version: 2, index: 1 }), events: [eventRow(1)] }],
  },
}

/** Everything that one of the commits would change. */
async function storedIn({ sessions, deliveries, revocation }: SessionServerStore): Promise<unknown> {
  const { type, keyCounter } = accumulatorRow()
  return [
    await Promise.all(['id-s', 'id-new'].map(async id => (await sessions.load(id))?.version)),
    (await deliveries.list()).map(({ id, version }) => `${id} ${version}`),
    (await revocation.load(type, keyCounter))?.version,
  ]
}

async function hold({ open, endLease }: Leased, commit: Commit): Promise<void> {
  const clock = createSimulatedClock(Date.now()) // the lease is renewed only when the test advances the clock
  const [node, other] = [await open('boot A', clock), await open('boot B')]
  try {
    assert.ok(await commitSession(other, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    assert.ok(await commitAccumulators(other, [firstOf()]))
    const before = await storedIn(other)
    const heard: unknown[] = []
    for (const store of [node, other]) store.subscribe(id => heard.push(id))
    await endLease('boot A')
    const failure = await failureOf(node.commit(commit))
    assert.instance(failure, StoreError)
    assert.match(failure.message, /expected a lease that this node renewed in time, got one that has expired/)
    assert.equal([await storedIn(other), heard], [before, []])
    clock.advance(3_000)
    await until(() => other.nodes.isAlive('boot A'))
    assert.ok(await node.commit(commit))
    assert.not.equal(await storedIn(other), before)
  } finally {
    for (const store of [node, other]) await store.close()
  }
}

/** @param start returns an empty store */
export function runLeaseSuite(name: string, start: () => Promise<Leased>, isSkipped: boolean): void {
  const Lease = suite(`leases of nodes: ${name}`)
  const test = isSkipped ? Lease.skip : Lease

  for (const [what, commit] of Object.entries(COMMITS))
    test(`a node with an expired lease cannot commit until it has renewed the lease: ${what}`, async () =>
      hold(await start(), commit))

  test('other nodes see a node as dead when its lease has expired, and at once when it is closed', async () => {
    const { open, endLease } = await start()
    const [node, other] = [await open('boot A', createSimulatedClock(Date.now())), await open('boot B')]
    assert.equal([await other.nodes.isAlive('boot A'), await other.nodes.isAlive('boot C')], [true, false])
    await endLease('boot A')
    assert.equal([await other.nodes.isAlive('boot A'), await node.nodes.isAlive('boot B')], [false, true])
    await other.close()
    assert.is(await node.nodes.isAlive('boot B'), false)
    await node.close()
  })

  Lease.run()
}
