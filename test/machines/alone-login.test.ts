/** The keyshare login chart alone: it keeps every time of its own, to the millisecond. @module */
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

Login('a challenge ends after 6 min, and a new one has 6 min of its own', () => {
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
  Login(`a commitment of ${version} ends after 20 s, and one that replaces it has 20 s of its own`, () => {
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

Login('the account is forgotten when its deletion is due, in use or disabled', () => {
  for (const isDisabled of [false, true]) {
    const { actor, clock } = startedLogin()
    const type = isDisabled ? 'owner.disabled' : 'server.warned'
    actor.send({ type, keptMs: 5_000, at: START })
    assert.is(actor.getSnapshot().context.deleteAt, START + 5_000)
    for (const at of [START + 4_999, START + 5_000]) {
      pass(clock, at)
      actor.send({ type: 'server.deleted', at })
      assert.is(actor.getSnapshot().status, at < START + 5_000 ? 'active' : 'done')
    }
  }
})

Login.run()
