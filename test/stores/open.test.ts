/** The names of stores that can be opened, and the messages for all others. @module */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  checkStore,
  isPostgres,
  mistakeInAccountsStoreName,
  mistakeInStoreName,
  openDeliveries,
  openSessionServerStore,
  openStore,
} from '../../stores/open.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { failureOf } from './other-connection.ts'

const FORMS = '"memory", "sqlite:FILE", "postgres://..." or "redis://..."'
const REDIS =
  '"redis://HOST:PORT/DATABASE", "rediss://..." or "redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE"'

/** Names that are no store of a session server, with the expected and the received value in the message. */
const REFUSED: readonly (readonly [name: string, expected: string, got: string])[] = [
  ['', FORMS, '""'],
  ['Memory', FORMS, '"Memory"'],
  ['sqlite:', FORMS, '"sqlite:"'],
  ['sqlite::memory:', FORMS, '"sqlite::memory:"'],
  ['postgres:x', FORMS, '"postgres:x"'],
  ['a postgres://h/x', FORMS, '"a postgres://h/x"'],
  ['mysql://svc:hunter2pw@db/x', FORMS, '"mysql://...@..."'],
  ['redis://svc:hunter2pw@h/x/y', REDIS, '"redis://...@..."'],
]

const Names = suite('names of stores')

for (const [name, expected, got] of REFUSED)
  Names(
    `${JSON.stringify(name.replace('hunter2pw', '...'))} is refused wherever a store is opened`,
    async () => {
      const message = `store: expected ${expected}, got ${got}`
      assert.is(mistakeInStoreName(name), message)
      const checking = Promise.resolve().then(() => checkStore(name))
      assert.is((await failureOf(checking)).message, message)
      assert.is((await failureOf(openSessionServerStore(name, 'boot A'))).message, message)
      assert.is((await failureOf(openDeliveries(name))).message, message)
    },
  )

Names('valid names are accepted', () => {
  const names = ['memory', 'sqlite:s.sqlite', 'postgres://h/x', 'postgresql://h/x']
  for (const name of names)
    assert.equal([mistakeInStoreName(name), mistakeInAccountsStoreName(name)], [null, null], name)
  assert.is(mistakeInStoreName('redis://h'), null)
  assert.equal(names.map(isPostgres), [false, false, true, true])
})

Names('a store with accounts cannot be Redis; the error does not quote the address', async () => {
  const { message } = await failureOf(openStore('redis://svc:hunter2pw@h', 'boot A'))
  const got = 'an address of Redis, where no accounts can be kept'
  assert.is(message, `store: expected "memory", "sqlite:FILE" or "postgres://...", got ${got}`)
})

Names('svc deliveries refuses a store in memory and a missing file, and creates no file', async () => {
  const file = join(temporaryFolder(), 'none.sqlite')
  for (const name of ['memory', `sqlite:${file}`])
    assert.is(
      (await failureOf(openDeliveries(name))).message,
      `store: expected the SQLite file of a server, got "${name}"`,
    )
  assert.not.ok(existsSync(file))
})

Names.run()
