/** The keyshare server in the state of a recording: its options, its accounts, its time, and its random values. @module */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newSecrets } from '../../accounts/secrets.ts'
import type { Accounts } from '../../actors/accounts/accounts.ts'
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import { bytesOf, fromBase64, leftPadded } from '../../crypto/bytes.ts'
import type { AccountRandomness, Randomness } from '../../ports/randomness.ts'
import { createKeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../../server/world.ts'
import { type Client, clientOf } from '../http/client.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import type { KeyshareRandomness, RecordedAccount } from './recorded-accounts.ts'

/** The options of a recorded keyshare server. */
export type RecordedKeyshare = {
  readonly url: string
  /** below test/vectors */
  readonly jwt_privkey: string
  readonly jwt_privkey_id: number
  readonly jwt_issuer: string
  readonly jwt_pin_expiry: number
  readonly keyshare_attribute: string
  /** below test/vectors */
  readonly storage_primary_key: string
}

export type ReplayKeyshare = {
  readonly client: Client
  /** Sets the random values of the next exchange. */
  expect(values: KeyshareRandomness): void
  close(): Promise<void>
}

const NONCE_BYTES = 12

/** @param tokens tokens, nonces and pairing codes of sessions */
export async function startReplayKeyshare(
  recorded: RecordedKeyshare,
  earlier: readonly RecordedAccount[],
  tokens: Randomness,
  { pool, ...world }: Omit<KeyshareWorld, 'random' | 'instead'> & { readonly pool: ProofPool },
): Promise<ReplayKeyshare> {
  const random = recordedBytes(tokens)
  const settings = await settingsOf(recorded)
  const instead = { pool: { ...pool, isOverloaded: () => false } }
  const { server, accounts, close } = await createKeyshareNode(settings, { ...world, random, instead })
  for (const account of earlier) await store(account, accounts)
  const { port } = await server.listen(0, '127.0.0.1')
  return { client: clientOf(port), expect: random.expect, close }
}

async function settingsOf(recorded: RecordedKeyshare) {
  const { url, jwt_privkey_id, jwt_issuer, jwt_pin_expiry, keyshare_attribute } = recorded
  const values = {
    url,
    jwt_privkey_id,
    jwt_issuer,
    jwt_pin_expiry,
    keyshare_attribute,
    profile: 'irma',
    store: 'memory',
    stop_idle: '0s',
    jwt_privkey_file: inVectors(recorded.jwt_privkey),
    storage_primary_key_file: inVectors(recorded.storage_primary_key),
    schemes_path: DEMO_SCHEMES,
  }
  const file = { name: 'the recorded keyshare server', values }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  return (await readKeyshareSettings({ options }, () => {})).settings
}

async function store(account: RecordedAccount, accounts: Accounts): Promise<void> {
  const { username, pin, keyshareSecret, devicePublicKey, tokenIds } = account
  const secrets = newSecrets(pin, {
    mk: fromBase64(keyshareSecret),
    tokenId: Buffer.from(tokenIds[0] ?? '', 'base64'),
    deviceKey: Buffer.from(devicePublicKey, 'base64'),
  })
  await accounts.register({ userName: username, language: 'en', secrets })
}

/** Returns the random values of the exchange that is being replayed. Values that are not in the recording are random. */
function recordedBytes(tokens: Randomness): AccountRandomness & Pick<ReplayKeyshare, 'expect'> {
  let userName = ''
  let values: (bigint | null)[] = []
  return {
    ...tokens,
    expect(next) {
      userName = next.userName
      values = [...next.values]
    },
    userName: () => userName,
    bytes(count) {
      const value = count === NONCE_BYTES ? null : (values.shift() ?? null)
      return value === null ? randomBytes(count) : leftPadded(bytesOf(value), count, 'recorded value')
    },
  }
}

function inVectors(file: string): string {
  return join(PROJECT, 'test/vectors', file)
}
