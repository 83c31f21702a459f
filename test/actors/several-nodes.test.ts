/** Due work in a store that several nodes share: each piece is done once and within a second, by any node that is alive. @module */
import * as assert from 'uvu/assert'
import { Deadlines, NodeSpread } from '../../actors/deadlines.ts'
import type { AttemptOutcome } from '../../actors/deliveries/attempt.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { SharedStore, type StoreView } from '../interleavings/shared-store.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { createTestNode, elapse, newSessionOf, settle } from './node.ts'

const START = Date.UTC(2026, 10, 22)
const SECOND = 1_000

type Node = {
  readonly view: StoreView
  readonly posted: (readonly [id: string, afterMs: number, attempt: number])[]
}

/** Nodes that make deliveries, on one store. */
function deliveringNodes(names: readonly string[], clock = createSimulatedClock(START)) {
  const store = new SharedStore(
    () => clock.now(),
    () => {},
  )
  const start = (bootId: string): Node => {
    const view = store.view(0)
    const posted: [string, number, number][] = []
    createDeliveries({
      store: view.store,
      clock,
      bootId,
      notify() {},
      report() {},
      async post({ id, attempts }): Promise<AttemptOutcome> {
        posted.push([id, clock.now() - START, attempts])
        return { event: { type: 'receiver.accepted', attempt: attempts }, words: 'answered 204' }
      },
    })
    return { view, posted }
  }
  return { clock, store, nodes: names.map(start) }
}

function owedNow(id: string): DeliveryRow {
  return owedRow(id, { dueAt: START, owedAt: START, giveUpAt: START + 24 * 3_600_000 })
}

/** A commit of that node that inserts these deliveries. */
function owe({ view }: Node, ids: readonly string[]): Promise<boolean> {
  return commitSession(view.store, `id-${ids[0]}`, 0, sessionRow(ids[0] ?? ''), { owed: ids.map(owedNow) })
}

function only<T>(values: readonly T[]): T {
  const [value] = values
  if (value === undefined) throw new TypeError('expected a value, got none')
  return value
}

const Several = suite('several nodes on one store')

Several('the callbacks of a killed node are delivered by another node within a second', async () => {
  const { clock, nodes } = deliveringNodes(['boot A', 'boot B', 'boot C'])
  await settle()
  const [killed, ...others] = nodes
  if (!killed) return assert.unreachable()
  killed.view.store.subscribe(() => {
    killed.view.fate = 'gone'
  })
  void owe(killed, ['d']) // the node is gone before it gets the result of the commit
  await elapse(clock, 10 * SECOND)
  const posted = others.flatMap(node => node.posted)
  assert.equal([killed.posted, posted.map(([id]) => id)], [[], ['d']])
  const [, afterMs] = only(posted)
  assert.ok(afterMs <= SECOND, `${afterMs} ms`)
})

Several(
  'an attempt whose lease elapsed before the post is not made, because another node may have made it',
  async () => {
    const { clock, store, nodes } = deliveringNodes(['boot A'])
    await settle()
    const paused = only(nodes)
    const { view } = paused
    view.store.subscribe(() => {
      view.isHeld = true
    })
    void owe(paused, ['d'])
    await settle()
    for (let i = 0; (await store.inner.deliveries.load('d'))?.state !== 'sending'; i++) {
      if (i > 10) assert.unreachable('expected an attempt that is committed and has not begun')
      for (const go of view.waiting.splice(0)) go()
      await settle()
    }
    clock.advance(31 * SECOND)
    view.isHeld = false
    for (const go of view.waiting.splice(0)) go()
    await settle()
    await elapse(clock, SECOND)
    assert.equal(paused.posted, [['d', 31 * SECOND, 2]])
  },
)

Several('200 callbacks to one host are posted once each, by all nodes, with few wasted commits', async () => {
  const { clock, store, nodes } = deliveringNodes(['boot A', 'boot B', 'boot C'])
  let asked = 0
  for (const { view } of nodes) {
    const { commit } = view.store
    Object.assign(view.store, {
      commit: (...args: Parameters<typeof commit>) => {
        asked += 1
        return commit(...args)
      },
    })
  }
  await settle()
  const ids = Array.from({ length: 200 }, (_, i) => `d${i}`)
  // committed by a node that is gone, so no node is notified
  await commitSession(store.inner, 'id-s', 0, sessionRow('s'), { owed: ids.map(owedNow) })
  await elapse(clock, 5 * SECOND)
  const posted = nodes.flatMap(node => node.posted.map(([id]) => id))
  assert.equal(posted.sort(), ids.sort())
  assert.ok(asked < 2 * ids.length * 1.25, `expected two commits for each, got ${asked} for ${ids.length}`)
})

