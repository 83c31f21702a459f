/** A node that caches rows of a shared store. A step may begin with a cached row, but every answer, refusal and error follows from the stored row. */
import * as assert from 'uvu/assert'
import { sessionChart } from '../../machines/session.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { rejection } from '../faults/rejection.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import {
  createTestNode,
  deferred,
  idOf,
  MINUTE,
  type NodeOptions,
  settle,
  type TestNode,
  VALID,
} from './node.ts'

const Recent = suite('cached rows of a node')

const CHOICE: SessionEvent = { type: 'frontend.chose', method: 'pin' }

type Keeping = { readonly node: TestNode; readonly other: TestNode; kept: SessionRow | null; loads: number }

/** Two nodes on one store. One of them caches the row of the session. */
async function keepingNode(options: NodeOptions = {}): Promise<Keeping> {
  const other = createTestNode(options)
  const { store, clock } = other
  const keeping = { other, kept: null as SessionRow | null, loads: 0 }
  const sessions = withSessions(store, {
    recent: () => keeping.kept,
    load: id => {
      keeping.loads += 1
      return store.sessions.load(id)
    },
  })
  const commit: Store['commit'] = async commit => {
    const isMade = await store.commit(commit)
    if (isMade && commit.session) keeping.kept = commit.session.row
    return isMade
  }
  const node = createTestNode({
    store: withChanges(store, { sessions, commit }),
    clock,
    bootId: 'boot B',
    ...(options.chart && { chart: options.chart }),
  })
  await other.open()
  keeping.kept = await other.row()
  return Object.assign(keeping, { node })
}

Recent('a step that is committed on a cached row reads no row', async () => {
  const keeping = await keepingNode()
  keeping.loads = 0
  assert.is(await keeping.node.connect(), 'CONNECTED')
  assert.is(keeping.loads, 0)
  assert.is((await keeping.other.row())?.version, 2)
})

Recent('a submission that this node works on reads no row, nor does its outcome', async () => {
  const keeping = await keepingNode()
  await keeping.node.connect()
  keeping.loads = 0
  assert.is(await keeping.node.submit(), '{"proofStatus":"VALID"}')
  assert.is(keeping.loads, 0)
})

Recent(
  'the row of a claim of another node is read again at once: the claim may have ended before the wait',
  async () => {
    const checked = deferred<typeof VALID>()
    const keeping = await keepingNode({ check: () => checked.promise })
    await keeping.other.connect()
    const first = keeping.other.submit()
    await settle()
    keeping.loads = 0
    const repeated = keeping.node.submit()
    await settle()
    assert.is(keeping.loads, 2)
    checked.resolve(VALID)
    assert.equal(await Promise.all([first, repeated]), Array(2).fill('{"proofStatus":"VALID"}'))
  },
)

Recent('a step on a cached row that another node has changed begins again on the stored row', async () => {
  const keeping = await keepingNode()
  await keeping.other.turn({ type: 'cancelled' })
  assert.is(
    await keeping.node.turn(CHOICE),
    'refused CANCELLED',
    'the status of the cached row would accept the event',
  )
  assert.is((await keeping.other.row())?.version, 2)
})

Recent('a refused event changes nothing, if the cached row equals the stored one', async () => {
  const keeping = await keepingNode()
  assert.is(await keeping.node.submit(), 'refused INITIALIZED')
  assert.is((await keeping.other.row())?.version, 1)
})

Recent('an overdue deadline of a cached row takes effect before the event', async () => {
  const keeping = await keepingNode()
  keeping.node.clock.advance(5 * MINUTE)
  assert.is(await keeping.node.connect(), 'refused TIMEOUT')
})

Recent('an error of a chart on a cached row is reported as on any other row', async () => {
  const notePairing = (): never => {
    throw new Error('boom')
  }
  const chart = sessionChart.provide({ actions: { notePairing } })
  const { node } = await keepingNode({ chart })
  assert.match(await rejection(node.turn(CHOICE)), /^InternalError/)
  assert.equal(node.reports, [`${idOf('s')}: boom`])
})

Recent('an event that the cached row would refuse is tried on the stored row', async () => {
  const keeping = await keepingNode()
  await keeping.other.connect()
  assert.is(await keeping.node.submit(), '{"proofStatus":"VALID"}')
})

Recent('errors, and results without a step, come from the stored row', async () => {
  const keeping = await keepingNode()
  await keeping.other.connect()
  const seen: string[] = []
  const { row } = Object(
    await keeping.node.sessions.turn(idOf('s'), row => {
      seen.push(row.status)
      return null
    }),
  )
  assert.is(row.status, 'CONNECTED')
  const error = await keeping.node.sessions
    .turn(idOf('s'), row => {
      throw new Error(row.status)
    })
    .catch((thrown: Error) => thrown.message)
  assert.is(error, 'CONNECTED')
  assert.equal(seen, ['INITIALIZED', 'CONNECTED'])
})

Recent('a session whose row was deleted meanwhile is unknown', async () => {
  const keeping = await keepingNode()
  const { store } = keeping.other
  assert.ok(await store.commit({ session: { id: idOf('s'), version: 1, row: null } }))
  assert.is(await keeping.node.connect(), 'refused unknown')
})

Recent.run()
