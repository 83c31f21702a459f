/** The rules of every store of accounts. @module */
import * as assert from 'uvu/assert'
import type { LogEntry } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { suite } from '../suite.ts'
import { MAIL_TESTS } from './account-mail-suite.ts'
import { accountRow, addressOf, commitAccount, deleteAccount, fullAccount, linkFor } from './account-rows.ts'
import { rejects } from './commits.ts'
import { owedRow } from './rows.ts'

function sorted(ids: readonly string[]): readonly string[] {
  return [...ids].sort()
}

const REFUSED: LogEntry = { at: 2_000, event: 'PIN_CHECK_REFUSED', param: null }

const TESTS: Readonly<Record<string, (store: AccountsStore) => Promise<void>>> = {
  async 'a row is read as it was stored, column by column'(store) {
    for (const row of [accountRow('a'), fullAccount('b')]) {
      assert.ok(await commitAccount(store, 0, row))
      assert.equal(await store.accounts.load(row.id), row)
    }
    const commitment = { lastKey: 'k-1', hashedComms: null, sealedRandomizer: new Uint8Array(80) }
    const row = accountRow('c', { commitment })
    assert.ok(await commitAccount(store, 0, row))
    assert.equal(await store.accounts.load(row.id), row)
  },

  async 'a commit changes every changing column, and another one changes it back'(store) {
    const { userName, language, ...changed } = fullAccount('a')
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    assert.ok(await commitAccount(store, 1, accountRow('a', changed)))
    assert.equal(await store.accounts.load('id-a'), accountRow('a', changed))
    const closed = accountRow('a', {
      version: 3,
      chart: null,
      record: null,
      tokenIdHash: null,
      snapshot: null,
    })
    assert.ok(await commitAccount(store, 2, closed))
    assert.equal(await store.accounts.load('id-a'), closed)
  },

  async 'an unknown account is null'(store) {
    assert.is(await store.accounts.load('id-a'), null)
    assert.is(await store.accounts.findByTokenIdHash('token-a'), null)
    assert.is(await commitAccount(store, 1, accountRow('a', { version: 2 })), false)
    assert.is(await deleteAccount(store, 'id-a', 1), false)
  },

  async 'a commit on another version changes nothing'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    assert.ok(await commitAccount(store, 1, accountRow('a', { version: 2, attempts: 1 })))
    for (const version of [0, 1, 3])
      assert.is(await commitAccount(store, version, accountRow('a', { version: version + 1 })), false)
    assert.is(await deleteAccount(store, 'id-a', 1), false)
    assert.is((await store.accounts.load('id-a'))?.attempts, 1)
  },

  async 'of many concurrent commits on one version, one succeeds'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    const rows = Array.from({ length: 20 }, (_, i) => accountRow('a', { version: 2, attempts: i }))
    const won = await Promise.all(rows.map(row => commitAccount(store, 1, row)))
    assert.is(won.filter(isCommitted => isCommitted).length, 1)
    assert.is((await store.accounts.load('id-a'))?.attempts, won.indexOf(true))
  },

  async 'an account is found by the hash of its current token id'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    assert.is(await store.accounts.findByTokenIdHash('token-a'), 'id-a')
    assert.ok(await commitAccount(store, 1, accountRow('a', { version: 2, tokenIdHash: 'token-n' })))
    assert.is(await store.accounts.findByTokenIdHash('token-a'), null)
    assert.is(await store.accounts.findByTokenIdHash('token-n'), 'id-a')
    assert.ok(await deleteAccount(store, 'id-a', 2))
    assert.is(await store.accounts.findByTokenIdHash('token-n'), null)
  },

  async 'two accounts never share a token id; several disabled accounts have none'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    await rejects(commitAccount(store, 0, accountRow('b', { tokenIdHash: 'token-a' })))
    assert.is(await store.accounts.load('id-b'), null)
    for (const name of ['c', 'd'])
      assert.ok(await commitAccount(store, 0, accountRow(name, { record: null, tokenIdHash: null })))
  },

  async 'a commit stores the row and all of its inserts, or nothing'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a'), { owed: [owedRow('first')] }))
    const inserts = {
      account: { log: [REFUSED], links: [linkFor('l')], addresses: [addressOf('a')] },
      owed: [owedRow('mail')],
    }
    const beside = async () => [
      await store.accounts.log('id-a', 0, 9),
      await store.accounts.link('hash-l'),
      await store.accounts.addressesOf('id-a'),
      await store.deliveries.list(),
    ]
    const next = accountRow('a', { version: 2 })
    assert.is(await commitAccount(store, 7, next, inserts), false)
    assert.equal(await beside(), [[], null, [], [owedRow('first')]])
    const repeated = { ...inserts, owed: [owedRow('mail'), owedRow('first')] }
    await rejects(commitAccount(store, 1, next, repeated))
    assert.equal(await beside(), [[], null, [], [owedRow('first')]])
    assert.is((await store.accounts.load('id-a'))?.version, 1)
    assert.ok(await commitAccount(store, 1, next, inserts))
    const owed = [owedRow('first'), owedRow('mail')]
    assert.equal(await beside(), [[REFUSED], linkFor('l'), [addressOf('a')], owed])
    await rejects(commitAccount(store, 2, accountRow('a', { version: 3 }), { account: inserts.account }))
    assert.is((await store.accounts.load('id-a'))?.version, 2)
  },

  async 'accounts whose challenge or commitment has ended are due, the oldest first'(store) {
    const { accounts } = store
    const rows = [
      accountRow('none'),
      accountRow('late', { dueAt: 9_000 }),
      accountRow('second', { dueAt: 5_000 }),
      accountRow('first', { dueAt: 4_000, chart: null }),
      accountRow('newer', { dueAt: 3_000, chart: 2 }),
    ]
    for (const row of rows) assert.ok(await commitAccount(store, 0, row))
    assert.equal(await accounts.due(3_999, 1, 9), [])
    assert.equal(await accounts.due(5_000, 1, 9), ['id-first', 'id-second'])
    assert.equal(await accounts.due(9_000, 1, 2), ['id-first', 'id-second'])
    assert.equal(await accounts.due(3_000, 2, 9), ['id-newer'])
    const next = (at: number) => accounts.nextDueAfter(at, 1)
    assert.equal([await next(2_000), await next(4_000), await next(9_000)], [4_000, 5_000, null])
    assert.is(await accounts.nextDueAfter(2_000, 2), 3_000)
    assert.ok(await commitAccount(store, 1, accountRow('first', { version: 2 })))
    assert.equal(await accounts.due(5_000, 1, 9), ['id-second'])
  },

  async 'accounts whose deleteAt has passed are listed for deletion'(store) {
    const rows = [
      accountRow('kept'),
      accountRow('later', { deleteAt: 5_001 }),
      accountRow('now', { deleteAt: 5_000 }),
      accountRow('before', { deleteAt: 4_000, record: null, tokenIdHash: null }),
    ]
    for (const row of rows) assert.ok(await commitAccount(store, 0, row))
    assert.equal(sorted(await store.accounts.toDelete(5_000, 9)), ['id-before', 'id-now'])
    assert.equal(await store.accounts.toDelete(5_000, 1), ['id-before'])
    assert.equal(await store.accounts.toDelete(3_999, 9), [])
  },

  async 'listed as unused: accounts with an address, not seen for a while, not disabled and not to be deleted'(
    store,
  ) {
    const seenAt = 1_000
    const rows = [
      accountRow('unused', { seenAt }),
      accountRow('also', { seenAt: 1_999 }),
      accountRow('used', { seenAt: 2_000 }),
      accountRow('warned', { seenAt, deleteAt: 9_000 }),
      accountRow('disabled', { seenAt, record: null }),
    ]
    for (const row of rows) {
      const addresses = [addressOf(row.userName), addressOf(row.userName, { address: 'second@example.com' })]
      assert.ok(await commitAccount(store, 0, row, { account: { addresses } }))
    }
    assert.ok(await commitAccount(store, 0, accountRow('without', { seenAt })))
    assert.equal(sorted(await store.accounts.unused(2_000, 9)), ['id-also', 'id-unused'])
    assert.equal(await store.accounts.unused(2_000, 1), ['id-unused'])
  },

  async 'subscribers are notified of every commit of an account, with its owed mails, and of nothing else'(
    store,
  ) {
    const heard: string[] = []
    const stop = store.subscribe((id, change, owed = []) => {
      heard.push([id, change, ...owed.map(({ id }) => id)].join(' '))
    })
    await commitAccount(store, 0, accountRow('a'), { owed: [owedRow('mail')] })
    await commitAccount(store, 7, accountRow('a', { version: 8 }), { owed: [owedRow('never')] })
    await store.commit({ delivery: { id: 'mail', version: 1, row: owedRow('mail', { version: 2 }) } })
    await deleteAccount(store, 'id-a', 1)
    stop()
    await commitAccount(store, 0, accountRow('b'))
    assert.equal(heard, ['id-a  mail', 'id-a '])
  },

  async 'the accounts that were used last are listed, the latest first, and all are counted'(store) {
    assert.is(await store.accounts.count(), 0)
    for (const [name, seenAt] of [
      ['a', 1_000],
      ['b', 3_000],
      ['c', 2_000],
    ] as const)
      assert.ok(await commitAccount(store, 0, accountRow(name, { seenAt })))
    assert.is(await store.accounts.count(), 3)
    const [b, c, ...others] = await store.accounts.newest(2)
    assert.equal([others, c?.id], [[], 'id-c'])
    const row = accountRow('b', { seenAt: 3_000 })
    const { id, version, chart, snapshot, attempts, blockedUntil, deleteAt, dueAt, seenAt } = row
    const listed = { id, version, chart, snapshot, attempts, blockedUntil, deleteAt, dueAt, seenAt }
    assert.equal({ ...row, ...b }, { ...row, ...listed })
  },

  async 'a delivery changes only from the stored version'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    const sending = owedRow('mail', { version: 2, state: 'sending', attempts: 1, bootId: 'boot A' })
    const commit = (version: number) => store.commit({ delivery: { id: 'mail', version, row: sending } })
    assert.equal([await commit(2), await commit(1), await commit(1)], [false, true, false])
    assert.equal(await store.deliveries.load('mail'), sending)
    assert.equal(await store.deliveries.sending(), ['mail'])
  },

  async 'a commit of an account and a delivery does both or neither'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    const account = { id: 'id-a', version: 1, row: accountRow('a', { version: 2 }) }
    const delivery = { id: 'mail', version: 7, row: owedRow('mail', { version: 8 }) }
    assert.is(await store.commit({ account, delivery }), false)
    assert.is((await store.accounts.load('id-a'))?.version, 1)
    assert.ok(await store.commit({ account, delivery: { ...delivery, version: 1 } }))
    assert.equal(
      [(await store.accounts.load('id-a'))?.version, (await store.deliveries.load('mail'))?.version],
      [2, 8],
    )
  },
}

/** @param open returns a new, empty store of a node `boot A`
 *  @param isSkipped true if the store's program is missing on this machine */
export function runAccountSuite(name: string, open: () => Promise<AccountsStore>, isSkipped = false): void {
  const Accounts = suite(`store of accounts ${name}`)
  const test = isSkipped ? Accounts.skip : Accounts
  for (const [title, body] of Object.entries({ ...TESTS, ...MAIL_TESTS }))
    test(title, async () => {
      const store = await open()
      try {
        await body(store)
      } finally {
        await store.close()
      }
    })
  Accounts.run()
}
