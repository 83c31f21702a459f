/** Unlocking a wallet with an account at a keyshare server (spec/interface#5.4.2; spec/keyshare-server#2.2, #5.1, #6.4, #17.2). @module */
import * as assert from 'uvu/assert'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { suite } from '../../suite.ts'
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
const { askedPaths, depsOf, emptyWallet, keyshare, nowSec, offerLogin } = world
const LOG_IN = ['/users/verify_start', '/users/verify/pin_challengeresponse']
const PROVE_ISSUANCE = ['/api/v2/prove/getPs', '/api/v2/prove/getCommitments', '/api/v2/prove/getResponse']
const RENEW = '/users/renewKeyshareAttribute'
const WEEK_SEC = 7 * 24 * 3600

const login = (userName: string) => ({ credential: LOGIN, attributes: { username: userName } })

const Unlocking = suite('unlocking a wallet with an account')
Unlocking.before.each(() => renew(world))
Unlocking.after(async () => void (await world.close()))

Unlocking('the PIN is asked for even with a valid token; after a wrong one, with the remaining tries', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    const { asked, pin } = typing('54321', PIN)
    assert.ok(pin)
    assert.equal(await unlock(depsOf(wallet), SCHEME, pin), { status: 'success' })
    assert.equal(asked, [null, 2])
    assert.equal(askedPaths(), [...LOG_IN, ...LOG_IN])
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => null), { status: 'cancelled' })
  }),
)

Unlocking('a deleted account and a missing account each have their own reason', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    keyshare.instead('/users/verify_start', refusal(403, 'USER_NOT_REGISTERED'))
    assertEnded(
      await unlock(depsOf(wallet), SCHEME, async () => PIN),
      'keyshare-error',
      /may have been deleted/,
    )
    await withWallet(world, emptyWallet(), async empty =>
      assertEnded(await unlock(depsOf(empty), SCHEME, async () => PIN), 'not-registered', /register first/),
    )
  }),
)

/** A wallet whose login credential expires in that many weeks. After that the server issues it for a year. */
async function withLoginOf(weeks: number, changes: object, test: (wallet: Wallet) => Promise<void>) {
  keyshare.offer = name =>
    offerLogin(name, { credentials: [{ ...login(name), validity: nowSec() + weeks * WEEK_SEC }] })
  await withWallet(world, registeredWallet(world), async wallet => {
    const renewal = (name: string) => ({
      disclose: [[[{ type: `${LOGIN}.username`, value: name }]]],
      skipExpiryCheck: [LOGIN],
    })
    keyshare.offer = name => offerLogin(name, { ...renewal(name), ...changes })
    await test(wallet)
  })
}

Unlocking('a login credential that expires within a month is renewed by showing the old one', () =>
  withLoginOf(3, {}, async wallet => {
    const [old] = wallet.credentials()
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), [...LOG_IN, RENEW, ...PROVE_ISSUANCE])
    const [renewed, ...others] = wallet.credentials()
    assert.equal([renewed?.attributes, others], [old?.attributes, []])
    assert.ok((renewed?.expiresAtSec ?? 0) > (old?.expiresAtSec ?? 0) + 40 * WEEK_SEC)
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), LOG_IN)
  }),
)

Unlocking('a login credential that expires later is not renewed', () =>
  withLoginOf(6, {}, async wallet => {
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), LOG_IN)
  }),
)

for (const [what, changes] of [
  ['issues another user name', { credentials: [login('someone')] }],
  ['asks for more', { disclose: [[[`${LOGIN}.username`]], [[], ['svc-demo.fast.note.text']]] }],
  ['asks for something else', { disclose: [[[], ['svc-demo.fast.note.text']]] }],
] as const)
  Unlocking(`a renewal that ${what} is refused`, () =>
    withLoginOf(3, changes, async wallet => {
      const ending = await unlock(depsOf(wallet), SCHEME, async () => PIN)
      assertEnded(ending, 'malformed-answer', /renewal: expected the login credential of this account/)
      assert.equal(askedPaths(), [...LOG_IN, RENEW])
      assert.is(wallet.credentials().length, 1)
    }),
  )

Unlocking.run()
