/** spec/laws#2: the work on a claim lasts as long as the claim, and the claim lasts as long as its process works on it. @module */
import * as assert from 'uvu/assert'
import { Claims } from '../../actors/effects/claims.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import {
  connectedNode,
  createTestNode,
  deferred,
  elapse,
  MINUTE,
  settle,
  type TestNode,
  VALID,
} from '../actors/node.ts'
import { CLAIM, fullRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'

/** Events that end a claim while its work waits. */
const ENDS: Record<string, (a: TestNode, b: TestNode) => Promise<unknown>> = {
  'DELETE here': a => a.turn({ type: 'cancelled' }),
  'DELETE on another node, at the next renewal': async (a, b) => {
    await b.turn({ type: 'cancelled' })
    await elapse(a.clock, 10_000)
  },
  'a pause longer than its lease': async a => {
    a.clock.advance(30_000)
    await settle()
  },
  'a server that closes': a => a.sessions.close(),
}

const Work = suite('spec/laws#2: the work of a claim that has ended')

for (const [title, end] of Object.entries(ENDS))
  Work(`${title}: the work is aborted, and its outcome is ignored`, async () => {
    const signals: AbortSignal[] = []
    const check = (_: SessionRow, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signals.push(signal)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const a = await connectedNode({ check })
    const b = createTestNode({ store: a.store, clock: a.clock, bootId: 'boot B' })
    const waiting = a.submit().catch(() => 'none')
    await settle()
    assert.is(signals[0]?.aborted, false)
    await end(a, b)
    assert.equal([signals.map(({ aborted }) => aborted), a.reports], [[true], []])
    await waiting
  })

Work('a server that stops waits for the work on its claims, at most until its limit', async () => {
  const held = deferred()
  const a = await connectedNode({ check: () => held.promise.then(() => VALID) })
  const waiting = a.submit()
  await settle()
  const ended: string[] = []
  const note = (limit: Promise<unknown>, name: string) =>
    a.sessions.finishClaims(limit).then(() => ended.push(name))
  const limit = deferred()
  void note(limit.promise, 'at its limit')
  void note(new Promise(() => {}), 'with the work')
  await settle()
  assert.equal(ended, [])
  limit.resolve()
  await settle()
  assert.equal(ended, ['at its limit'])
  held.resolve()
  await waiting
  await settle()
  assert.equal(ended, ['at its limit', 'with the work'])
})

Work('a row that was loaded before the claim was committed does not end its work', () => {
  const signals: AbortSignal[] = []
  const never = (_: SessionRow, signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<never>(() => {})
  }
  const claims = new Claims({
    clock: createSimulatedClock(),
    effects: { check: never, askNext: never, sign: never },
    enter: () => new Promise<never>(() => {}),
    bodies: { hold: () => () => {} },
    report: (_, error) => assert.unreachable(String(error)),
  })
  const row = { ...fullRow('s'), version: 3, claim: { ...CLAIM, number: 3 } }
  void claims.perform('check', row)
  claims.notifyRow(row.id, { ...row, version: 2, claim: null })
  assert.equal([claims.isWorkedOn(row), signals.map(({ aborted }) => aborted)], [true, [false]])
  claims.notifyRow(row.id, { ...row, version: 4, claim: null })
  assert.equal([claims.isWorkedOn(row), signals.map(({ aborted }) => aborted)], [false, [true]])
  claims.close()
})

Work('the work of 250 claims that waits for a minute in a live process is done once', async () => {
  const { promise, resolve } = deferred()
  const a = createTestNode({ check: () => promise.then(() => VALID) })
  const names = Array.from({ length: 250 }, (_, i) => `session ${i}`)
  for (const name of names) {
    await a.open(name)
    await a.connect(name)
  }
  const waiting = names.map(name => a.submit('proof', name).catch(() => 'none'))
  await elapse(a.clock, MINUTE)
  await Promise.all(waiting)
  resolve()
  await settle()
  const rows = await Promise.all(names.map(name => a.row(name)))
  assert.ok(rows.every(row => row?.status === 'DONE'))
  assert.is(a.checked.length, 250)
})

Work.run()
