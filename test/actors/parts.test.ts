/** The small parts of the runtime, each alone: waiters, replay, live actors. @module */
import * as assert from 'uvu/assert'
import { replayOf } from '../../actors/calls/replay.ts'
import { outcomeIn, Waiters } from '../../actors/calls/waiters.ts'
import { firstRow, sessionKind } from '../../actors/kinds/session.ts'
import { LiveActors } from '../../actors/live-actors.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { answerOf, idOf, MINUTE, newSessionOf } from './node.ts'

const times = { timeoutMs: 1_000, connectedTimeoutMs: 1_000, retentionMs: 1_000 }

function rowOf(name: string, changes: Partial<SessionRow> = {}): SessionRow {
  const session = newSessionOf(name, times)
  return { ...firstRow(session, 0), ...changes }
}

const Waiting = suite('waiting for an outcome')

for (const jumpMs of [-60 * MINUTE, 60 * MINUTE])
  Waiting(`ends after 15 s also when the clock is set by ${jumpMs / MINUTE} minutes meanwhile`, async () => {
    const clock = createSimulatedClock(120 * MINUTE)
    let setByMs = 0
    const waiters = new Waiters({ ...clock, now: () => clock.now() + setByMs }, 1)
    const waiting = rejection(waiters.wait({ id: 's', hash: 'h', number: 1 }, () => {}, { isSeen: false }))
    setByMs = jumpMs
    clock.advance(14_999)
    assert.ok(waiters.isWaitedFor('s'))
    clock.advance(1)
    assert.not.ok(waiters.isWaitedFor('s'))
    assert.match(await waiting, /^UnavailableError: no outcome in time/)
  })

for (const isSeen of [false, true])
  Waiting(
    `the row of a claim ${isSeen ? 'of this node' : 'of another node'} is read ${isSeen ? 'after a second' : 'at once'}, and every second`,
    () => {
      const clock = createSimulatedClock(0)
      const waiters = new Waiters(clock, 1)
      let reads = 0
      const reread = (): void => {
        reads += 1
      }
      waiters.wait({ id: 's', hash: 'h', number: 1 }, reread, { isSeen }).catch(() => {})
      assert.is(reads, isSeen ? 0 : 1)
      clock.advance(999)
      assert.is(reads, isSeen ? 0 : 1)
      clock.advance(1)
      assert.is(reads, isSeen ? 1 : 2)
      clock.advance(1_000)
      assert.is(reads, isSeen ? 2 : 3)
      waiters.close()
    },
  )

Waiting('no row is read for a caller that has its outcome', async () => {
  const clock = createSimulatedClock(0)
  const waiters = new Waiters(clock, 1)
  const waiting = waiters.wait({ id: 's', hash: 'h', number: 1 }, () => {}, { isSeen: false })
  waiters.notifyRow('s', null)
  assert.equal([await waiting, clock.nextTimerAt()], [{ refused: 'unknown' }, null])
})

const TOO_MANY = /too many calls are waiting for an outcome/
Waiting(
  'over the bound no further call may wait; a call that gets its outcome makes room for one more',
  async () => {
    const waiters = new Waiters(createSimulatedClock(0), 2)
    const wait = (id: string) => waiters.wait({ id, hash: 'h', number: 1 }, () => {}, { isSeen: true })
    const first = wait('s')
    waiters.assertRoom()
    const others = [rejection(wait('t'))]
    assert.throws(() => waiters.assertRoom(), TOO_MANY)
    assert.throws(() => void others.push(rejection(wait('u'))), TOO_MANY)
    waiters.notifyRow('s', null)
    assert.equal(await first, { refused: 'unknown' })
    others.push(rejection(wait('u')))
    assert.throws(() => waiters.assertRoom(), TOO_MANY)
    waiters.close()
    assert.equal(new Set(await Promise.all(others)), new Set(['UnavailableError: this server is closing']))
  },
)
Waiting.run()

const Outcomes = suite('the outcome in a row for a waiting caller')
const call = { hash: 'h', number: 3 }
const claim = { number: 3, callHash: 'h', bootId: 'boot A', leaseUntil: 0 }
const answered = { callHash: 'h', version: 4, answeredAt: 0, answer: answerOf('fine') }
const connected = { status: 'CONNECTED' } as const

