/** The keyshare login chart as an actor of XState, without the gate: each of its timers fires at the exact millisecond. @module */
import * as assert from 'uvu/assert'
import { createActor } from 'xstate'
import { loginChart } from '../../machines/keyshare-login.ts'
import { suite } from '../suite.ts'
import { assertLeaves, clockAtStart, pass, START } from './alone.ts'

const Login = suite('a keyshare login chart alone')

function startedLogin() {
  const clock = clockAtStart()
  const actor = createActor(loginChart, { input: { isDeviceBound: true }, clock }).start()
  return { actor, clock }
}

function active(challenge: string, commitment: string, attempts = 'open') {
  return { active: { attempts, challenge, commitment } }
}

Login('a challenge ends after 6 min, and a new challenge starts these 6 min again', () => {
  const login = startedLogin()
  login.actor.send({ type: 'app.startedLogin', at: START })
  pass(login.clock, START + 359_999)
  login.actor.send({ type: 'app.startedLogin', at: START + 359_999 })
  assertLeaves(login, START + 719_999, active('none', 'none'))
  assert.is(login.actor.getSnapshot().context.challengeEndsAt, null)
})

for (const [version, state] of [
  ['v1', 'pendingV1'],
  ['v2', 'pendingV2'],
] as const)
  Login(`a commitment of ${version} ends after 20 s, and a replacement starts these 20 s again`, () => {
    const login = startedLogin()
    const { actor, clock } = login
    for (const [each, at] of [
      ['v1', START],
      ['v2', START + 1_000],
      [version, START + 2_000],
      [version, START + 3_000],
    ] as const) {
      pass(clock, at)
      actor.send({ type: 'app.requestedCommitments', version: each, at })
    }
    assert.equal(actor.getSnapshot().value, active('none', state))
    assertLeaves(login, START + 23_000, active('none', 'none'))
    assert.is(actor.getSnapshot().context.commitmentEndsAt, null)
  })

Login('an attempt at the end of a block is allowed, and begins a block twice as long', () => {
  const { actor, clock } = startedLogin()
  const attempts = (numbers: readonly number[], at: number): void => {
    for (const attempt of numbers) actor.send({ type: 'app.sentPin', isSignedByDevice: true, attempt, at })
  }
  attempts([1, 2, 3], START)
  for (const [attempt, blockMs] of [
    [4, 60_000],
    [5, 120_000],
  ] as const) {
    const { attempts: before, blockedUntil } = actor.getSnapshot().context
    const tried = { type: 'app.triedWhileBlocked' } as const
    pass(clock, clock.now() + blockMs - 1)
    assert.is(blockedUntil, clock.now() + 1)
    assert.ok(actor.getSnapshot().can({ ...tried, at: clock.now() }))
    attempts([attempt], clock.now())
    assert.is(actor.getSnapshot().context.attempts, before, 'a millisecond before the end')
    pass(clock, clock.now() + 1)
    assert.not(actor.getSnapshot().can({ ...tried, at: clock.now() }))
    attempts([attempt], clock.now())
    assert.is(actor.getSnapshot().context.attempts, before + 1, 'at the end')
  }
  assert.is(actor.getSnapshot().context.blockedUntil, clock.now() + 240_000)
})

Login('the account is deleted when its deletion is due, whether it is active or disabled', () => {
  for (const isDisabled of [false, true]) {
    const { actor, clock } = startedLogin()
    const type = isDisabled ? 'owner.disabled' : 'server.warned'
    actor.send({ type, deleteAt: START + 5_000, at: START })
    for (const at of [START + 4_999, START + 5_000]) {
      pass(clock, at)
      actor.send({ type: 'server.deleted', at })
      assert.is(actor.getSnapshot().status, at < START + 5_000 ? 'active' : 'done')
    }
  }
})

Login.run()
