/** The rules of every store about the records of an OpenID provider. @module */
import * as assert from 'uvu/assert'
import { NEVER, type OidcStore } from '../../stores/oidc-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { suite } from '../suite.ts'
import { commitSession } from './commits.ts'
import { commitOidc, deleting, LATER, oidcRecord, setting } from './oidc-rows.ts'
import { sessionRow } from './rows.ts'

const KIND = 'AccessToken'

/** The versions of records by their ids; null: there is none. */
function versionsOf({ oidc }: { readonly oidc: OidcStore }, ...ids: readonly string[]) {
  return Promise.all(ids.map(async id => (await oidc.find(KIND, id))?.version ?? null))
}

const TESTS: Readonly<Record<string, (store: SessionServerStore) => Promise<void>>> = {
  async 'a record is returned as it was stored'(store) {
    const rows = [
      oidcRecord('plain'),
      oidcRecord('full', { kind: 'Session', grant: 'g', uid: 'u', sealed: 'x'.repeat(20_000) }),
      oidcRecord('permanent', { kind: 'Keys', expiresAt: NEVER }),
    ]
    assert.ok(await commitOidc(store, ...rows.map(setting)))
    for (const row of rows) assert.equal(await store.oidc.find(row.kind, row.id), row)
  },

  async 'an unknown record is null, and the same id of another kind is another record'(store) {
    assert.is(await store.oidc.find(KIND, 'a'), null)
    assert.ok(await commitOidc(store, setting(oidcRecord('a'))))
    assert.is(await store.oidc.find('RefreshToken', 'a'), null)
    const other = oidcRecord('a', { kind: 'RefreshToken', sealed: 'other' })
    assert.ok(await commitOidc(store, setting(other)))
    assert.equal(await store.oidc.find('RefreshToken', 'a'), other)
    assert.is((await store.oidc.find(KIND, 'a'))?.sealed, 'sealed-a')
    assert.ok(await commitOidc(store, setting(oidcRecord('a', { version: 2, sealed: 'second' }))))
    assert.equal(await store.oidc.find('RefreshToken', 'a'), other)
    assert.ok(await commitOidc(store, setting({ ...other, version: 2 })))
    assert.ok(await commitOidc(store, deleting(other, 2)))
    assert.is((await store.oidc.find(KIND, 'a'))?.sealed, 'second')
  },

  async 'a commit on another version changes nothing'(store) {
    const second = oidcRecord('a', {
      version: 2,
      sealed: 'second',
      expiresAt: LATER + 1,
      uid: 'u',
      grant: 'g',
    })
    assert.is(await commitOidc(store, setting(second)), false)
    assert.is(await commitOidc(store, deleting(second)), false)
    assert.ok(await commitOidc(store, setting(oidcRecord('a'))))
    assert.ok(await commitOidc(store, setting(second)))
    for (const version of [1, 2, 4])
      assert.is(await commitOidc(store, setting(oidcRecord('a', { version, sealed: 'late' }))), false)
    assert.is(await commitOidc(store, deleting(second, 1)), false)
    assert.equal(await store.oidc.find(KIND, 'a'), second)
    assert.ok(await commitOidc(store, deleting(second, 2)))
    assert.is(await store.oidc.find(KIND, 'a'), null)
  },

  async 'several changes are committed together or not at all'(store) {
    assert.ok(await commitOidc(store, setting(oidcRecord('a'))))
    const b = setting(oidcRecord('b'))
    const second = setting(oidcRecord('a', { version: 2 }))
    assert.is(await commitOidc(store, b, setting(oidcRecord('a', { version: 3 }))), false)
    assert.equal(await versionsOf(store, 'a', 'b'), [1, null])
    assert.ok(await commitOidc(store, b, second))
    assert.equal(await versionsOf(store, 'a', 'b'), [2, 1])
  },

  async 'a session and a record are committed together or not at all'(store) {
    const session = { id: 'id-s', version: 0, row: sessionRow('s') }
    const oidc = { changes: [setting(oidcRecord('a'))] }
    assert.is(await store.commit({ session: { ...session, version: 3 }, oidc }), false)
    assert.equal(await versionsOf(store, 'a'), [null])
    assert.ok(await store.commit({ session, oidc }))
    assert.equal(await versionsOf(store, 'a'), [1])
    assert.is(await store.commit({ session: { ...session, version: 1, row: null }, oidc }), false)
    assert.is((await store.sessions.load('id-s'))?.version, 1)
  },

  async 'of 20 concurrent commits on one version, one succeeds'(store) {
    assert.ok(await commitOidc(store, setting(oidcRecord('code'))))
    const commits = Array.from({ length: 20 }, (_, i) =>
      commitOidc(store, setting(oidcRecord('code', { version: 2, sealed: `by ${i}` }))),
    )
    const won = await Promise.all(commits)
    assert.is(won.filter(isMade => isMade).length, 1)
    assert.is((await store.oidc.find(KIND, 'code'))?.sealed, `by ${won.indexOf(true)}`)
  },

  async 'the records of a grant are deleted together, of all kinds, and no other record'(store) {
    const ofGrant = [
      oidcRecord('a', { grant: 'g' }),
      oidcRecord('b', { grant: 'g', kind: 'RefreshToken' }),
      oidcRecord('c', { grant: 'g', expiresAt: LATER + 5_000 }),
    ]
    const others = [oidcRecord('d', { grant: 'h' }), oidcRecord('e'), oidcRecord('g')]
    assert.ok(await commitOidc(store, ...[...ofGrant, ...others].map(setting)))
    assert.ok(await store.commit({ oidc: { withoutGrant: 'g' } }))
    for (const { kind, id } of ofGrant) assert.is(await store.oidc.find(kind, id), null)
    for (const row of others) assert.equal(await store.oidc.find(row.kind, row.id), row)
    assert.ok(await store.commit({ oidc: { withoutGrant: 'unknown' } }))
  },

  async 'a grant is deleted only if the changes of the same commit are made'(store) {
    assert.ok(await commitOidc(store, setting(oidcRecord('a', { grant: 'g' })), setting(oidcRecord('b'))))
    const late = { changes: [setting(oidcRecord('b', { version: 3 }))], withoutGrant: 'g' }
    assert.is(await store.commit({ oidc: late }), false)
    assert.equal(await versionsOf(store, 'a', 'b'), [1, 1])
    const now = { changes: [deleting(oidcRecord('b'))], withoutGrant: 'g' }
    assert.ok(await store.commit({ oidc: now }))
    assert.equal(await versionsOf(store, 'a', 'b'), [null, null])
  },

  async 'a record that moved to another grant is not deleted with the former grant'(store) {
    assert.ok(await commitOidc(store, setting(oidcRecord('a', { grant: 'g' }))))
    assert.ok(await commitOidc(store, setting(oidcRecord('a', { grant: 'h', version: 2 }))))
    assert.ok(await store.commit({ oidc: { withoutGrant: 'g' } }))
    assert.equal(await versionsOf(store, 'a'), [2])
    assert.ok(await store.commit({ oidc: { withoutGrant: 'h' } }))
    assert.equal(await versionsOf(store, 'a'), [null])
  },

  async 'a record is found by kind and uid; of several, the one that expires last'(store) {
    const first = oidcRecord('a', { kind: 'Session', uid: 'u' })
    const renewed = oidcRecord('b', { kind: 'Session', uid: 'u', expiresAt: LATER + 1_000 })
    assert.ok(await commitOidc(store, setting(renewed)))
    assert.ok(await commitOidc(store, setting(first), setting(oidcRecord('c', { uid: 'u' }))))
    assert.equal(await store.oidc.findByUid('Session', 'u'), renewed)
    assert.ok(await commitOidc(store, deleting(renewed)))
    assert.equal(await store.oidc.findByUid('Session', 'u'), first)
    assert.ok(await commitOidc(store, setting({ ...first, uid: 'v', version: 2 })))
    assert.is(await store.oidc.findByUid('Session', 'u'), null)
    assert.is(await store.oidc.findByUid('Session', 'unknown'), null)
    assert.is((await store.oidc.findByUid(KIND, 'u'))?.id, 'c')
  },

  async 'expired records are deleted, the earliest first, and permanent ones stay'(store) {
    const at = (id: string, expiresAt: number) => setting(oidcRecord(id, { expiresAt, grant: 'g', uid: 'u' }))
    assert.ok(await commitOidc(store, at('c', LATER + 2), at('a', LATER), at('b', LATER + 1), at('k', NEVER)))
    assert.is(await store.oidc.dropExpired(LATER - 1, 10), false)
    assert.ok(await store.oidc.dropExpired(LATER + 2, 1))
    assert.equal(await versionsOf(store, 'a', 'b', 'c', 'k'), [null, 1, 1, 1])
    assert.ok(await store.oidc.dropExpired(LATER + 1, 10))
    assert.equal(await versionsOf(store, 'a', 'b', 'c', 'k'), [null, null, 1, 1])
    assert.ok(await commitOidc(store, setting(oidcRecord('c', { version: 2, expiresAt: LATER + 9 }))))
    assert.is(await store.oidc.dropExpired(LATER + 8, 10), false)
    assert.ok(await store.oidc.dropExpired(NEVER - 1, 10))
    assert.equal([await store.oidc.count(), await versionsOf(store, 'k')], [1, [1]])
  },

  async 'a deleted record leaves no entry behind, and its name is free again'(store) {
    const row = oidcRecord('a', { grant: 'g', uid: 'u' })
    assert.ok(await commitOidc(store, setting(row)))
    assert.ok(await commitOidc(store, deleting(row)))
    assert.equal([await store.oidc.count(), await store.oidc.findByUid(KIND, 'u')], [0, null])
    assert.is(await store.oidc.dropExpired(LATER + 1, 10), false)
    assert.ok(await commitOidc(store, setting(row)))
    assert.equal(await store.oidc.find(KIND, 'a'), row)
  },

  async 'subscribers do not receive commits of records'(store) {
    const heard: string[] = []
    store.subscribe(id => heard.push(id))
    assert.ok(await commitOidc(store, setting(oidcRecord('a'))))
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    assert.equal(heard, ['id-s'])
  },
}

