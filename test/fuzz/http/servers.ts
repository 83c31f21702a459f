/** The servers that calls are tried at: both kinds in both profiles, in this process, on a clock that the fuzzer moves. Their schemes, effects and arithmetic are the real ones. @module */

import { join } from 'node:path'
import type { ProofPool } from '../../../actors/workers/proof-pool.ts'
import type { Randomness } from '../../../ports/randomness.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import type { ProfileName } from '../../../protocol/profiles.ts'
import { createNode } from '../../../server/create-node.ts'
import { createKeyshareNode } from '../../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../../server/settings/keyshare-settings.ts'
import { readNodeSettings } from '../../../server/settings/node-settings.ts'
import { sessionServer } from '../../../server/settings/session-server.ts'
import type { World } from '../../../server/world.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { Store } from '../../../stores/store.ts'
import { NOW_SEC } from '../../accounts/jwts.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { withMethods } from '../../http/keyshare/harness.ts'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'

export type Kind = 'session' | 'keyshare'

export type FuzzedServer = {
  readonly kind: Kind
  readonly profile: ProfileName
  readonly port: number
  readonly clock: SimulatedClock
  readonly store: Store
  /** the errors that it has logged, in one line each */
  readonly errors: string[]
  /** the nonce of the next sessions; null: a random one */
  nonce: bigint | null
  /** the name of the next account; empty: a random one */
  userName: string
  close(): Promise<void>
}

const keyFile = (name: string): string => join(PROJECT, 'test/vectors/keys', name)
export const SHOP_TOKEN = 'token-of-the-shop-0000'
const COMMON = {
  schemes_path: DEMO_SCHEMES,
  url: 'http://127.0.0.1:8188/',
  store: 'memory',
  stop_idle: '0s',
  workers: 1,
}
const PERMISSIONS = { disclose_perms: ['*'], sign_perms: ['*'], issue_perms: ['*'], revoke_perms: ['*'] }
const OPTIONS = {
  session: {
    ...COMMON,
    ...PERMISSIONS,
    short_checks: 'here',
    jwt_privkey_file: keyFile('session-jwt.private.pem'),
    store: 'sqlite:unused.sqlite', // the store in memory takes its place
    revocation_settings: { 'svc-demo.fast.badge': { authority: true } },
    allow_unsigned_callbacks: true,
  },
  keyshare: {
    ...COMMON,
    keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
    storage_primary_key_file: keyFile('storage-key.aes'),
    jwt_privkey_file: keyFile('kss-0.private.pem'),
  },
}

/** In one profile every caller may start sessions, in the other one known requestors. */
const REQUESTORS: Readonly<Record<ProfileName, object>> = {
  svc: { no_auth: true },
  irma: {
    no_auth: false,
    requestors: {
      shop: { auth_method: 'token', key: SHOP_TOKEN, ...PERMISSIONS },
      signer: { auth_method: 'publickey', key_file: keyFile('requestor-rs256.public.pem'), ...PERMISSIONS },
    },
  },
}

export async function startServer(kind: Kind, profile: ProfileName): Promise<FuzzedServer> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const errors: string[] = []
  const log: World['log'] = {
    info() {},
    warn() {},
    error: (...parts: unknown[]) => void errors.push(lineOf(parts)),
  }
  const store = createMemoryStore()
  const wanted: Pick<FuzzedServer, 'nonce' | 'userName'> = { nonce: null, userName: '' }
  const random = withMethods(systemRandomness, {
    nonce: () => wanted.nonce ?? systemRandomness.nonce(),
    userName: () => wanted.userName || systemRandomness.userName(),
  })
  const world = { clock, random, log, fetch: noAnswer, instead: { store, pool: sharedPool() } }
  const node = await (kind === 'session' ? sessionNode(profile, world) : keyshareNode(profile, world))
  const { port } = await node.server.listen(0, '127.0.0.1')
  return Object.assign(wanted, { kind, profile, port, clock, store, errors, close: node.close })
}

type Settled = Omit<World, 'instead' | 'random'> & {
  readonly random: Randomness & typeof systemRandomness
  readonly instead: { readonly store: Store; readonly pool: ProofPool }
}

async function sessionNode(profile: ProfileName, world: Settled) {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: fileOf('session', profile) })
  const { settings } = await readNodeSettings({ options }, () => {})
  return createNode(settings, world)
}

async function keyshareNode(profile: ProfileName, world: Settled) {
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file: fileOf('keyshare', profile) })
  const { settings } = await readKeyshareSettings({ options }, () => {})
  return createKeyshareNode(settings, world)
}

function fileOf(kind: Kind, profile: ProfileName) {
  return {
    name: 'the settings of a fuzzed server',
    values: { ...OPTIONS[kind], ...(kind === 'session' && REQUESTORS[profile]), profile },
  }
}

/** Requestors and other servers give no answer. */
async function noAnswer(): Promise<never> {
  throw new TypeError('fetch failed')
}

/** The words of a logged error, with the place of its cause. */
function lineOf(parts: readonly unknown[]): string {
  const words = parts.filter(part => typeof part === 'string').join(' ')
  const cause = parts.map(part => Object(part).err ?? part).find(part => part instanceof Error)
  const at = cause?.stack?.split('\n').find((line: string) => line.includes('/dist/'))
  return `${words}: ${cause?.name ?? 'no cause'} at ${at?.replace(/^.*\/dist\/|\)$/g, '').replace(/:\d+$/, '') ?? 'an unknown place'}`
}
