/** Which commits survive a power cut: those that wallets of others will have heard of (docs/architecture.md, Revocation). */
import { DummyDriver, Kysely, SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import * as assert from 'uvu/assert'
import type { Tables } from '../../stores/sql/schema.ts'
import type { Work } from '../../stores/sqlite/group-commit.ts'
import type { PartDeps } from '../../stores/sqlite/part.ts'
import { SqliteStore } from '../../stores/sqlite/store.ts'
import { BADGE } from '../actors/authority.ts'
import { suite } from '../suite.ts'

const works: Work[] = []
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
const statements = { all: () => [] } as never // no statement is run
const store = new SqliteStore({ db, statements, commits, bootId: 'boot', close: async () => {} })

const signed = { data: new Uint8Array(), keyCounter: 0 }
const row = { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 }
const event = { index: 0, e: 1n, parentHash: new Uint8Array() }
const record = {
  ...{ credentialType: BADGE, keyCounter: 0, revocationKey: 'k', e: 1n },
  ...{ issuedAtNs: 1n, validUntilNs: 2n, revokedAtNs: 0n },
}

const Durable = suite('commits that survive a power cut')

for (const [what, isDurable, write] of [
  ['events of revocation', true, () => store.commit({ accumulators: [{ row, events: [event] }] })],
  ['a record of what is issued', true, () => store.revocation.addRecord(record)],
  ['an accumulator that is signed anew', false, () => store.commit({ accumulators: [{ row }] })],
  ['the end of old records', false, () => store.revocation.dropRecords(0)],
  ['the end of old answers', false, () => store.sessions.dropAnswers(0)],
] as const)
  Durable(`${what}: ${isDurable ? 'yes' : 'no, the next one does'}`, async () => {
    works.length = 0
    await write()
    assert.equal(
      works.map(work => work.isDurable ?? false),
      [isDurable],
    )
  })
Durable.run()
