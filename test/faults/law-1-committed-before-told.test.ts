/** spec/laws#1: no answer, stream or effect shows a transition that is not stored. A commit that fails, loses or has an unknown outcome drops
 *  the live copy. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import {
  answerOf,
  connectedNode,
  createTestNode,
  deferred,
  elapse,
  idOf,
  settle,
  type TestNode,
} from '../actors/node.ts'
import { suite } from '../suite.ts'
import { type FaultyStore, faultyStore } from './faulty-store.ts'
import { rejection } from './rejection.ts'

type Faulty = TestNode & { readonly faulty: FaultyStore }

async function faultyNode(isConnected = false): Promise<Faulty> {
  const faulty = faultyStore(createMemoryStore())
  const node = await (isConnected ? connectedNode : createTestNode)({ store: faulty })
  if (!isConnected) await node.open()
  return { ...node, faulty }
}

const Law = suite('spec/laws#1: committed before told')

Law(
  'before the end of a commit, no stream reports it, no call is answered and no effect starts',
  async () => {
    const n = await faultyNode(true)
    const changes = n.follow('s')
    const commit = deferred()
    n.faulty.hold = commit.promise
    let answer = ''
    const submission = n.submit().then(text => (answer = text))
    await settle()
    assert.equal([changes, n.checked, answer], [[], [], ''])
    commit.resolve()
    await submission
    assert.equal([changes, n.checked.length, answer], [['CONNECTED>DONE'], 1, '{"proofStatus":"VALID"}'])
  },
)

Law('a change is stored before a listener gets it', async () => {
  const n = await faultyNode()
  const seen: (string | undefined)[] = []
  const reads: Promise<void>[] = []
  n.sessions.follow(idOf('s'), ({ version, newStatus }) => {
    const check = n.row().then(row => {
      seen.push(row?.status)
      assert.ok((row?.version ?? 0) >= version && newStatus !== 'TIMEOUT')
    })
    reads.push(check)
  })
  await n.connect()
  await n.turn({ type: 'cancelled' })
  await Promise.all(reads)
  assert.is(seen.length, 2)
})

Law(
  'a commit that fails: its caller gets an error, no stream reports it, and the changed copy is dropped',
  async () => {
    const n = await faultyNode()
    const changes = n.follow('s')
    n.faulty.faults.push('fails')
    assert.is(await rejection(n.connect()), 'StoreError: the store is gone')
    assert.equal([changes, (await n.row())?.status], [[], 'INITIALIZED'])
    assert.is(await n.submit(), 'refused INITIALIZED')
    assert.is(await n.connect(), 'CONNECTED')
    assert.equal(changes, ['INITIALIZED>CONNECTED'])
  },
)

Law('no work begins for a claim whose commit fails', async () => {
  const n = await faultyNode(true)
  n.faulty.faults.push('fails')
  assert.is(await rejection(n.submit()), 'StoreError: the store is gone')
  assert.equal(n.checked, [])
  assert.is(await n.submit(), '{"proofStatus":"VALID"}')
})

Law('an answer whose commit fails is never sent: not at once, and not to the same call again', async () => {
  const n = await faultyNode()
  const call = (body: string) =>
    n.sessions.call(idOf('s'), 'hash', () => ({
      event: { type: 'app.connected', protocolVersion: '2.8' },
      answer: answerOf(body),
    }))
  n.faulty.faults.push('fails')
  assert.is(await rejection(call('first')), 'StoreError: the store is gone')
  assert.equal(await call('second'), { answer: answerOf('second') })
  assert.equal(await call('third'), { answer: answerOf('second') })
})

Law('a commit with an unknown outcome that was written: the stored row counts', async () => {
  const n = await faultyNode()
  const changes = n.follow('s')
  n.faulty.faults.push('unknown')
  assert.is(await rejection(n.connect()), 'StoreError: the connection broke')
  assert.equal(changes, ['INITIALIZED>CONNECTED'], 'streams get it from the store')
  assert.is(await n.connect(), 'refused CONNECTED')
  assert.is(await n.submit(), '{"proofStatus":"VALID"}')
})

Law(
  'an outcome that was written by a commit with an unknown outcome is neither undone nor repeated',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push(null, 'unknown')
    assert.is(await n.submit(), '{"proofStatus":"VALID"}', 'the waiting caller gets it from the store')
    await settle()
    assert.equal([(await n.row())?.status, n.checked.length], ['DONE', 1])
    assert.equal(n.reports, [`${idOf('s')}: the connection broke`])
    assert.is((await n.store.deliveries.list()).length, 1)
  },
)

Law(
  'an outcome whose commit fails is committed again after a pause, and nothing is checked twice',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push(null, 'fails', 'fails')
    const answer = n.submit()
    await settle()
    assert.equal([(await n.row())?.status, (await n.row())?.result], ['CONNECTED', null])
    await elapse(n.clock, 100)
    assert.is(await answer, '{"proofStatus":"VALID"}')
    assert.equal([(await n.row())?.status, n.checked.length], ['DONE', 1])
    assert.equal(n.reports, [`${idOf('s')}: the store is gone`])
  },
)

Law(
  'a store that fails for 16 s when the outcome is known: 503 at 15 s, then the same call gets the answer',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push(null, ...Array<'fails'>(1_000).fill('fails'))
    const waiting = rejection(n.submit())
    await settle()
    n.faulty.commits = 0
    await elapse(n.clock, 15_000)
    assert.match(await waiting, /^UnavailableError: no outcome in time/)
    assert.ok(n.faulty.commits < 15, `the pauses grow: ${n.faulty.commits} attempts`)
    const again = n.submit()
    await elapse(n.clock, 1_000)
    n.faulty.faults.length = 0
    await elapse(n.clock, 5_000)
    assert.is(await again, '{"proofStatus":"VALID"}')
    assert.equal(
      [(await n.row())?.status, n.checked.length, n.reports],
      ['DONE', 1, [`${idOf('s')}: the store is gone`]],
    )
  },
)

Law(
  'a store that fails for longer than a lease: the claim is void, and the app may submit again',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push(null, ...Array<'fails'>(1_000).fill('fails'))
    const waiting = rejection(n.submit())
    await elapse(n.clock, 30_000)
    assert.match(await waiting, /^UnavailableError/)
    n.faulty.faults.length = 0
    await elapse(n.clock, 5_000)
    assert.equal([(await n.row())?.status, (await n.row())?.claim, n.checked.length], ['CONNECTED', null, 1])
    assert.is(await n.submit(), '{"proofStatus":"VALID"}')
  },
)

Law(
  'an outcome that cannot be stored because the session was cancelled meanwhile is not tried again',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push(null, 'fails', 'fails')
    const answer = n.submit()
    await settle()
    assert.is(await n.turn({ type: 'cancelled' }), 'CANCELLED')
    assert.is(await answer, 'refused CANCELLED')
    n.faulty.commits = 0
    await elapse(n.clock, 60_000)
    assert.equal([n.faulty.commits, (await n.row())?.result], [0, null])
  },
)

Law(
  'a claim that was written by a commit with an unknown outcome is void, because no node works on it: no wait',
  async () => {
    const n = await faultyNode(true)
    n.faulty.faults.push('unknown')
    assert.is(await rejection(n.submit()), 'StoreError: the connection broke')
    assert.ok((await n.row())?.claim)
    assert.is(await n.submit(), '{"proofStatus":"VALID"}')
    assert.is(n.checked.length, 1)
  },
)

Law('a step that loses a race starts again from the stored row', async () => {
  const n = await faultyNode()
  const changes = n.follow('s')
  n.faulty.faults.push('loses', 'loses')
  assert.is(await n.connect(), 'CONNECTED')
  assert.equal([changes, (await n.row())?.version], [['INITIALIZED>CONNECTED'], 2])
})

Law('a step decides again after a lost race, on the row that is stored then', async () => {
  const n = await faultyNode()
  const versions: number[] = []
  n.faulty.faults.push('loses')
  await n.sessions.turn(idOf('s'), row => {
    versions.push(row.version)
    return { event: { type: 'frontend.chose', method: 'pin' }, columns: { pairingCode: '0042' } }
  })
  assert.equal([versions, (await n.row())?.pairingCode], [[1, 1], '0042'])
})

Law(
  'a store in which every race is lost: 503 after a bounded number of attempts, nothing changed',
  async () => {
    const n = await faultyNode()
    n.faulty.faults.push(...Array<'loses'>(50).fill('loses'))
    assert.match(
      await rejection(n.connect()),
      /^UnavailableError: session [0-9a-f]{32}: no turn within 8 attempts/,
    )
    assert.is(n.faulty.faults.length, 42)
    assert.is((await n.row())?.version, 1)
  },
)

Law('a listener that throws is reported, and changes nothing', async () => {
  const n = await faultyNode()
  n.sessions.follow(idOf('s'), () => {
    throw new Error('the stream is closed')
  })
  const changes = n.follow('s')
  assert.is(await n.connect(), 'CONNECTED')
  assert.is(await n.submit(), '{"proofStatus":"VALID"}')
  assert.equal(changes, ['INITIALIZED>CONNECTED', 'CONNECTED>DONE'])
  assert.equal(n.reports, Array(2).fill(`${idOf('s')}: the stream is closed`))
})

Law('streams get only changes of status', async () => {
  const n = await faultyNode()
  const changes = n.follow('s')
  await n.turn({ type: 'frontend.chose', method: 'pin' })
  await n.turn({ type: 'frontend.chose', method: 'none' })
  assert.equal(changes, [])
  await n.connect()
  await n.turn({ type: 'app.fetched' })
  assert.equal(changes, ['INITIALIZED>CONNECTED'])
})

Law('a listener that has stopped gets no more changes, and others still do', async () => {
  const n = await faultyNode()
  const changes: string[] = []
  const listener = ({ newStatus }: { newStatus: string }): void => void changes.push(newStatus)
  const stop = n.sessions.follow(idOf('s'), listener)
  n.sessions.follow(idOf('s'), listener)
  stop()
  stop()
  await n.connect()
  assert.equal(changes, ['CONNECTED'])
})

Law.run()
