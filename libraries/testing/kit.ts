/** Test kit for web sites: a session server in this process, and wallets without phones. Every issuer of its schemes can issue. It accepts no connections from
 *  other computers. @module */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { closeListener, listen, smallListener } from '../../http/listen.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { createMovableClock, type MovableClock } from '../../ports/movable-clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { type OnClose, opened } from '../../server/closable.ts'
import { handlerIn } from '../../server/embedded.ts'
import type { SessionServerOptions } from '../../server/settings/of-program.ts'
import { walletWith } from './sign-credentials.ts'
import { makeTestSchemes, type TestCredentialTypes } from './test-schemes.ts'
import { heldCredentials, type TestWallet, type TestWalletOptions, testWallet } from './test-wallet.ts'

/** Loopback address of the server. Other computers cannot reach it. */
const HOST = '127.0.0.1'

/** Options of the server as `startSessionServer` takes them, such as `profile` and `requestors`. The kit sets `url`.
 *  Other options of listeners, such as ports and TLS, have no effect. `schemesPath` is a folder of schemes to copy, such as one of `svc scheme download`. Left out: the demo schemes. */
export type TestKitOptions = SessionServerOptions & {
  /** credential types to create schemes for, in addition to the copied schemes */
  readonly credentialTypes?: TestCredentialTypes
}

export type TestKit = {
  /** address of the server for requestors, without a slash at the end */
  readonly url: string
  /** Folder of the kit's schemes, for verifying signatures of its wallets. Closing the kit deletes it. */
  readonly schemesPath: string
  /** Creates a wallet app, which accepts the kit's plain HTTP.
   *  @throws {Error} for credentials that do not match their types */
  wallet(options?: TestWalletOptions): Promise<TestWallet>
  /** Advances the clock of the server and the wallets, for example until a session times out. The clock of the site is not changed. */
  advance(ms: number): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Cleans up before it throws.
 *  @throws {SettingsError} @throws {SchemeError} @throws {Error} with expected and got */
export async function startTestKit(options: TestKitOptions = {}): Promise<TestKit> {
  const { whole, close } = await opened(onClose => open(options, onClose))
  return { ...whole, close, [Symbol.asyncDispose]: close }
}

async function open(
  { credentialTypes, schemesPath, ...options }: TestKitOptions,
  onClose: OnClose,
): Promise<Omit<TestKit, 'close' | typeof Symbol.asyncDispose>> {
  const clock = createMovableClock(createSystemClock())
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-kit-'))
  onClose(() => rm(folder, { recursive: true, force: true }))
  const schemesFolder = join(folder, 'schemes')
  const arithmetic = chooseArithmetic('auto')
  const { bytes: randomBytes } = systemRandomness
  const nowSec = Math.floor(clock.wallNow() / 1_000)
  const wanted = { from: schemesPath, ...(credentialTypes && { types: credentialTypes }) }
  await makeTestSchemes(schemesFolder, wanted, { arithmetic, randomBytes, nowSec })
  const url = await startServer({ ...options, schemesPath: schemesFolder }, clock, onClose)
  const schemes = await loadSchemes(schemesFolder)
  let wallets = 0
  return {
    url,
    schemesPath: schemesFolder,
    advance: ms => clock.advance(ms),
    async wallet(held = {}) {
      const deps = { schemes, arithmetic, clock, randomBytes }
      const wallet = await walletWith(
        join(folder, `wallet-${++wallets}`),
        heldCredentials(held, schemes, clock.wallNow()),
        deps,
      )
      onClose(() => wallet.close())
      return testWallet(wallet, { clock, fetch, randomBytes })
    },
  }
}

async function startServer(
  options: SessionServerOptions,
  clock: MovableClock,
  onClose: OnClose,
): Promise<string> {
  const listener = smallListener(clock, null)
  onClose(() => closeListener(listener))
  const { port } = await listen(listener, 0, HOST)
  const url = `http://${HOST}:${port}${options.apiPrefix ?? ''}`
  const own = { store: 'memory', quiet: true, workers: 1, ...options, url: `${url}/` } as const
  const { handle, close } = await handlerIn({ clock }, own)
  onClose(close)
  listener.on('request', handle)
  return url
}
