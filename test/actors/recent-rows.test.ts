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

const Recent = suite('rows that a node keeps')

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

Recent('a step that is committed on a kept row reads no row', async () => {
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
  'a claim of another node is read again at once: its end may have come before anybody waited for it',
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

Recent('a step on a row that another node has changed begins again on the stored one', async () => {
  const keeping = await keepingNode()
  await keeping.other.turn({ type: 'cancelled' })
  assert.is(await keeping.node.turn(CHOICE), 'refused CANCELLED', 'which the status of the kept row takes')
  assert.is((await keeping.other.row())?.version, 2)
})

Recent('what is refused changes nothing, though the kept row is the stored one', async () => {
  const keeping = await keepingNode()
  assert.is(await keeping.node.submit(), 'refused INITIALIZED')
  assert.is((await keeping.other.row())?.version, 1)
})

Recent('what is overdue on a kept row happens before the event that came', async () => {
  const keeping = await keepingNode()
  keeping.node.clock.advance(5 * MINUTE)
  assert.is(await keeping.node.connect(), 'refused TIMEOUT')
})

Recent('a chart that fails on a kept row fails as on any other', async () => {
  const notePairing = (): never => {
    throw new Error('boom')
  }
  const chart = sessionChart.provide({ actions: { notePairing } })
  const { node } = await keepingNode({ chart })
  assert.match(await rejection(node.turn(CHOICE)), /^InternalError/)
  assert.equal(node.reports, [`${idOf('s')}: boom`])
})

Recent('what a kept row would refuse is asked of the stored one', async () => {
  const keeping = await keepingNode()
  await keeping.other.connect()
  assert.is(await keeping.node.submit(), '{"proofStatus":"VALID"}')
})

Recent('what is thrown, or comes of no step, is of the stored row', async () => {
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

Recent('a row that is forgotten meanwhile is unknown', async () => {
  const keeping = await keepingNode()
  const { store } = keeping.other
  assert.ok(await store.commit({ session: { id: idOf('s'), version: 1, row: null } }))
  assert.is(await keeping.node.connect(), 'refused unknown')
})

Recent.run()
