/** Commits of turns seal the record of an account again with the primary storage key. An account whose stored state cannot be read is closed. @module */
import * as assert from 'uvu/assert'
import { RecordError } from '../../../accounts/record-error.ts'
import { hashOfTokenId, withPin, writeSecrets } from '../../../accounts/secrets.ts'
import { AccountClosedError } from '../../../actors/accounts/accounts.ts'
import { loginChart } from '../../../machines/keyshare-login.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { suite } from '../../suite.ts'
import { bytesOf, DEVICE_KEY, enter, ID, keysOf, PIN, USER, withAccount } from './nodes.ts'

const Records = suite('keyshare logins: records')

/** The number of the storage key that the record names. */
const keyIdOf = ({ record }: AccountRow): number | undefined => record?.[0]
/** The nodes of these tests read rows of the older form, because a damaged row of the bound form cannot be opened. */
const UNBOUND = [DEVICE_KEY, { binding: 'read' }] as const
const start = { event: { type: 'app.startedLogin' }, challenge: bytesOf('c') } as const

Records('each commit of an account seals its record again, with the primary key of its node', async () => {
  await withAccount(async ({ nodes, node, row }) => {
    const before = await row()
    const secrets = nodes[0].secretsOf(before)
    const rotated = node({ storageKeys: keysOf(8, 7) })
    assert.equal([keyIdOf(before), rotated.secretsOf(before)], [7, secrets])
    assert.is(keyIdOf(await row()), 7, 'reading does not seal the record again')
    await rotated.turn(ID, ({ secrets }) => {
      secrets()
      return null
    })
    assert.is(keyIdOf(await row()), 7, 'a turn without a commit does not seal the record again')
    await rotated.turn(ID, () => start)
    const after = await row()
    assert.equal([keyIdOf(after), after.tokenIdHash], [8, before.tokenIdHash])
    assert.equal(node({ storageKeys: keysOf(8) }).secretsOf(after), secrets)
    assert.throws(
      () => nodes[0].secretsOf(after),
      (error: Error) => error instanceof RecordError,
    )
  })
})

Records('a new PIN, a new token id and the hash of this token id are stored in the same commit', async () => {
  await withAccount(async ({ nodes, row }) => {
    const old = nodes[0].secretsOf(await row())
    const changed = withPin(old, 'another PIN\n', new Uint8Array(32).fill(0xbb))
    const { after } = await enter(nodes[0], { type: 'app.sentPin', isSignedByDevice: true })
    const attempt = after?.version ?? 0
    await enter(nodes[0], { type: 'server.changedPin', attempt }, { secrets: changed })
    const stored = await row()
    assert.equal(nodes[1].secretsOf(stored), changed)
    assert.is(stored.tokenIdHash, hashOfTokenId(changed.tokenId))
    assert.equal(
      [await nodes[1].findByTokenId(old.tokenId), (await nodes[1].findByTokenId(changed.tokenId))?.id],
      [null, ID],
    )
  })
})

for (const isBlocked of [false, true])
  for (const type of ['server.changedPin', 'server.registeredKey'] as const)
    Records(
      `a step that changes the record is not committed without a new record: ${type}${isBlocked ? ' in a block' : ''}`,
      async () => {
        const deviceKey = type === 'server.changedPin' ? DEVICE_KEY : null
        await withAccount(async ({ nodes, row }) => {
          const event = { type: 'app.sentPin', isSignedByDevice: deviceKey !== null } as const
          for (let i = 0; i < (isBlocked ? 2 : 0); i++) await enter(nodes[0], event)
          const { after } = await enter(nodes[0], event)
          const changed = enter(nodes[0], { type, attempt: after?.version ?? 0 })
          assert.ok((await changed.catch((error: unknown) => error)) instanceof TypeError)
          assert.equal(await row(), after)
        }, deviceKey)
      },
    )

Records(
  'an account whose stored state cannot be read is closed and reported; no call can use it, and no task deletes it',
  async () => {
    await withAccount(
      async ({ nodes, store, node, clock, failures, row }) => {
        await nodes[0].turn(ID, () => start)
        const right = await row()
        const damaged = { ...right, version: right.version + 1, snapshot: { value: 'nowhere', context: {} } }
        await store.commit({ account: { id: ID, version: right.version, row: damaged } })
        await refused(nodes[1].turn(ID, () => start))
        assert.is(failures.length, 1)
        assert.match(String(failures[0]), /the stored snapshot is not one of chart 1/)
        const { version, ...closed } = await row()
        const gone = { chart: null, snapshot: null, challenge: null, commitment: null, dueAt: null }
        assert.equal({ version, ...closed }, { ...damaged, ...gone, version: damaged.version + 1 })
        for (const accounts of [...nodes, node()]) {
          await refused(accounts.read(ID))
          await refused(accounts.findByTokenId(accounts.secretsOf(right).tokenId))
          await refused(accounts.turn(ID, () => null))
        }
        clock.advance(365 * 24 * 3_600_000)
        assert.is((await row()).version, version)
        // an operator restores the earlier row
        await store.commit({ account: { id: ID, version, row: { ...right, version: version + 1 } } })
        assert.is((await nodes[0].read(ID))?.userName, USER)
      },
      ...UNBOUND,
    )
  },
)

Records(
  'an account that is due without a pending challenge or commitment is closed and reported',
  async () => {
    await withAccount(
      async ({ nodes, store, clock, failures, row }) => {
        const right = await row()
        const damaged = { ...right, version: right.version + 1, dueAt: clock.now() }
        await store.commit({ account: { id: ID, version: right.version, row: damaged } })
        await refused(nodes[0].turn(ID, () => start))
        assert.equal(failures.map(String), [
          'Error: account: expected a timer in the status of a due account, got none',
        ])
        assert.is((await row()).chart, null)
      },
      ...UNBOUND,
    )
  },
)

async function refused(call: Promise<unknown>): Promise<void> {
  const error = await call.catch((error: unknown) => error)
  assert.ok(error instanceof AccountClosedError, String(error))
  assert.match(error.message, new RegExp(`^account ${ID}: expected a stored state`))
}

Records('a step that ends in an error is not committed: 500, and the account stays usable', async () => {
  await withAccount(async ({ node, failures, row }) => {
    const failing = loginChart.provide({
      actions: {
        startChallenge: () => {
          throw new Error('a bug of ours')
        },
      },
    })
    const before = await row()
    const error = await node({ chart: failing })
      .turn(ID, () => start)
      .catch((error: unknown) => error)
    assert.match(String(error), /InternalError/)
    assert.equal([await row(), failures.length], [before, 1])
  })
})

Records('no row contains a PIN, token id or device key in clear', async () => {
  await withAccount(async ({ nodes, row }) => {
    const stored = await row()
    const secrets = nodes[0].secretsOf(stored)
    const { tokenId, deviceKey } = secrets
    for (const secret of [PIN, tokenId, deviceKey ?? 'none'].map(each => Buffer.from(each))) {
      assert.ok(Buffer.from(writeSecrets(secrets)).includes(secret))
      for (const value of Object.values(stored))
        assert.not(Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).includes(secret))
    }
  })
})

Records.run()