for (const count of [1, 3])
  Several(
    `each of 300 deadlines fires once and within a second, on ${count} nodes that are left of 4`,
    async () => {
      const clock = createSimulatedClock(START)
      const store = new SharedStore(
        () => clock.now(),
        () => {},
      )
      const views = ['boot A', 'boot B', 'boot C', 'boot D'].map(bootId => {
        const view = store.view(0)
        return { view, node: createTestNode({ store: view.store, clock, bootId }) }
      })
      const [first] = views
      if (!first) return assert.unreachable()
      for (let i = 0; i < 300; i++)
        await first.node.sessions.open(
          newSessionOf(`s${i}`, { timeoutMs: 2_000 + ((i * 7_919) % 30_000), hasCallback: false }),
        )
      for (const { view } of views.slice(0, views.length - count)) view.fate = 'gone'
      await elapse(clock, 40 * SECOND)
      const lateMs = store.committed.flatMap(({ row, at, id }) => {
        const opened = store.committed.find(each => each.id === id && each.row?.version === 1)?.row
        return row?.status === 'TIMEOUT' && opened ? [at - opened.deadlineAt] : []
      })
      assert.is(lateMs.length, 300)
      assert.ok(Math.min(...lateMs) >= 0 && Math.max(...lateMs) <= SECOND, `${Math.max(...lateMs)} ms late`)
    },
  )

/** Nodes that look for due rows. The rows stay due. @returns for each node the names that it entered, and the times of its looks */
async function lookers(bootIds: readonly string[], names: readonly string[], dueAt: number) {
  const clock = createSimulatedClock(START)
  const looked = bootIds.map(bootId => {
    const node = { entered: [] as string[], looks: [] as number[] }
    const deadlines = new Deadlines({
      clock,
      apart: new NodeSpread(bootId),
      report() {},
      async due(at) {
        node.looks.push(at)
        return at >= dueAt ? names : []
      },
      nextAfter: async at => (at < dueAt ? dueAt : null),
      enter: async name => void node.entered.push(name),
    })
    deadlines.start()
    return { ...node, close: () => deadlines.close() }
  })
  await elapse(clock, 700)
  for (const { close } of looked) close()
  return looked
}

Several('rows that are due at one time: the nodes look for them one after the other', async () => {
  const dueAt = START + 300
  const looked = await lookers(['boot A', 'boot B', 'boot C', 'boot D'], [], dueAt)
  const first = looked.map(({ looks }) => looks.find(at => at >= dueAt) ?? Number.NaN)
  assert.ok(
    first.every(at => at < dueAt + 400),
    `${first}`,
  )
  assert.is(new Set(first).size, 4, `${first}`)
})

Several('each node begins with a different one of the due rows', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `${i}`)
  const looked = await lookers(['boot A', 'boot B', 'boot C'], names, START)
  for (const { entered } of looked)
    assert.equal([...new Set(entered)].sort(), [...names].sort(), 'each node enters all rows')
  assert.is(new Set(looked.map(({ entered }) => entered[0])).size, 3)
})

Several('a busy store is looked at ten times a second at most, and not at each deadline', async () => {
  const clock = createSimulatedClock(START)
  const view = new SharedStore(
    () => clock.now(),
    () => {},
  ).view(0)
  const looks: number[] = []
  const { sessions } = view.store
  Object.assign(sessions, {
    due: async (at: number) => {
      looks.push(at)
      return []
    },
    nextDueAfter: async (at: number) => at + 1,
  })
  createTestNode({ store: view.store, clock })
  await elapse(clock, 10 * SECOND)
  const pauses = looks.slice(1).map((at, i) => at - (looks[i] ?? 0))
  assert.is(Math.min(...pauses), 100, `${pauses}`)
})

Several.run()
