/** Helpers for suites about keyshare servers: a session server, a keyshare server whose login credentials it issues, and wallets that are registered there. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import type { ActionOutcome } from '../../../libraries/wallet/failure.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import type { SessionDeps, SessionHandlers } from '../../../libraries/wallet/session.ts'
import { createWallet, type Wallet, type WalletDeps } from '../../../libraries/wallet/wallet.ts'
import { type Clock, createSystemClock } from '../../../ports/clock.ts'
import { parseSchemeId } from '../../../protocol/ids.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as demoDeps } from '../demo-wallets.ts'
import { type RealServer, startRealServer } from '../real-server.ts'
import { schemesWith } from '../support.ts'
import { startFakeKeyshare } from './fake-keyshare.ts'

export const SCHEME = parseSchemeId('svc-keyshare')
export const LOGIN = 'svc-keyshare.keyshare.keyshare'
export const LOYALTY = { credential: 'svc-keyshare.shop.loyalty', attributes: { number: '3' } }
export const MAIL = { credential: 'svc-keyshare.keyshare.mail', attributes: { address: 'a@example.test' } }
export const NOTE = { credential: 'svc-demo.fast.note', attributes: { text: 'n' } }
export const PIN = '12345'
const YEAR_SEC = 365 * 24 * 3600

export type World = Awaited<ReturnType<typeof startWorld>>

/** One world for each file of tests. */
export async function startWorld() {
  const system = createSystemClock()
  /** advances the clock of the wallets and of the keyshare server */
  const time = { aheadMs: 0 }
  const clock: Clock = {
    ...system,
    now: () => system.now() + time.aheadMs,
    wallNow: () => system.wallNow() + time.aheadMs,
  }
  const nowSec = (): number => Math.floor(clock.wallNow() / 1000)
  const stamps = createTimestampServer({ clock: system, expiresAtSec: nowSec() + 3600 })
  const schemes = stampedSchemes(await stamps.listen(0, '127.0.0.1'))
  const walletDeps: WalletDeps = { ...demoDeps, clock, schemes }
  const keyshare = await startFakeKeyshare(schemes.scheme(SCHEME)?.keyshareServer ?? '', nowSec)
  const sessions = await startRealServer(PROFILES.irma, schemes)
  const offerLogin = loginsOf(sessions, nowSec)
  keyshare.offer = offerLogin
  let seen = 0
  return {
    time,
    nowSec,
    walletDeps,
    keyshare,
    sessions,
    offerLogin,
    depsOf: (wallet: Wallet): SessionDeps => ({ ...walletDeps, clock, wallet, fetch: keyshare.fetch }),
    emptyWallet: (developerMode = true): Promise<Wallet> =>
      createWallet(join(temporaryFolder(), 'wallet'), { developerMode }, walletDeps),
    /** the paths that the wallet called since the last call of this function */
    askedPaths(): string[] {
      const since = keyshare.asked.slice(seen)
      seen = keyshare.asked.length
      return since.map(({ path }) => path)
    },
    close: () => Promise.all([keyshare.close(), sessions.close(), stamps.close()]),
  }
}

function stampedSchemes(server: string): Schemes {
  return schemesWith({ 'svc-keyshare': server, 'svc-demo': server }, { keyshareServers: true })
}

/** The session of a registration or a renewal, as a keyshare server begins it. */
function loginsOf(sessions: RealServer, nowSec: () => number) {
  return async (userName: string, changes: object = {}): Promise<string> => {
    const login = { credential: LOGIN, attributes: { username: userName }, validity: nowSec() + YEAR_SEC }
    return (await sessions.create('issuing', { credentials: [login], ...changes })).pointer
  }
}

export async function registeredWallet({ emptyWallet, depsOf }: World): Promise<Wallet> {
  const wallet = await emptyWallet()
  const ending = await register(depsOf(wallet), SCHEME, { pin: PIN, email: '', language: 'nl' })
  assert.equal(ending, { status: 'success' })
  return wallet
}

/** For `before.each`: asserts that all replacements of the previous test were used up. */
export function renew({ keyshare, time, offerLogin }: World): void {
  for (const [path, answers] of keyshare.pending) assert.equal(answers, [], path)
  keyshare.offer = offerLogin
  time.aheadMs = 0
}

export async function withWallet(
  world: World,
  made: Promise<Wallet>,
  test: (wallet: Wallet) => Promise<void>,
): Promise<void> {
  const wallet = await made
  world.askedPaths()
  await test(wallet).finally(() => wallet.close())
}

export function assertEnded(ending: ActionOutcome, reason: string, message: RegExp): void {
  assert.is(ending.status === 'failed' && ending.reason, reason)
  assert.match(ending.status === 'failed' ? ending.message : '', message)
}

/** Agrees to everything, and enters these PINs one after the other. */
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
