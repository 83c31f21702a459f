/** A whole keyshare server of a simulation, with the real code. Everything that it needs from outside is simulated. So are the powers of its secrets, and the page on
 *  which the owner of an account deletes it. @module */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { KeysharePowers } from '../../actors/workers/keyshare-powers.ts'
import type { AccountRandomness } from '../../ports/randomness.ts'
import { createKeyshareNode, type KeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import type { Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { NO_REVOCATION } from '../actors/no-revocation.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { idlePool } from '../server/node-of-test.ts'
import { type ClusterNode, type Outside, RETENTION_MS, STAY_MS, TRACES } from './cluster-node.ts'
import type { Process } from './process.ts'

const KEYS = join(PROJECT, 'test/vectors/keys')
/** The key of the demo scheme for which the app requests responses. */
export const KEY = 'svc-keyshare.shop-0'
/** The path at which owners delete their accounts in a simulation, followed by the name of the user. */
export const OWNER_PATH = '/owner/'
/** The row of a deleted account is removed when a process looks for due rows, after this time. */
const DELETED_MS = 5_000

const { settings } = await readKeyshareSettings(
  {
    options: keyshareServer.resolve({
      flags: {},
      variables: {},
      file: {
        name: 'simulation',
        values: {
          schemes_path: DEMO_SCHEMES,
          keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
          storage_primary_key_file: join(KEYS, 'storage-key.aes'),
          jwt_privkey_file: join(KEYS, 'kss-0.private.pem'),
          url: 'http://keyshare.example/',
          stop_idle: '0s',
          registrations_per_caller: 0,
          registrations_per_minute: 0,
        },
      },
    }).options,
  },
  () => {},
)
const SETTINGS = {
  ...settings,
  sessions: { ...settings.sessions, maxSessionLifetimeMs: STAY_MS, resultLifetimeMs: RETENTION_MS },
}

/** The header that names a user. */
export const USER_HEADER = SETTINGS.keyshare.profile.keyshareUsernameHeader

/** Powers without any cost or protection: the simulated app does not check them. */
const POWERS: KeysharePowers = {
  secretPowers: async (named, secret) => named.map(each => ({ ...each, power: secret })),
  challenge: () => Promise.reject(new Error('expected the first version of the protocol, got the second')),
}

export async function startKeyshareNode(
  process: Process,
  store: Store,
  { fetch, failed }: Outside,
  random: AccountRandomness,
): Promise<ClusterNode> {
  const error = (facts: unknown, text = ''): void => {
    if (process.fate !== 'is gone') failed(process, `${text}: ${String(Object(facts).err)}`)
  }
  const node = await createKeyshareNode(SETTINGS, {
    clock: process.clock,
    random,
    fetch: fetch(process),
    traces: TRACES,
    log: { info() {}, warn() {}, error },
    instead: {
      store,
      bootId: process.bootId,
      revocation: NO_REVOCATION,
      pool: { ...idlePool(), keyshare: POWERS },
    },
  })
  const called = node.server.app.callback()
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '' } = request
    if (url.startsWith(OWNER_PATH)) void deleteAccount(node, process, url.slice(OWNER_PATH.length), response)
    else void called(request, response)
  }
  return { process, handler, close: node.close }
}

/** The action of the account page for a known owner. */
async function deleteAccount(
  { accounts }: KeyshareNode,
  { clock }: Process,
  userName: string,
  response: ServerResponse,
): Promise<void> {
  try {
    const deleteAt = clock.now() + DELETED_MS
    const turn = await accounts.turn(hashOfToken(userName), () => ({
      event: { type: 'owner.disabled', deleteAt },
    }))
    response.statusCode = turn === null || turn.isRefused ? 404 : 200
  } catch (error) {
    if (!(error instanceof StoreError) && !/closing|no turn/.test(String(error))) throw error
    response.statusCode = 503
  }
  response.end('')
}

/** Makes a different value for every byte string, name and token. */
export function accountRandomness(): AccountRandomness {
  let count = 0
  const next = (prefix: string, length: number): string =>
    `${prefix}${String(++count).padStart(length - prefix.length, '0')}`
  return {
    token: () => next('token', 20),
    pairingCode: () => next('', 4),
    nonce: () => BigInt(++count),
    userName: () => next('user', 12),
    bytes(length) {
      const bytes = Buffer.alloc(length, 1)
      bytes.writeUIntBE(++count, length - 6, 6)
      return bytes
    },
  }
}
