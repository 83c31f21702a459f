/** Every type of session with a keyshare scheme, between the wallet, the keyshare server and the session server of this project, in both profiles (spec/interface#4.5,
 *  #4.6, #5.4; spec/keyshare-server#17, #18, #21). @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import { changePin } from '../../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
import { answerSession, type SessionHandlers } from '../../../libraries/wallet/session.ts'
import { createWallet, type Wallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { parseSchemeId } from '../../../protocol/ids.ts'
import { PROFILES, type ProfileName } from '../../../protocol/profiles.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as demoDeps } from '../demo-wallets.ts'
import { assertFailed, refuse } from '../play.ts'
import { startRealServer } from '../real-server.ts'
import { SECOND, withSecondScheme } from './keyshare-schemes.ts'
import { startRealKeyshare } from './real-keyshare.ts'
import { LOGIN, LOYALTY, MAIL, NOTE, PIN, SCHEME, typing } from './registered.ts'

const second = parseSchemeId(SECOND)
const SECOND_ADDRESS = 'http://127.0.0.1:8199'
const LOT = { credential: 'svc-demo.fast.lot', attributes: { draw: 'Spring' } }
const VOUCHER = 'svc-keyshare.shop.voucher'
const SECOND_MAIL = { credential: `${SECOND}.keyshare.mail`, attributes: { address: 'b@example.test' } }
const USER_NAME = [[`${LOGIN}.username`]]
const NUMBER = [['svc-keyshare.shop.loyalty.number']]

const system = createSystemClock()
const time = { aheadMs: 0 }
const clock = {
  ...system,
  now: () => system.now() + time.aheadMs,
  wallNow: () => system.wallNow() + time.aheadMs,
}
const stamps = createTimestampServer({ clock: system, expiresAtSec: Math.floor(system.now() / 1000) + 3600 })
const stampedBy = await stamps.listen(0, '127.0.0.1')
const folder = withSecondScheme({ keyshare: SECOND_ADDRESS, stamps: stampedBy })
const schemes = await loadSchemes(folder)

const walletDeps = { ...demoDeps, clock, schemes }

async function startServers(profile: ProfileName) {
  const facts = { profile, folder, clock }
  const sessions = await startRealServer(PROFILES[profile], schemes, VOUCHER)
  const first = await startRealKeyshare({ ...facts, scheme: SCHEME })
  const second = await startRealKeyshare({ ...facts, scheme: SECOND })
  const addresses = new Map([
    [schemes.scheme(SCHEME)?.keyshareServer ?? '', first.url],
    [SECOND_ADDRESS, second.url],
  ])
  const paths: string[] = []
  const broken = { path: '' }
  const sent: typeof fetch = async (input, init) => {
    const asked = String(input)
    if (asked === broken.path) throw new TypeError('connection broken')
    const [from, to] = [...addresses].find(([address]) => asked.startsWith(address)) ?? ['', '']
    if (from !== '') paths.push(asked.slice(from.length))
    return fetch(from === '' ? asked : to + asked.slice(from.length), init)
  }
  const close = () => Promise.all([sessions.close(), first.close(), second.close()])
  const wallet = await createWallet(join(temporaryFolder(), 'wallet'), { developerMode: true }, walletDeps)
  return { profile, sessions, sent, paths, broken, wallet, close }
}

const worlds = [await startServers('svc'), await startServers('irma')]

for (const { profile, sessions, sent, paths, broken, wallet, close } of worlds) {
  const depsOf = (wallet: Wallet) => ({ ...walletDeps, fetch: sent, wallet })
  const registration = { pin: PIN, email: '', language: 'en' }

  async function play(type: SessionType, body: object, handlers: SessionHandlers = typing(PIN), by = wallet) {
    const session = await sessions.create(type, body)
    const outcome = await answerSession(depsOf(by), session.pointer, handlers)
    return { outcome, result: await session.result() }
  }

  async function succeeds(type: SessionType, body: object, by = wallet) {
    const { outcome, result } = await play(type, body, typing(PIN), by)
    assert.equal(outcome.status === 'failed' ? outcome.message : outcome.status, 'success')
    assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
    return (result.disclosed ?? []).map(item => item.map(({ rawvalue }) => rawvalue))
  }

  const Real = suite(`keyshare schemes in profile ${profile}`)
  Real.after(async () => {
    await wallet.close()
    await close()
    if (profile === 'irma') await stamps.close()
  })

  Real('a wallet registers and gets its login credential', async () => {
    assert.equal(await register(depsOf(wallet), SCHEME, registration), { status: 'success' })
    const [login] = wallet.credentials()
    assert.is(login?.type, LOGIN)
    assert.match(login?.attributes[0]?.value ?? '', /^[A-Za-z0-9]{12}$/)
    assert.is(wallet.accounts()[0]?.profile, profile)
  })

  Real(
    'credentials are issued under keys of 1024 and 2048 bits, also together with other credentials',
    async () => {
      await succeeds('issuing', { credentials: [LOYALTY] })
      await succeeds('issuing', { credentials: [MAIL, MAIL] })
      await succeeds('issuing', { credentials: [LOT, LOYALTY, NOTE] })
    },
  )

  Real('disclosures and signatures succeed, with attributes of one scheme and of several', async () => {
    assert.equal(await succeeds('disclosing', { disclose: [NUMBER] }), [['3']])
    const all = [NUMBER, USER_NAME, [['svc-demo.fast.note.text']]]
    assert.is((await succeeds('disclosing', { disclose: all })).length, 3)
    assert.is((await succeeds('signing', { disclose: all, message: 'I agree.' })).length, 3)
  })

  Real('combined sessions disclose credentials and issue others', async () => {
    const disclose = [NUMBER, USER_NAME]
    await succeeds('issuing', { disclose, credentials: [MAIL] })
    await succeeds('issuing', { disclose, credentials: [NOTE] })
    await succeeds('issuing', { disclose: [[['svc-demo.fast.note.text']]], credentials: [LOYALTY] })
  })

  Real('one PIN serves several sessions', async () => {
    paths.length = 0
    await succeeds('disclosing', { disclose: [NUMBER] })
    assert.equal(paths, ['/api/v2/prove/getCommitments', '/api/v2/prove/getResponse'])
  })

  Real('a revocable credential proves non-revocation until it is revoked', async () => {
    const voucher = { credential: VOUCHER, attributes: { amount: '5' }, revocationKey: `key-${profile}` }
    await succeeds('issuing', { credentials: [voucher] })
    const body = { disclose: [[[`${VOUCHER}.amount`]]], revocation: [VOUCHER] }
    assert.equal(await succeeds('disclosing', body), [['5']])
    await sessions.revoke(VOUCHER, `key-${profile}`)
    assert.is((await play('disclosing', body, refuse)).outcome.status, 'cancelled')
    assert.is(wallet.credentials().find(({ type }) => type === VOUCHER)?.revocation?.isRevoked, true)
  })

  Real('three wrong PINs block the account for a minute, for the right PIN too', async () => {
    const handlers = typing('54321', '00000', '99999')
    wallet.tokens.clear()
    const { outcome, result } = await play('disclosing', { disclose: [NUMBER] }, handlers)
    assert.equal([handlers.asked, result.status], [[null, 2, 1], 'CANCELLED'])
    assertFailed(outcome, 'pin-blocked', /takes no PIN for 60 s/)
    time.aheadMs += 20_000
    const early = await play('disclosing', { disclose: [NUMBER] })
    assertFailed(early.outcome, 'pin-blocked', /takes no PIN for (40|39) s/)
    time.aheadMs += 41_000
    const late = typing('11111')
    assertFailed((await play('disclosing', { disclose: [NUMBER] }, late)).outcome, 'pin-blocked', /for 120 s/)
    time.aheadMs += 121_000
    assert.equal(await succeeds('disclosing', { disclose: [NUMBER] }), [['3']])
    time.aheadMs = 0
  })

  Real('after a change of the PIN, the old one is wrong, and sessions succeed with the new one', async () => {
    const wrong = await changePin(depsOf(wallet), { oldPin: '99999', newPin: '54321' })
    assert.is(wrong.status === 'failed' && wrong.triesLeft, 2)
    assert.equal(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }), { status: 'success' })
    wallet.tokens.clear()
    const handlers = typing(PIN, '54321')
    const { outcome } = await play('issuing', { disclose: [USER_NAME], credentials: [MAIL] }, handlers)
    assert.equal([outcome.status, handlers.asked], ['success', [null, 2]])
    assert.equal(await changePin(depsOf(wallet), { oldPin: '54321', newPin: PIN }), { status: 'success' })
  })

  Real(
    'a disclosure and a signature succeed with attributes of two schemes with keyshare servers',
    async () => {
      assert.equal(await register(depsOf(wallet), second, registration), { status: 'success' })
      await succeeds('issuing', { credentials: [SECOND_MAIL] })
      const disclose = [NUMBER, [[`${SECOND}.keyshare.mail.number`]], [['svc-demo.fast.note.text']]]
      wallet.tokens.clear()
      const handlers = typing(PIN, PIN)
      assert.is((await play('disclosing', { disclose }, handlers)).outcome.status, 'success')
      assert.equal(handlers.asked, [null, null])
      assert.is((await succeeds('signing', { disclose, message: 'Both.' })).length, 3)
    },
  )

  Real('an issuance with two keyshare servers is refused', async () => {
    const disclose = [[[`${SECOND}.keyshare.mail.address`]]]
    paths.length = 0
    const session = await sessions
      .create('issuing', { disclose, credentials: [LOYALTY] })
      .catch((error: Error) => error)
    if (profile === 'svc') assert.match(String(session), /at most one scheme with a keyshare server/)
    else if (!(session instanceof Error)) {
      const outcome = await answerSession(depsOf(wallet), session.pointer, typing(PIN))
      assertFailed(outcome, 'unsupported', /at most one scheme with a keyshare server/)
    }
    assert.equal(paths, [])
  })

  Real('the PIN is changed at both servers, or at none', async () => {
    const change = { oldPin: PIN, newPin: '54321' }
    broken.path = `${SECOND_ADDRESS}/users/change/pin`
    const failed = await changePin(depsOf(wallet), change)
    broken.path = ''
    assert.is(failed.status === 'failed' && failed.reason, 'keyshare-unreachable')
    assert.equal(
      wallet.accounts().map(({ isOutOfSync }) => isOutOfSync),
      [false, false],
    )
    for (const id of [SCHEME, second])
      assert.equal(await unlock(depsOf(wallet), id, async () => PIN), { status: 'success' })
    assert.equal(await changePin(depsOf(wallet), change), { status: 'success' })
    for (const id of [SCHEME, second])
      assert.equal(await unlock(depsOf(wallet), id, async () => '54321'), { status: 'success' })
  })

  Real('a login credential that has expired is renewed', async () => {
    const [old] = wallet.credentials().filter(({ type }) => type === LOGIN)
    time.aheadMs = (old?.expiresAtSec ?? 0) * 1000 + 1000 - Date.now()
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => '54321'), { status: 'success' })
    const [renewed] = wallet.credentials().filter(({ type }) => type === LOGIN)
    assert.ok((renewed?.expiresAtSec ?? 0) > (old?.expiresAtSec ?? 0))
    time.aheadMs = 0
  })

  Real.run()
}