/** @param open returns a new, empty store
 *  @param isSkipped true if the store's program is missing on this machine */
export function runOidcSuite(name: string, open: () => Promise<SessionServerStore>, isSkipped = false): void {
  const Records = suite(`records of an OpenID provider in ${name}`)
  const test = isSkipped ? Records.skip : Records
  for (const [title, body] of Object.entries(TESTS))
    test(title, async () => {
      const store = await open()
      try {
        await body(store)
      } finally {
        await store.close()
      }
    })
  Records.run()
}

/** @param openTwo returns two nodes of one new store */
export function runOidcNodesSuite(
  name: string,
  openTwo: () => Promise<{ readonly a: SessionServerStore; readonly b: SessionServerStore }>,
  isSkipped = false,
): void {
  const Nodes = suite(`records of an OpenID provider on two nodes of ${name}`)
  const test = isSkipped ? Nodes.skip : Nodes
  for (const [title, body] of Object.entries(NODES_TESTS))
    test(title, async () => {
      const { a, b } = await openTwo()
      try {
        await body(a, b)
      } finally {
        await a.close()
        await b.close()
      }
    })
  Nodes.run()
}

const NODES_TESTS: Readonly<Record<string, (a: SessionServerStore, b: SessionServerStore) => Promise<void>>> =
  {
    async 'of 40 concurrent commits on one version, on both nodes, one succeeds and both nodes see it'(a, b) {
      assert.ok(await commitOidc(a, setting(oidcRecord('code'))))
      for (let version = 2; version <= 11; version++) {
        const commits = Array.from({ length: 40 }, (_, i) =>
          commitOidc(i % 2 === 0 ? a : b, setting(oidcRecord('code', { version, sealed: `by ${i}` }))),
        )
        const won = await Promise.all(commits)
        assert.is(won.filter(isMade => isMade).length, 1)
        for (const { oidc } of [a, b])
          assert.is((await oidc.find(KIND, 'code'))?.sealed, `by ${won.indexOf(true)}`)
      }
    },

    async 'a record that both nodes insert at once is inserted once'(a, b) {
      const by = (sealed: string) => setting(oidcRecord('a', { sealed }))
      const won = await Promise.all([commitOidc(a, by('a')), commitOidc(b, by('b'))])
      assert.equal([...won].sort(), [false, true])
      assert.is((await b.oidc.find(KIND, 'a'))?.sealed, won[0] ? 'a' : 'b')
    },

    async 'both nodes delete grants and expired records at once, and neither fails'(a, b) {
      const ids = Array.from({ length: 60 }, (_, i) => `${i}`)
      for (let round = 0; round < 5; round++) {
        const rows = ids.map((id, i) => setting(oidcRecord(id, { grant: 'g', expiresAt: LATER + (i % 7) })))
        assert.ok(await commitOidc(a, ...rows))
        await Promise.all(
          [a, b, a, b].flatMap(node => [
            node.commit({ oidc: { withoutGrant: 'g' } }),
            node.oidc.dropExpired(LATER + 3, 20),
          ]),
        )
        assert.equal(
          (await versionsOf(b, ...ids)).filter(version => version !== null),
          [],
        )
      }
    },
  }
