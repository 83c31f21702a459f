/** Streams of revocation updates with several nodes. A revocation at one node reaches the streams of all nodes, even if another node signs again meanwhile
 *  (spec/cryptography#14.7). @module */
import * as assert from 'uvu/assert'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { RevocationStore } from '../../stores/revocation-store.ts'
import { BADGE, credential, NOW_SEC, there } from '../actors/authority.ts'
import { elapse } from '../actors/node.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { following } from './following.ts'
import { type RevocationServer, startRevocationServer } from './revocation-server.ts'

const Nodes = suite('streams of revocation updates over nodes')

/** Two authorities on one store.
 *  @param isShared true if the store reports that several nodes use it */
async function withTwo(
  use: (a: RevocationServer, b: RevocationServer) => Promise<void>,
  isShared = true,
): Promise<void> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const inner = createMemoryStore()
  const store = withChanges(inner, { nodes: { ...inner.nodes, isShared } })
  const a = await startRevocationServer({ clock, store })
  const b = await startRevocationServer({ clock, store })
  try {
    await elapse(clock, 0)
    await use(a, b)
  } finally {
    await b.close()
    await a.close()
  }
}

/** A list that gets the later updates of its streams: for each update the indices of its events. */
function toldBy({ revocation }: RevocationServer): (readonly number[])[] {
  const told: (readonly number[])[] = []
  const listener = ({ events }: RevocationUpdate) => void told.push(events.map(({ index }) => index))
  there(revocation.served(BADGE)).follow(listener)
  return told
}

async function revoke({ revocation }: RevocationServer, key: string): Promise<void> {
  await revocation.issue(credential(key))
  await revocation.revoke(BADGE, key, null)
}

Nodes('a revocation at one node reaches the streams of the other within a second, once at each node', () =>
  withTwo(async (a, b) => {
    const [toldA, toldB] = [toldBy(a), toldBy(b)]
    await revoke(a, 'one')
    assert.equal([toldA, toldB], [[[1]], []])
    await elapse(a.clock, 1_000)
    await elapse(a.clock, 5_000)
    assert.equal([toldA, toldB], [[[1]], [[1]]])
  }),
)

Nodes('events of both nodes between two readings of the store are sent together, in order, and once', () =>
  withTwo(async (a, b) => {
    const [toldA, toldB] = [toldBy(a), toldBy(b)]
    await revoke(a, 'one')
    await revoke(b, 'two')
    await revoke(a, 'three')
    await elapse(a.clock, 1_000)
    await elapse(a.clock, 5_000)
    assert.equal(toldA, [[1], [2, 3]])
    assert.equal(toldB, [[1, 2, 3]])
  }),
)

Nodes('an accumulator that the other node signed again has no events', () =>
  withTwo(async (a, b) => {
    const toldB = toldBy(b)
    await elapse(a.clock, 61_000)
    assert.ok(toldB.length > 0)
    assert.ok(toldB.every(indices => indices.length === 0))
  }),
)

Nodes('a node whose store is not shared does not read the store for updates', () =>
  withTwo(async (a, b) => {
    const toldB = toldBy(b)
    await revoke(a, 'one')
    await elapse(a.clock, 5_000)
    assert.equal(toldB, [])
  }, false),
)

Nodes('a node that serves no updates does not read the store for updates', async () => {
  const inner = createMemoryStore()
  let looks = 0
  const loadAll: RevocationStore['loadAll'] = async type => {
    looks++
    return inner.revocation.loadAll(type)
  }
  const [nodes, revocation] = [{ ...inner.nodes, isShared: true }, withRevocation(inner, { loadAll })]
  const settings = [[BADGE, following('http://127.0.0.1:9/svc', { isServer: false })]] as const
  const server = await startRevocationServer({ settings, store: withChanges(inner, { nodes, revocation }) })
  for (let second = 0; second < 5; second++) await elapse(server.clock, 1_000)
  assert.is(looks, 0)
  await server.close()
})

Nodes.run()
