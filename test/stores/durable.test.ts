/** The commits that survive a power cut: those that other wallets will know of (docs/architecture.md, Revocation), and those of accounts without
 *  which a PIN could be guessed once more or a commitment answered twice. @module */
import { DummyDriver, Kysely, SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import * as assert from 'uvu/assert'
import type { AccountRow } from '../../stores/account-store.ts'
import { NEVER } from '../../stores/oidc-store.ts'
import { NO_OUTAGE } from '../../stores/outage.ts'
import { accountToTable } from '../../stores/sql/account-rows.ts'
import type { Tables } from '../../stores/sql/schema.ts'
import type { CommitWork } from '../../stores/sqlite/group-commit.ts'
import type { PartDeps } from '../../stores/sqlite/part.ts'
import { SqliteStore } from '../../stores/sqlite/store.ts'
import { BADGE } from '../actors/authority.ts'
import { suite } from '../suite.ts'
import { accountRow, commitAccount, fullAccount } from './account-rows.ts'
import { commitOidc, oidcRecord, setting } from './oidc-rows.ts'

const works: CommitWork[] = []
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: () => assert.unreachable() as never,
  },
})
const commits: PartDeps['commits'] = {
  async commit(work) {
    works.push(work)
    return true
  },
  drain: async () => {},
}
const stored: unknown[] = []
const statements = { all: () => stored } as never // no statement is run
const beside = { bootId: 'boot', outage: NO_OUTAGE, close: async () => {} }
const newStore = () => new SqliteStore({ db, statements, commits, ...beside })
const store = newStore()

const signed = { data: new Uint8Array(), keyCounter: 0 }
const row = { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 }
const event = { index: 0, e: 1n, parentHash: new Uint8Array() }
const record = {
  credentialType: BADGE,
  keyCounter: 0,
  revocationKey: 'k',
  e: 1n,
  issuedAtNs: 1n,
  validUntilNs: 2n,
  revokedAtNs: 0n,
}

const { commitment, challenge, record: newRecord, tokenIdHash } = fullAccount('a')
const another = { lastKey: 'k-1', hashedComms: null, sealedRandomizer: new Uint8Array(80) }

/** The commit that turns one row into the other, with a log entry. */
function change(before: Partial<AccountRow>, after: Partial<AccountRow> | null): Promise<boolean> {
  stored.push(accountToTable(accountRow('a', before)))
  const row = after && accountRow('a', { version: 2, ...before, ...after })
  const log = [{ at: 1_000, event: 'SESSION', param: null }] as const
  return newStore().commit({ account: { id: 'id-a', version: 1, row }, inserts: { account: { log } } })
}

function boundTo(isDeviceBound: boolean): AccountRow['snapshot'] {
  return { value: 'active', context: { isDeviceBound } }
}

const Durable = suite('commits that survive a power cut')

for (const [what, isDurable, write] of [
  ['events of revocation', true, () => store.commit({ accumulators: [{ row, events: [event] }] })],
  ['an issuance record', true, () => store.revocation.addRecord(record)],
  ['an accumulator with a new signature', false, () => store.commit({ accumulators: [{ row }] })],
  ['the deletion of old records', false, () => store.revocation.dropRecords(0)],
  ['a signing key', true, () => commitOidc(store, setting(oidcRecord('k', { expiresAt: NEVER })))],
  ['a token', false, () => commitOidc(store, setting(oidcRecord('t')))],
  ['the deletion of old answers', false, () => store.sessions.dropAnswers(0)],
  ['an account that is registered', true, () => commitAccount(store, 0, accountRow('a'))],
  [
    'an attempt at a PIN, which takes its challenge',
    true,
    () => change({ challenge }, { attempts: 1, challenge: null }),
  ],
  ['a response, which takes its commitment', true, () => change({ commitment }, { commitment: null })],
  ['a new PIN', true, () => change({}, { record: newRecord, tokenIdHash })],
  [
    'a new device key, without a new token id',
    true,
    () => change({ attempts: 1, snapshot: boundTo(false) }, { attempts: 0, snapshot: boundTo(true) }),
  ],
  ['an account that its owner disables', true, () => change({}, { tokenIdHash: null, record: null })],
  ['an account that is deleted', true, () => change({}, null)],
  ['a challenge', false, () => change({}, { challenge })],
  ['a challenge that has ended', false, () => change({ challenge, attempts: 2 }, { challenge: null })],
  ['a commitment', false, () => change({}, { commitment })],
  ['a commitment that replaces another', false, () => change({ commitment: another }, { commitment })],
  ['a record that is sealed again', false, () => change({}, { record: newRecord })],
  ['the reset of the count of attempts', false, () => change({ attempts: 3 }, { attempts: 0 })],
] as const)
  Durable(`${what}: ${isDurable ? 'synced' : 'not synced by itself'}`, async () => {
    works.length = 0
    stored.length = 0
    await write()
    assert.equal(
      works.map(work => work.isDurable ?? false),
      [isDurable],
    )
  })
Durable.run()
