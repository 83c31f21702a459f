/** A commit that an SQLite file can never hold fails alone, and the file still counts as healthy. @module */
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../ports/clock.ts'
import { openStore } from '../../stores/open.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { StoreError } from '../../stores/store-error.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { commitSession } from './commits.ts'
import { failureOf } from './other-connection.ts'
import { sessionRow } from './rows.ts'

/** Statements that make the file refuse a session, by the message of SQLite. */
const REFUSALS: Readonly<Record<string, string>> = {
  'too big': 'select zeroblob(2000000000)',
  'constraint failed': `insert into owner (id, renewals) values (2, null)`,
  'datatype mismatch': `insert into owner (id, renewals) values ('no number', 1)`,
}

const Refusals = suite('an SQLite file that refuses a commit')

for (const [words, statement] of Object.entries(REFUSALS))
  Refusals(`${words}: an error of that commit alone`, async () => {
    const file = newStoreFile()
    const failing: string[] = []
    const tell = { failing: (line: string) => failing.push(line), working() {} }
    const store = await openStore(`sqlite:${file}`, 'boot A', { clock: createSystemClock(), tell })
    const other = await openSqlite(file)
    other.exec(
      `create trigger refusing before insert on sessions when new.requestor = 'refused' begin ${statement}; end`,
    )
    other.close()
    const [failure, isCommitted] = await Promise.all([
      failureOf(commitSession(store, 'id-s', 0, sessionRow('s', { requestor: 'refused' }))),
      commitSession(store, 'id-t', 0, sessionRow('t')),
    ])
    assert.match(failure.message, words)
    assert.equal([failure instanceof StoreError, isCommitted, failing], [false, true, []])
    await store.close()
  })

Refusals.run()
