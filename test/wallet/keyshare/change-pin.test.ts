/** Changes of the PIN at a keyshare server with faults on demand (spec/interface#5.4.4; spec/keyshare-server#10, #17.4). @module */
import * as assert from 'uvu/assert'
import { changePin } from '../../../libraries/wallet/keyshare/change-pin.ts'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
import { answerSession } from '../../../libraries/wallet/session.ts'
import { suite } from '../../suite.ts'
import { assertFailed } from '../play.ts'
import { refusal } from './fake-keyshare.ts'
import {
  assertEnded,
  LOGIN,
  PIN,
  registeredWallet,
  renew,
  SCHEME,
  startWorld,
  typing,
  withWallet,
} from './registered.ts'

const world = await startWorld()
const { askedPaths, depsOf, keyshare, sessions } = world
const LOG_IN = ['/users/verify_start', '/users/verify/pin_challengeresponse']
const CHANGE = '/users/change/pin'

function lastBody(path: string): Record<string, string> {
  return JSON.parse(keyshare.asked.filter(asked => asked.path === path).at(-1)?.body ?? '')
}

const Changing = suite('changing the PIN')
Changing.before.each(() => renew(world))
Changing.after(async () => void (await world.close()))

Changing('the old PIN authorizes the change, and the new one is tried at once', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    assert.equal(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }), { status: 'success' })
    assert.equal(askedPaths(), [...LOG_IN, CHANGE, ...LOG_IN])
    assert.equal(Object.keys(lastBody(CHANGE)), ['id', 'oldpin', 'newpin', 'change_pin_jwt'])
    const { asked, pin } = typing(PIN, '54321')
    assert.ok(pin)
    assert.equal(await unlock(depsOf(wallet), SCHEME, pin), { status: 'success' })
    assert.equal(asked, [null, 2])
  }),
)

Changing('a wrong old PIN changes nothing, and returns the remaining tries; the third one blocks', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    const change = (oldPin: string) => changePin(depsOf(wallet), { oldPin, newPin: '54321' })
    const wrong = await change('99999')
    assertEnded(wrong, 'wrong-pin', /tries left until the keyshare server of \S+ blocks the account: 2$/)
    assert.is(wrong.status === 'failed' && wrong.triesLeft, 2)
    assertEnded(await change('99999'), 'wrong-pin', /blocks the account: 1$/)
    const third = await change('99999')
    assertEnded(third, 'pin-blocked', /for 60 s/)
    assert.is(third.status === 'failed' && third.blockedSec, 60)
    assert.not.ok(askedPaths().includes(CHANGE))
    assertEnded(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '1234' }), 'short-pin', /at least 5/)
  }),
)

Changing('a change that the server refuses, or whose answer is lost, is undone', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    const change = { oldPin: PIN, newPin: '54321' }
    keyshare.instead(CHANGE, refusal(500, 'INTERNAL_ERROR'))
    assertEnded(await changePin(depsOf(wallet), change), 'keyshare-error', /it failed/)
    keyshare.instead(CHANGE, async own => (await own()) && refusal(500, 'INTERNAL_ERROR')())
    assertEnded(await changePin(depsOf(wallet), change), 'keyshare-error', /it failed/)
    assert.is(wallet.accounts()[0]?.isOutOfSync, false)
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
  }),
)

Changing('if a change cannot be undone, the account is out of sync and is not used', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    const fails = refusal(500, 'INTERNAL_ERROR')
    keyshare.instead(CHANGE, async own => (await own()) && fails(), fails)
    assertEnded(
      await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }),
      'keyshare-error',
      /it failed/,
    )
    assert.is(wallet.accounts()[0]?.isOutOfSync, true)
    askedPaths()
    assertEnded(await unlock(depsOf(wallet), SCHEME, async () => PIN), 'pin-out-of-sync', /is not used/)
    const session = await sessions.create('disclosing', { disclose: [[[`${LOGIN}.username`]]] })
    assertFailed(await answerSession(depsOf(wallet), session.pointer, typing(PIN)), 'pin-out-of-sync', /./)
    assertEnded(
      await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }),
      'not-registered',
      /no account with a PIN/,
    )
    assert.equal(askedPaths(), [])
  }),
)

Changing.run()