Outcomes('a row that is older than the claim has no outcome', () => {
  assert.is(outcomeIn(rowOf('s', { ...connected, version: 2 }), call), null)
})
Outcomes('a claim that is still active has no outcome yet', () => {
  assert.is(outcomeIn(rowOf('s', { ...connected, version: 3, claim }), call), null)
})
Outcomes('after another claim of the same call, the caller keeps waiting', () => {
  const again = { ...claim, number: 5 }
  assert.is(outcomeIn(rowOf('s', { ...connected, version: 5, claim: again }), call), null)
})
Outcomes('a claim of another call, or no claim: the claim of this call is void', () => {
  const other = { ...claim, number: 5, callHash: 'other' }
  assert.is(outcomeIn(rowOf('s', { ...connected, version: 5, claim: other }), call), 'void')
  assert.is(outcomeIn(rowOf('s', { ...connected, version: 4 }), call), 'void')
})
Outcomes('the stored answer is the outcome of its own call, and not of another call', () => {
  const done = { status: 'DONE', version: 4 } as const
  assert.equal(outcomeIn(rowOf('s', { ...done, answered }), call), { answer: answered.answer })
  assert.equal(outcomeIn(rowOf('s', { ...done, answered: { ...answered, callHash: 'other' } }), call), {
    refused: 'DONE',
  })
})
Outcomes('a call is refused if its session ended without an answer, or was deleted', () => {
  assert.equal(outcomeIn(rowOf('s', { status: 'CANCELLED', version: 4 }), call), { refused: 'CANCELLED' })
  assert.equal(outcomeIn(null, call), { refused: 'unknown' })
})

const Replay = suite('replay of the last handled call')
const handled = rowOf('s', { version: 4, answered: { ...answered, answeredAt: 1_000 } })

Replay('the identical call gets the stored answer for 90 s', () => {
  assert.equal(replayOf(handled, 'h', 91_000), answered.answer)
  assert.is(replayOf(handled, 'h', 91_001), null)
})
Replay('another call does not get the stored answer', () => {
  assert.is(replayOf(handled, 'other', 1_000), null)
  assert.is(replayOf(rowOf('s'), 'h', 1_000), null)
})
Replay('the stored answer is not repeated after a later change of the session', () => {
  assert.is(replayOf({ ...handled, version: 5 }, 'h', 1_000), null)
})

const Live = suite('live actors')

function liveSessions(max: number) {
  return new LiveActors(sessionKind(), max)
}

Live('an actor at rest is used again for the same version', () => {
  const live = liveSessions(10)
  const actor = live.take(rowOf('s'))
  live.rest(actor, rowOf('s'))
  assert.is(live.take(rowOf('s')), actor)
})

Live('a question to an actor leaves it at rest', () => {
  const live = liveSessions(10)
  const actor = live.at(rowOf('s'))
  assert.equal([live.at(rowOf('s')) === actor, live.size], [true, 1])
  assert.equal([live.take(rowOf('s')) === actor, live.size], [true, 0])
})

Live('an actor of another version is stopped, and a new actor is woken from the row', () => {
  const live = liveSessions(10)
  const actor = live.take(rowOf('s'))
  let isStopped = false
  actor.subscribe({ complete: () => (isStopped = true) })
  live.rest(actor, rowOf('s'))
  assert.is.not(live.take(rowOf('s', { version: 2 })), actor)
  assert.ok(isStopped)
})

Live('over the bound, the actor that has rested longest is stopped', () => {
  const live = liveSessions(2)
  const stopped: string[] = []
  for (const name of ['p', 'q', 'r']) {
    const actor = live.take(rowOf(name))
    actor.subscribe({ complete: () => stopped.push(name) })
    live.rest(actor, rowOf(name))
  }
  assert.equal([stopped, live.size], [['p'], 2])
})

Live('an actor that is dropped is stopped', () => {
  const live = liveSessions(2)
  live.rest(live.take(rowOf('s')), rowOf('s'))
  let isStopped = false
  live.take(rowOf('s')).subscribe({ complete: () => (isStopped = true) })
  live.drop(idOf('s'))
  assert.equal([isStopped, live.size], [true, 0])
})

Live('after close, no actor is kept', () => {
  const live = liveSessions(2)
  const actor = live.take(rowOf('s'))
  live.rest(live.take(rowOf('t')), rowOf('t'))
  live.close()
  live.rest(actor, rowOf('s'))
  assert.is(live.size, 0)
})

Outcomes.run()
Replay.run()
Live.run()
