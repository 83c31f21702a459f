/** The keyshare login chart behind the gate: two nodes on one store, each turn of a row one compare-and-set. The rows here hold what the chart asks for and no secret. @module */
import * as assert from 'uvu/assert'
import { Gate } from '../../actors/gate.ts'
import type { Kind } from '../../actors/kind.ts'
import { LOGIN_CHART, type LoginSnapshot, loginChart } from '../../machines/keyshare-login.ts'
import type { LoginEvent, StampedLoginEvent } from '../../machines/login-events.ts'
import {
  hasChallenge,
  loginDueAt,
  loginStateOf,
  loginTimeEvent,
  newLogin,
  pendingCommitment,
  type StoredLogin,
  storeLogin,
  wakeLogin,
} from '../../machines/login-snapshot.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { RowChange } from '../../stores/store.ts'
import { suite } from '../suite.ts'

type Row = StoredLogin & {
  readonly id: string
  readonly version: number
  readonly chart: number | null
  /** stand for the challenge and for w_k */
  readonly challenge: string | null
  readonly commitment: string | null
}
type Written = { readonly challenge: string; readonly commitment: string }
type Login = {
  readonly row: Row
  readonly event: LoginEvent
  readonly stamped: StampedLoginEvent
  readonly snapshot: LoginSnapshot
  readonly effect: never
  readonly written: Written
  readonly inserts: { readonly log?: readonly string[] }
}

/** A commit that stores nothing new would leave the one that was taken before. */
function required(value: string | undefined): string {
  if (value === undefined) throw new Error('expected what is to be stored, got nothing')
  return value
}

const kind: Kind<Login> = {
  name: 'login',
  chart: loginChart,
  number: LOGIN_CHART,
  effects: [],
  wake: row => wakeLogin(loginChart, row.chart ?? 0, row),
  stamped: (event, { version }, at) =>
    event.type === 'app.answered' || event.type === 'app.sentPin'
      ? { ...event, at, attempt: version + 1 }
      : { ...event, at },
  dueAt: row => loginDueAt(wakeLogin(loginChart, LOGIN_CHART, row)) ?? Number.POSITIVE_INFINITY,
  workerOf: () => null,
  timeEvent(_row, snapshot, now) {
    const event = loginTimeEvent(snapshot, now)
    if (event === null) throw new Error('a login is due where its chart waits for nothing')
    return event
  },
  rowAfter(before, { snapshot, named, written }) {
    if (loginStateOf(snapshot) === null) return null
    const challenge = named.includes('storeChallenge') ? required(written.challenge) : before.challenge
    const commitment = named.includes('storeCommitment') ? required(written.commitment) : before.commitment
    return {
      ...before,
      ...storeLogin(snapshot),
      version: before.version + 1,
      challenge: hasChallenge(snapshot) ? challenge : null,
      commitment: pendingCommitment(snapshot) ? commitment : null,
    }
  },
  insertsOf: (_before, _after, { named }) => ({ log: named.filter(name => name.startsWith('log')) }),
  closed: row => ({ row: { ...row, version: row.version + 1, chart: null, snapshot: null }, inserts: {} }),
}

/** Two nodes and their store; a commit takes a moment, so that the nodes race. */
async function createNodes() {
  const clock = createSimulatedClock(1_000)
  const log: string[] = []
  const failures: unknown[] = []
  let stored: Row | null = null
  const rows = {
    load: async () => stored,
    async commit({ version, row }: RowChange<Row>, inserts: Login['inserts']): Promise<boolean> {
      await Promise.resolve()
      if ((stored?.version ?? 0) !== version) return false
      stored = row && structuredClone(row)
      log.push(...(inserts.log ?? []))
      return true
    },
  }
  const createGate = (bootId: string) =>
    new Gate<Login>({
      ...{ kind, rows, clock, bootId, maxLive: 4 },
      isAlive: async () => true,
      isWorkedOn: () => true,
      perform: () => {},
      noteDue: () => {},
      see: () => {},
      report: (_id, error) => failures.push(error),
    })
  const nodes = [createGate('a'), createGate('b')] as const
  const account = storeLogin(newLogin(loginChart, { isDeviceBound: true }))
  const first = { ...account, id: 'user', version: 1, chart: LOGIN_CHART, challenge: null, commitment: null }
  await nodes[0].open(first, {})
  return { nodes, clock, log, failures, row: () => stored }
}

