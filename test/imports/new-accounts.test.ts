/** The log of an account that registers at the existing server during a pass (spec/keyshare-server#12). */
import * as assert from 'uvu/assert'
import { AccountImport } from '../../actors/imports/import-accounts.ts'
import type { AccountImports, ImportedAccount } from '../../stores/account-imports.ts'
import type { SourceAccount, SourceEntry } from '../../stores/imports/account-source.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { suite } from '../suite.ts'
import { RULES, SOURCE } from './rows.ts'

const Passes = suite('passes of an import')

const account = (number: number): SourceAccount => ({ ...SOURCE, number, userName: `user ${number}` })
const entryOf = (number: number): SourceEntry => ({
  number,
  userName: `user ${number}`,
  atSec: 1,
  event: 'PIN_CHECK_SUCCESS',
  param: null,
})

/** A store in memory. Its writes never conflict with another process. */
function target() {
  const accounts = new Map<string, ImportedAccount>()
  const log: number[] = []
  const imports: AccountImports = {
    async targets(ids) {
      return ids.map(id => {
        const found = accounts.get(id)
        if (found === undefined) return { stored: null, imported: null }
        const { row, fingerprint } = found
        return { stored: row, imported: { version: row.version, fingerprint, logNumber: 0 } }
      })
    },
    async owners() {
      return new Map()
    },
    async putAccounts(written) {
      for (const each of written) accounts.set(each.row.id, each)
      return true
    },
    async addLog(entries) {
      log.push(...entries.map(({ number }) => number))
      return true
    },
  }
  return { imports, accounts, log }
}

Passes('an entry that is written after the accounts were read is imported by the next pass', async () => {
  const { imports, accounts, log } = target()
  const [users, entries] = [[account(1)], [entryOf(1)]]
  const passes = new AccountImport({
    source: {
      name: 'the source',
      keys: async () => [],
      samples: async () => [],
      accounts: async after => users.filter(({ number }) => number > after),
      logEnd: async () => entries.length,
      async log(after, _limit, end) {
        if (users.length === 1) {
          users.push(account(2))
          entries.push(entryOf(2))
        }
        return entries.filter(({ number }) => number > after && number <= end)
      },
    },
    imports,
    rules: RULES,
    now: () => 1_000_000,
    leftOut: (_, error) => assert.unreachable(error.message),
    progress: () => {},
  })
  await passes.pass(false)
  assert.equal(log, [1])
  await passes.pass(true)
  assert.equal(log, [1, 2])
  assert.equal([...accounts.keys()], ['user 1', 'user 2'].map(hashOfToken))
})

Passes.run()
