/** A keyshare server of the demo scheme, built from its options, and wallets that reach it under the address in the scheme. @module */

import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import type { SessionDeps } from '../../../libraries/wallet/session.ts'
import { createWallet, type Wallet } from '../../../libraries/wallet/wallet.ts'
import { type Clock, createSystemClock } from '../../../ports/clock.ts'
import type { Fetch } from '../../../ports/fetch.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { parseSchemeId } from '../../../protocol/ids.ts'
import { createKeyshareNode, type KeyshareNode } from '../../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../../server/settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../../../server/world.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as walletDeps } from '../../wallet/demo-wallets.ts'
import { FAILURES } from '../node-of-test.ts'

export const SCHEME = parseSchemeId('svc-keyshare')
export const keyFile = (name: string): string => join(PROJECT, 'test/vectors/keys', name)

/** The options that a keyshare server needs to start. */
export const NEEDED = {
  schemes_path: DEMO_SCHEMES,
  keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
  storage_primary_key_file: keyFile('storage-key.aes'),
  jwt_privkey_file: keyFile('kss-0.private.pem'),
}

type Values = Readonly<Record<string, unknown>>

/** @param values in addition to the required options */
export async function readSettings(values: Values) {
  const file = { name: 'f', values: { ...NEEDED, ...values } }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  return readKeyshareSettings({ options }, () => {})
}

export type NodeOfTest = KeyshareNode & AddressInfo & { readonly url: string }

/** Listens on a free port of this machine. */
export async function startNode(
  values: Values = {},
  world: Partial<KeyshareWorld> = {},
): Promise<NodeOfTest> {
  const clock = createSystemClock()
  const given = { profile: 'irma', store: 'memory', workers: 1, stop_idle: '0s', ...values }
  const { settings } = await readSettings(given)
  const node = await createKeyshareNode(settings, {
    clock,
    random: systemRandomness,
    fetch,
    log: FAILURES,
    ...world,
    instead: { ...(!world.metrics && !('arithmetic' in values) && { pool: sharedPool() }), ...world.instead },
  })
  const address = await node.server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${address.port}/`
  Object.assign(settings.sessions, { url }) // the port is known only now
  return { ...node, ...address, url }
}

/** A `fetch` that replaces the keyshare server's address in the scheme with that port of this machine. */
export function reaching(port: number): Fetch {
  const said = walletDeps.schemes.scheme(SCHEME)?.keyshareServer ?? ''
  return (url, init) => fetch(String(url).replace(said, `http://127.0.0.1:${port}`), init)
}

type OwnClock = { readonly clock?: Clock }

/** The dependencies of a wallet's sessions; by default with the clock of the system. */
export function depsOf(
  wallet: Wallet,
  port: number,
  { clock = createSystemClock() }: OwnClock = {},
): SessionDeps {
  return { wallet, fetch: reaching(port), clock, randomBytes: walletDeps.randomBytes }
}

/** A wallet without cards; by default with the clock of the system. */
export function emptyWallet({ clock = createSystemClock() }: OwnClock = {}): Promise<Wallet> {
  const folder = join(temporaryFolder(), 'wallet')
  return createWallet(folder, { developerMode: true }, { ...walletDeps, clock })
}

export const PIN = '12345'

/** A wallet with an account, and the dependencies of its sessions. */
export async function registeredWallet(port: number, of: OwnClock = {}) {
  const wallet = await emptyWallet(of)
  const deps = depsOf(wallet, port, of)
  const ending = await register(deps, SCHEME, { pin: PIN, email: '', language: 'nl' })
  assert.equal(ending, { status: 'success' })
  return { wallet, deps }
}