function enter(gate: Gate<Login>, event: LoginEvent, written: Partial<Written> = {}) {
  return gate.enter('user', () => ({ event, written: () => written }))
}

const Gated = suite('keyshare login chart: behind the gate')

Gated(
  '16 guesses at once on two nodes: three are compared before the block ends, and one after it',
  async () => {
    const { nodes, clock, failures, row } = await createNodes()
    const guess = { type: 'app.sentPin', isSignedByDevice: true } as const
    const guesses = async () => {
      const turns = Array.from({ length: 8 }, () => nodes.map(gate => enter(gate, guess))).flat()
      return (await Promise.all(turns)).filter(({ isRefused }) => !isRefused).length
    }
    assert.is(await guesses(), 3)
    clock.advance(59_999)
    assert.is(await guesses(), 0)
    clock.advance(1)
    assert.is(await guesses(), 1)
    assert.equal([row()?.attempts, row()?.blockedUntil, failures], [4, clock.now() + 120_000, []])
  },
)

Gated('both nodes are asked at once for a response to one commitment: one takes it', async () => {
  const { nodes, row } = await createNodes()
  for (let i = 0; i < 50; i++) {
    await enter(nodes[0], { type: 'app.requestedCommitments', version: 'v1' }, { commitment: `w${i}` })
    assert.is(row()?.commitment, `w${i}`)
    const turns = await Promise.all(
      nodes.map(gate => enter(gate, { type: 'app.requestedResponse', version: 'v1' })),
    )
    assert.equal(turns.map(({ isRefused }) => isRefused).sort(), [false, true])
    assert.is(row()?.commitment, null)
  }
})

Gated(
  'a login takes its challenge and reserves its attempt in one commit, before anything is compared',
  async () => {
    const { nodes, log, row } = await createNodes()
    await enter(nodes[0], { type: 'app.startedLogin' }, { challenge: 'c' })
    assert.equal([row()?.challenge, row()?.version], ['c', 2])
    const { isRefused } = await enter(nodes[1], { type: 'app.answered', isRightChallenge: true })
    assert.equal([isRefused, row()?.challenge, row()?.attempts, row()?.version], [false, null, 1, 3])
    await enter(nodes[0], { type: 'server.acceptedPin', attempt: 3 })
    assert.equal([row()?.attempts, log], [0, ['logSuccess']])
  },
)

Gated('what has ended is gone before the next event is decided on, however late that comes', async () => {
  const { nodes, clock, failures, row } = await createNodes()
  await enter(nodes[0], { type: 'app.startedLogin' }, { challenge: 'c' })
  await enter(nodes[0], { type: 'app.requestedCommitments', version: 'v2' }, { commitment: 'w' })
  clock.advance(19_999)
  assert.equal([(await nodes[1].read('user'))?.commitment, row()?.challenge], ['w', 'c'])
  clock.advance(1)
  assert.ok((await enter(nodes[1], { type: 'app.requestedResponse', version: 'v2' })).isRefused)
  assert.equal([row()?.commitment, row()?.challenge], [null, 'c'])
  clock.advance(24 * 3_600_000)
  assert.ok((await enter(nodes[1], { type: 'app.answered', isRightChallenge: true })).isRefused)
  assert.equal([row()?.challenge, row()?.attempts, failures], [null, 0, []])
})

Gated('an account that is deleted has no row', async () => {
  const { nodes, clock, row } = await createNodes()
  await enter(nodes[0], { type: 'owner.disabled', deleteAt: 5_000 })
  assert.ok((await enter(nodes[1], { type: 'server.deleted' })).isRefused)
  clock.advance(4_000)
  await enter(nodes[1], { type: 'server.deleted' })
  assert.is(row(), null)
})

Gated.run()
