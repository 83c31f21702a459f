/** The row of an imported account, where the two servers differ (spec/keyshare-server#12). */
import * as assert from 'uvu/assert'
import { importedEntry, importedRow, readAccount } from '../../actors/imports/account-rows.ts'
import type { SourceAccount } from '../../stores/imports/account-source.ts'
import { ImportSource } from '../../stores/imports/source.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { DAY_MS, NOW_SEC, now, RULES, SOURCE } from './rows.ts'

function rowOf(changes: Partial<SourceAccount>) {
  const source = { ...SOURCE, ...changes }
  return importedRow(source, readAccount(source, RULES, now), RULES, { version: 1, now })
}

const Rows = suite('the row of an imported account')

Rows('a wrong PIN whose time lies in the future, because that clock is ahead, causes no block', () => {
  const { attempts, blockedUntil } = rowOf({ attempts: 2, blockSec: NOW_SEC + 30 })
  assert.equal([attempts, blockedUntil], [2, 0])
})

Rows('a block without wrong PINs is kept, for 24 hours at most', () => {
  const { attempts, blockedUntil } = rowOf({ blockSec: NOW_SEC + 5 * 86_400 })
  assert.equal([attempts, blockedUntil], [3, now + DAY_MS])
})

Rows('an expired block keeps its count of wrong PINs, and its end is not 0', () => {
  assert.equal([rowOf({ attempts: 4, blockSec: 0 }).blockedUntil, rowOf({ attempts: 4 }).attempts], [1, 4])
})

Rows('an account without secrets has a time of deletion', () => {
  assert.is(rowOf({ deleteSec: null }).deleteAt, now + 30 * DAY_MS)
  assert.is(rowOf({}).deleteAt, now + 9_000)
})

Rows('a language that this server does not support becomes the default language', () => {
  assert.equal([rowOf({}).language, rowOf({ language: 'x'.repeat(40) }).language], ['nl', 'en'])
})

Rows('a link that has expired is left out', () => {
  const link = (endsSec: number) => ({ token: `t${endsSec}`, text: 'a@b.test', endsSec })
  const { links } = readAccount({ ...SOURCE, links: [link(NOW_SEC), link(NOW_SEC + 1)] }, RULES, now)
  assert.equal(
    links.map(({ endsAt, madeAt }) => [endsAt, endsAt - madeAt]),
    [[now + 1_000, 7 * DAY_MS]],
  )
})

Rows('an event keeps its parameter if that is a number', () => {
  const entry = { number: 1, userName: 'user', atSec: 5, event: 'IRMA_SESSION' }
  assert.equal(importedEntry({ ...entry, param: '60' }), { at: 5_000, event: 'SESSION', param: 60 })
  assert.equal(importedEntry({ ...entry, param: '{"a":1}' })?.param, null)
  assert.is(importedEntry({ ...entry, event: 'OTHER', param: null }), null)
})

const withDatabase = isMissing('PostgreSQL', hasPostgres) ? Rows.skip : Rows
withDatabase('the database of the existing server cannot be changed through the import', async () => {
  const source = await ImportSource.open(await newPostgresDatabase(), [], 'any server')
  try {
    await source.all('create table left_behind (id integer)')
    assert.unreachable('expected a refusal')
  } catch (error) {
    assert.match(String(error), /read-only transaction/)
  } finally {
    await source.close()
  }
})

Rows.run()
