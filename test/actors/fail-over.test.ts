/** A store that loses its last commits, as after a fail-over to a replica that was behind:
 *
 *      node A            store                      node B
 *      commit 3 ───────▶ 3 (CONNECTED)
 *                        fail-over: 2 again
 *                        3 (CANCELLED) ◀────────────────────── commit 3
 *      row 3 is read; the live actor of A has the lost version 3
 *
 *  A notice that commits may have been missed makes A forget all rows that it knew. @module */
import * as assert from 'uvu/assert'
import type { AttemptOutcome } from '../../actors/deliveries/attempt.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { AccountRow } from '../../stores/account-store.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { commitAccount } from '../stores/account-rows.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { bytesOf, enter, withAccount } from './accounts/nodes.ts'
import { connectedNode, createTestNode, deferred, elapse, settle, type TestNode, VALID } from './node.ts'

type Rows = {
  readonly sessions?: readonly SessionRow[]
  readonly deliveries?: readonly DeliveryRow[]
  readonly accounts?: readonly AccountRow[]
}

type Failing = {
  readonly store: Store
  /** Replaces all rows of the store with these.
   *  @param isTold false: the node is not notified that it may have missed commits */
  readonly failOver: (rows: Rows, isTold?: boolean) => Promise<void>
}

async function storeOf({ sessions = [], deliveries = [], accounts = [] }: Rows): Promise<Store> {
  const store = createMemoryStore()
  for (const row of sessions) await commitSession(store, row.id, 0, row)
  if (deliveries.length > 0)
    await commitSession(store, 'id-owing', 0, sessionRow('owing'), { owed: deliveries })
  for (const row of accounts) await commitAccount(store, 0, row)
  return store
}

function failingStore(): Failing {
  let inner = createMemoryStore()
  const missed = new Set<() => void>()
  const store: Store = {
    get sessions() {
      return inner.sessions
    },
    get deliveries() {
      return inner.deliveries
    },
    get accounts() {
      return inner.accounts
    },
    revocation: inner.revocation,
    oidc: inner.oidc,
    nodes: inner.nodes,
    outage: inner.outage,
    close: async () => {},
    commit: commit => inner.commit(commit),
    subscribe: (_listener, again = () => {}) => {
      missed.add(again)
      return () => missed.delete(again)
    },
  }
  const failOver = async (rows: Rows, isTold = true): Promise<void> => {
    inner = await storeOf(rows)
    if (isTold) for (const again of missed) again()
  }
  return { store, failOver }
}

async function rowOf(node: Pick<TestNode, 'row'>): Promise<SessionRow> {
  const row = await node.row()
  if (row === null) throw new TypeError('expected a session, got none')
  return row
}

/** The row after another node has changed it. */
async function movedElsewhere(row: SessionRow, move: (node: TestNode) => Promise<unknown>) {
  const forEver = () => new Promise<never>(() => {})
  const other = createTestNode({
    store: await storeOf({ sessions: [row] }),
    bootId: 'boot B',
    check: forEver,
  })
  void move(other).catch(() => {})
  await settle()
  return rowOf(other)
}

/** A node with a session whose submission is being checked until the test gives the outcome. `kept` is the row before the submission.
 *  @param between an event after `kept` was read, and before the submission */
async function checkingNode(between?: SessionEvent) {
  const { store, failOver } = failingStore()
  const checks: { readonly signal: AbortSignal; readonly end: (outcome: typeof VALID) => void }[] = []
  const check = (_row: SessionRow, signal: AbortSignal): Promise<typeof VALID> => {
    const { promise, resolve: end } = deferred<typeof VALID>()
    checks.push({ signal, end })
    return promise
  }
  const node = await connectedNode({ store, check })
  const kept = await rowOf(node)
  if (between) await node.turn(between)
  void node.submit('one').catch(() => {})
  await settle()
  return { node, kept, checks, failOver }
}

const FailOver = suite('a store that has lost commits')

FailOver('a live actor of a lost commit is not used for another row with the same version', async () => {
  const { store, failOver } = failingStore()
  const node = createTestNode({ store })
  const kept = await node.open()
  assert.is(await node.connect(), 'CONNECTED')
  const lost = await rowOf(node)
  const other = await movedElsewhere(kept, ({ turn }) => turn({ type: 'cancelled' }))
  assert.is(other.version, lost.version)
  await failOver({ sessions: [other] })
  assert.not(node.sessions.can(other, { type: 'cancelled' }))
  assert.is(await node.turn({ type: 'cancelled' }), 'refused CANCELLED')
  assert.equal(await node.row(), other)
})

