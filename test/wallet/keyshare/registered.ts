/** What the suites about keyshare servers share: a session server, a keyshare server whose login credentials it issues, and wallets that are registered there. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { parseSchemeId } from '../../../protocol/ids.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { register } from '../../../wallet/keyshare/register.ts'
import type { SessionDeps, SessionHandlers } from '../../../wallet/session.ts'
import { createWallet, type Wallet, type WalletDeps } from '../../../wallet/wallet.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as demoDeps } from '../demo-wallets.ts'
import { startRealServer } from '../real-server.ts'
import { schemesWith } from '../support.ts'
import { startFakeKeyshare } from './fake-keyshare.ts'

export const SCHEME = parseSchemeId('svc-keyshare')
export const LOGIN = 'svc-keyshare.keyshare.keyshare'
export const LOYALTY = { credential: 'svc-keyshare.shop.loyalty', attributes: { number: '3' } }
export const MAIL = { credential: 'svc-keyshare.keyshare.mail', attributes: { address: 'a@example.test' } }
export const NOTE = { credential: 'svc-demo.fast.note', attributes: { text: 'n' } }
export const PIN = '12345'
const YEAR_SEC = 365 * 24 * 3600

const system = createSystemClock()
/** Sets the clock of the wallets and of the keyshare server forward. */
export const time = { aheadMs: 0 }
export const clock = {
  ...system,
  now: () => system.now() + time.aheadMs,
  wallNow: () => system.wallNow() + time.aheadMs,
}
export const nowSec = (): number => Math.floor(clock.wallNow() / 1000)
const stamps = createTimestampServer({ clock: system, expiresAtSec: nowSec() + 3600 })
const stampedBy = await stamps.listen(0, '127.0.0.1')
const schemes = schemesWith({ 'svc-keyshare': stampedBy, 'svc-demo': stampedBy }, { keyshareServers: true })
export const walletDeps: WalletDeps = { ...demoDeps, clock, schemes }

const address = schemes.scheme(SCHEME)?.keyshareServer ?? ''
export const keyshare = await startFakeKeyshare(address, nowSec)
export const sessions = await startRealServer(PROFILES.irma, schemes)
export const close = async (): Promise<void> => {
  await keyshare.close()
  await stamps.close()
  await sessions.close()
}

/** The session of a registration or a renewal, as a keyshare server begins it. */
export const offerLogin = async (userName: string, changes: object = {}): Promise<string> =>
  (
    await sessions.create('issuing', {
      credentials: [{ credential: LOGIN, attributes: { username: userName }, validity: nowSec() + YEAR_SEC }],
      ...changes,
    })
  ).pointer
keyshare.offer = offerLogin

export function depsOf(wallet: Wallet): SessionDeps {
  return { wallet, fetch: keyshare.fetch, clock, randomBytes: walletDeps.randomBytes }
}

export function emptyWallet(developerMode = true): Promise<Wallet> {
  return createWallet(join(temporaryFolder(), 'wallet'), { developerMode }, walletDeps)
}

export async function registeredWallet(): Promise<Wallet> {
  const wallet = await emptyWallet()
  const ending = await register(depsOf(wallet), SCHEME, { pin: PIN, email: '', language: 'nl' })
  assert.equal(ending, { status: 'success' })
  return wallet
}

/** Agrees to everything, and types these PINs one after the other. */
export function typing(...pins: readonly (string | null)[]): SessionHandlers & { readonly asked: unknown[] } {
  const left = [...pins]
  const asked: unknown[] = []
  return {
    asked,
    consent: async ({ candidates: { items } }) => ({ answer: 'disclose', choices: items.map(() => 0) }),
    pin: async question => {
      asked.push(question.triesLeft)
      const pin = left.shift()
      if (pin === undefined) throw new Error('expected no other question')
      return pin
    },
  }
}

/** Paths that the wallet asked since the last call of this. */
export function askedPaths(): string[] {
  const since = keyshare.asked.slice(seen)
  seen = keyshare.asked.length
  return since.map(({ path }) => path)
}
let seen = 0
