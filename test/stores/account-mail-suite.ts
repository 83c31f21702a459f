/** The rules of every store of accounts for the data of an account: its activity log, its addresses, and its pending links. @module */
import * as assert from 'uvu/assert'
import type { AccountId, LogEntry } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { accountRow, addressOf, commitAccount, deleteAccount, linkFor } from './account-rows.ts'
import { rejects } from './commits.ts'

function sorted(ids: readonly string[]): readonly string[] {
  return [...ids].sort()
}

async function addressesOf({ accounts }: AccountsStore, id: AccountId): Promise<readonly string[]> {
  return sorted((await accounts.addressesOf(id)).map(({ address }) => address))
}

const REFUSED: LogEntry = { at: 2_000, event: 'PIN_CHECK_REFUSED', param: null }

export const MAIL_TESTS: Readonly<Record<string, (store: AccountsStore) => Promise<void>>> = {
  async 'a link is used once: of two commits at once, one succeeds, and the other changes nothing'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a'), { account: { links: [linkFor('l')] } }))
    const use = (name: string) =>
      commitAccount(store, 1, accountRow('a', { version: 2 }), {
        account: { usedLink: 'hash-l', addresses: [addressOf('a', { address: `${name}@example.com` })] },
      })
    const won = await Promise.all([use('one'), use('two')])
    assert.equal([...won].sort(), [false, true])
    assert.equal(await addressesOf(store, 'id-a'), [won[0] ? 'one@example.com' : 'two@example.com'])
    assert.is(await store.accounts.link('hash-l'), null)
    const late = accountRow('a', { version: 3, seenAt: 5_000 })
    const again = { account: { usedLink: 'hash-l', log: [REFUSED], addresses: [addressOf('late')] } }
    assert.is(await commitAccount(store, 2, late, again), false)
    assert.is((await store.accounts.load('id-a'))?.version, 2)
    assert.equal(await store.accounts.log('id-a', 0, 9), [])
  },

  async 'a link of a login is used once'(store) {
    const login = linkFor('l', { purpose: 'login', accountId: null })
    await store.accounts.addLink(login)
    await rejects(store.accounts.addLink(login))
    assert.equal(await store.accounts.link('hash-l'), login)
    const used = await Promise.all([store.accounts.useLink('hash-l'), store.accounts.useLink('hash-l')])
    assert.equal([...used].sort(), [false, true])
    assert.is(await store.accounts.link('hash-l'), null)
  },

  async 'recent unused links are counted by address and purpose'(store) {
    const login = { purpose: 'login', accountId: null } as const
    const links = [
      linkFor('1'),
      linkFor('2', { madeAt: 1_001 }),
      linkFor('3', { madeAt: 1_002 }),
      linkFor('4', { ...login, madeAt: 1_002 }),
      linkFor('5', { address: 'b@example.com', madeAt: 1_002 }),
    ]
    assert.ok(await commitAccount(store, 0, accountRow('a'), { account: { links } }))
    const count = (madeAfter: number) => store.accounts.countLinks('a@example.com', 'confirmation', madeAfter)
    assert.equal([await count(999), await count(1_000), await count(1_002)], [3, 2, 0])
    assert.ok(await store.accounts.useLink('hash-2'))
    assert.is(await count(1_000), 1)
    assert.is(await store.accounts.countLinks('a@example.com', 'login', 0), 1)
    assert.is(await store.accounts.countLinks('A@example.com', 'confirmation', 0), 0)
  },

  async 'the log is read from its newest entry, in pages'(store) {
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    const entry = (at: number): LogEntry => ({ at, event: 'PIN_CHECK_FAILED', param: at })
    for (const version of [1, 2, 3]) {
      const log = [entry(10 * version), entry(10 * version - 5)]
      assert.ok(
        await commitAccount(store, version, accountRow('a', { version: version + 1 }), { account: { log } }),
      )
    }
    assert.ok(await commitAccount(store, 0, accountRow('b'), { account: { log: [REFUSED] } }))
    const times = async (after: number, limit: number) =>
      (await store.accounts.log('id-a', after, limit)).map(({ at }) => at)
    assert.equal(await times(0, 3), [25, 30, 15])
    assert.equal(await times(3, 9), [20, 5, 10])
    assert.equal(await times(6, 9), [])
    assert.equal(await store.accounts.log('id-b', 0, 9), [REFUSED])
  },

  async 'an address is inserted once for each account, and later commits change it'(store) {
    const { accounts } = store
    const shared = { address: 'shared@example.com' }
    const ofA = [addressOf('a'), addressOf('a', shared)]
    assert.ok(await commitAccount(store, 0, accountRow('a'), { account: { addresses: ofA } }))
    assert.ok(
      await commitAccount(store, 0, accountRow('b', { record: null }), {
        account: { addresses: [addressOf('b', shared)] },
      }),
    )
    assert.ok(
      await commitAccount(store, 0, accountRow('c'), { account: { addresses: [addressOf('c', shared)] } }),
    )
    assert.equal(sorted(await accounts.withAddress('shared@example.com')), ['id-a', 'id-c'])
    assert.equal(await accounts.withAddress('Shared@example.com'), [])
    const leaving = addressOf('a', { deleteAt: 4_000 })
    assert.ok(
      await commitAccount(store, 1, accountRow('a', { version: 2 }), { account: { addresses: [leaving] } }),
    )
    assert.equal(await addressesOf(store, 'id-a'), ['a@example.com', 'shared@example.com'])
    assert.equal(
      (await accounts.addressesOf('id-a')).filter(({ deleteAt }) => deleteAt !== null),
      [leaving],
    )
    assert.ok(
      await commitAccount(store, 2, accountRow('a', { version: 3 }), {
        account: { addresses: [addressOf('a')] },
      }),
    )
    assert.is(
      (await accounts.addressesOf('id-a')).every(({ deleteAt }) => deleteAt === null),
      true,
    )
  },

  async 'expired links, and addresses that are due to be deleted, are removed, and nothing else'(store) {
    const { accounts } = store
    const links = [
      linkFor('1', { endsAt: 4_999 }),
      linkFor('2', { endsAt: 5_000 }),
      linkFor('3', { endsAt: 5_001 }),
    ]
    const addresses = [
      addressOf('a', { address: '1', deleteAt: 5_000 }),
      addressOf('a', { address: '2', deleteAt: 5_001 }),
      addressOf('a', { address: '3' }),
    ]
    const row = accountRow('a', { deleteAt: 1, dueAt: 1, seenAt: 1 })
    assert.ok(await commitAccount(store, 0, row, { account: { links, addresses, log: [REFUSED] } }))
    await accounts.tidy(5_000)
    const left = await Promise.all(['1', '2', '3'].map(token => accounts.link(`hash-${token}`)))
    assert.equal(left, [null, null, links[2]])
    assert.equal(await addressesOf(store, 'id-a'), ['2', '3'])
    assert.equal([await accounts.load('id-a'), await accounts.log('id-a', 0, 9)], [row, [REFUSED]])
  },

  async 'the links, addresses and log of an account are deleted with it, those of others stay'(store) {
    const { accounts } = store
    for (const name of ['a', 'b']) {
      const mine = { accountId: `id-${name}` }
      const inserts = { links: [linkFor(name, mine)], addresses: [addressOf(name)], log: [REFUSED] }
      assert.ok(await commitAccount(store, 0, accountRow(name), { account: inserts }))
    }
    const login = linkFor('login', { purpose: 'login', accountId: null })
    await accounts.addLink(login)
    assert.ok(await deleteAccount(store, 'id-a', 1))
    const beside = async (name: string) => [
      await accounts.load(`id-${name}`),
      await accounts.link(`hash-${name}`),
      (await accounts.addressesOf(`id-${name}`)).length,
      (await accounts.log(`id-${name}`, 0, 9)).length,
    ]
    assert.equal(await beside('a'), [null, null, 0, 0])
    assert.equal(await beside('b'), [accountRow('b'), linkFor('b', { accountId: 'id-b' }), 1, 1])
    assert.equal(await accounts.link('hash-login'), login)
    assert.ok(await commitAccount(store, 0, accountRow('a')))
    assert.equal(await beside('a'), [accountRow('a'), null, 0, 0])
  },
}