for (const isKept of [true, false])
  FailOver(`work on a lost claim ends, if the store has ${isKept ? 'an older row' : 'no row'}`, async () => {
    const { kept, checks, failOver, node } = await checkingNode()
    await elapse(node.clock, 16_000) // no caller waits for the outcome any more
    await failOver({ sessions: isKept ? [kept] : [] })
    await settle()
    assert.ok(checks[0]?.signal.aborted)
    checks[0]?.end(VALID)
    await settle()
    assert.equal([await node.row(), node.reports], [isKept ? kept : null, []])
  })

for (const isTold of [true, false])
  FailOver(
    `the outcome of a lost claim is not committed for a claim of another node with its number (loss noticed: ${isTold})`,
    async () => {
      const { kept, checks, failOver, node } = await checkingNode()
      const number = (await rowOf(node)).claim?.number
      const other = await movedElsewhere(kept, ({ submit }) => submit('one'))
      assert.equal([other.claim?.number, other.claim?.bootId], [number, 'boot B'])
      await failOver({ sessions: [other] }, isTold)
      checks[0]?.end(VALID)
      await settle()
      assert.equal([await node.row(), checks.length], [other, 1])
      assert.ok(checks[0]?.signal.aborted)
    },
  )

FailOver(
  'the outcome of a lost claim is not committed for a claim on another submission, which keeps its lease',
  async () => {
    const { kept, checks, failOver, node } = await checkingNode()
    const number = (await rowOf(node)).claim?.number
    await failOver({ sessions: [kept] })
    void node.submit('two').catch(() => {})
    await settle()
    assert.is((await rowOf(node)).claim?.number, number)
    checks[0]?.end(VALID)
    await elapse(node.clock, 60_000)
    const { status, claim, claimedBody } = await rowOf(node)
    assert.equal([status, claim?.number, claimedBody], ['CONNECTED', number, 'two'])
    checks[1]?.end(VALID)
    await settle()
    assert.is((await rowOf(node)).status, 'DONE')
  },
)

FailOver(
  'work on a lost claim ends when the node makes another claim, even before it has noticed the loss',
  async () => {
    const { kept, checks, failOver, node } = await checkingNode({ type: 'app.fetched' })
    const lost = (await rowOf(node)).claim?.number ?? 0
    await failOver({ sessions: [kept] }, false)
    void node.submit('two').catch(() => {})
    await settle()
    assert.ok(((await rowOf(node)).claim?.number ?? lost) < lost)
    assert.equal(
      checks.map(({ signal }) => signal.aborted),
      [true, false],
    )
    for (const { end } of checks) end(VALID)
    await settle()
    assert.is((await rowOf(node)).status, 'DONE')
  },
)

FailOver('the live actor of a delivery is not used for another row with the same version', async () => {
  const { store, failOver } = failingStore()
  const waiting = owedRow('d', { dueAt: 1_000, giveUpAt: 90_000_000 })
  await failOver({ deliveries: [waiting] })
  const { promise, resolve } = deferred<AttemptOutcome>()
  const clock = createSimulatedClock(1_000)
  const post = (): Promise<AttemptOutcome> => promise
  createDeliveries({ store, clock, bootId: 'boot A', post, notify() {}, report() {} })
  await settle()
  assert.is((await store.deliveries.load('d'))?.state, 'sending')
  const other = { ...waiting, version: 2, dueAt: 50_000 }
  await failOver({ deliveries: [other] })
  resolve({ event: { type: 'receiver.accepted', attempt: 1 }, words: 'answered 204' })
  await settle()
  assert.equal(await store.deliveries.load('d'), other)
})

FailOver('the live actor of an account is not used for another row with the same version', async () => {
  await withAccount(async ({ node, nodes, row }) => {
    const { store, failOver } = failingStore()
    await failOver({ accounts: [await row()] })
    const accounts = node({ store })
    await enter(accounts, { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
    const commitment = { lastKey: 'x.y-0', hashedComms: null, sealedRandomizer: bytesOf('w') }
    await enter(nodes[0], { type: 'app.requestedCommitments', version: 'v1' }, { commitment })
    await failOver({ accounts: [await row()] })
    const { isRefused } = await enter(accounts, { type: 'app.requestedResponse', version: 'v1' })
    assert.not(isRefused)
  })
})

FailOver.run()
