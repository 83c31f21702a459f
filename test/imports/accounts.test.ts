/** `svc keyshare import` of a recorded database with accounts of every kind, and the server that continues (spec/keyshare-server#12). */
import { existsSync, readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { isPin } from '../../accounts/secrets.ts'
import { parseStorageKey, storageKeys } from '../../accounts/storage-keys.ts'
import { recordsOfRows } from '../../actors/accounts/records-of-rows.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import type { Store } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { startSvc, withSvc } from '../cli/run-svc.ts'
import { clientOf } from '../http/client.ts'
import { rowOf, said } from '../http/keyshare/app.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { startNode } from '../server/keyshare/node.ts'
import { suite } from '../suite.ts'
import { DUMP, imported, newTarget, OLDER_KEYS, withStore } from './command.ts'
import { query, RECORDED, restored, STORAGE_KEY_FILES } from './dump.ts'

/** The result of the recorded database. */
const FIRST = [
  'storage key 3: 1 account',
  'storage key 7: 19 accounts',
  'storage key 1684234849: 1 account',
  'accounts: 23: 23 added, 0 changed, 0 unchanged, 0 used here since, 0 deleted here, 0 left out',
]
const PRIMARY = parseStorageKey(readFileSync(STORAGE_KEY_FILES[0]))

const isSkipped = isMissing('PostgreSQL', hasPostgres)
const Accounts = suite('svc keyshare import')
const withDatabase = isSkipped ? Accounts.skip : Accounts

const secretsIn = (store: Store) =>
  recordsOfRows({
    storageKeys: storageKeys(PRIMARY, []), // the older keys are not needed any more
    random: systemRandomness,
    store: store.accounts,
    binding: 'require',
  }).secretsOf

for (const kind of ['SQLite', 'PostgreSQL'])
  withDatabase(
    `into ${kind}: every account keeps its PIN, count of wrong PINs, block and addresses`,
    async () => {
      const target = newTarget(kind === 'SQLite' ? undefined : await newPostgresDatabase())
      const lines = await imported(await restored(DUMP), target)
      assert.equal(lines.slice(0, 4), FIRST)
      assert.is(
        lines[5],
        'addresses: 8 confirmed (1 to be removed), 1 not confirmed yet, 0 skipped because they are not valid',
      )
      assert.is(lines[6], 'log entries: 62')
      await withStore(target, async store => {
        for (const each of RECORDED) {
          const row = await rowOf({ store }, each.userName)
          const { attempts, deleteAt, seenAt } = row
          const { deleteSec, seenSec, kind, pin } = each
          const times = { deleteAt: deleteSec && deleteSec * 1_000, seenAt: seenSec * 1_000 }
          assert.equal({ attempts, deleteAt, seenAt }, { attempts: each.attempts, ...times }, kind)
          assert.is(row.blockedUntil, each.attempts < 3 ? 0 : each.blockSec * 1_000, kind)
          if (pin === null) assert.is(row.record, null, kind)
          else assert.ok(isPin(secretsIn(store)(row), pin), kind)
          assert.is(Object(row.snapshot?.context).isDeviceBound, each.hasDevice, kind)
        }
        const second = await store.accounts.addressesOf(hashOfToken('gP8FFpjaycB2'))
        assert.equal(
          second.map(({ address, deleteAt }) => [address, deleteAt]),
          [
            ['Second@other.test', 1798342478000],
            ['first@takes.test', null],
          ],
        )
        assert.is((await store.accounts.withAddress('first@takes.test')).length, 2)
        const log = await store.accounts.log(hashOfToken('zycbU7M0zdVU'), 0, 3)
        assert.equal(
          log.map(({ event, param }) => [event, param]),
          [
            ['PIN_CHECK_BLOCKED', 120],
            ['PIN_CHECK_FAILED', 0],
            ['PIN_CHECK_BLOCKED', 60],
          ],
        )
        const link = await store.accounts.link(hashOfToken('lEaHXDpcJkLJt1T4TvVm'))
        assert.is(link?.address, 'unconfirmed@takes.test')
      })
    },
  )

withDatabase('a dry run opens every record and writes nothing', async () => {
  const target = newTarget()
  const lines = await imported(await restored(DUMP), target, '--dry-run')
  assert.is(lines[3], 'accounts: 23: 23 that open, 0 left out')
  assert.match(lines.at(-1) ?? '', /^dry run: nothing was written, and the store was not opened/)
  assert.not.ok(existsSync(target.store.slice('sqlite:'.length)))
})

withDatabase('the existing accounts of the previous protocol log in at the server', async () => {
  const target = newTarget()
  await imported(await restored(DUMP), target)
  const node = await startNode({ store: target.store })
  try {
    const { call } = clientOf(node.port)
    for (const { userName, pin, hasDevice, kind } of RECORDED) {
      const answer = said(
        await call('POST', '/users/verify/pin', { body: { id: userName, pin: pin ?? '1' } }),
      )
      if (pin === null) assert.match(answer, /^403 USER_NOT_REGISTERED/, kind)
      else if (!hasDevice) assert.match(answer, /^200 .*"success"/, kind)
      else assert.not.match(answer, /"success"/, kind) // without its device key
    }
  } finally {
    await node.close()
  }
})

withDatabase('a second import updates changed accounts, except those that were used here', async () => {
  const from = await restored(DUMP)
  const target = newTarget()
  await imported(from, target)
  const used = 'dDgDk6eqyaCU'
  const node = await startNode({ store: target.store })
  try {
    const { pin } = RECORDED.find(({ userName }) => userName === used) ?? { pin: '' }
    const answer = await clientOf(node.port).call('POST', '/users/verify/pin', { body: { id: used, pin } })
    assert.match(said(answer), /^200 .*"success"/)
  } finally {
    await node.close()
  }
  await query(
    from,
    `update irma.users set pin_counter = 1 where username in ('${used}', 'HFnnbZHxKHGc');
     delete from irma.emails where email = 'confirmed@takes.test';
     insert into irma.log_entry_records values (63, 1795750900, 'PIN_CHECK_FAILED', '2', 3), (64, 1795750900, 'NEW_EVENT', null, 3)`,
  )
  const lines = await imported(from, target)
  assert.is(
    lines[3],
    'accounts: 23: 0 added, 2 changed, 20 unchanged, 1 used here since, 0 deleted here, 0 left out',
  )
  assert.is(lines[6], 'log entries: 1')
  await withStore(target, async store => {
    assert.is((await rowOf({ store }, used)).attempts, 0)
    const changed = await rowOf({ store }, 'HFnnbZHxKHGc')
    assert.equal([changed.attempts, changed.version], [1, 2])
    assert.ok(isPin(secretsIn(store)(changed), RECORDED[2]?.pin ?? ''))
    assert.equal(await store.accounts.addressesOf(hashOfToken('URGzRHeM97YM')), [])
    // an account that is deleted here is not added again
    const { id, version } = changed
    assert.ok(await store.commit({ account: { id, version, row: null } }))
  })
  assert.match((await imported(from, target))[3] ?? '', / 21 unchanged, 1 used here since, 1 deleted here/)
})

withDatabase('--follow copies changes of the source, and makes a last pass after a signal', async () => {
  const from = await restored(DUMP)
  const target = newTarget()
  const keys = OLDER_KEYS.flatMap(file => ['--storage-key-file', file])
  const words = ['keyshare', 'import', '--config', target.settings, '--from', from, '-q', ...keys]
  const following = startSvc([...words, '--follow', '--every', '1'])
  await withSvc(following, async ({ says, process, finished }) => {
    await says('pass: 23 added, 0 changed, 62 log entries')
    await query(from, `update irma.users set pin_counter = 2 where username = 'HFnnbZHxKHGc'`)
    await says('pass: 0 added, 1 changed, 0 log entries')
    process.kill('SIGTERM')
    const { code, stdout, stderr } = await finished
    assert.is(code, 0, stderr)
    assert.match(stdout, /the last pass\naccounts: 23: 0 added, 0 changed, 23 unchanged/)
  })
  await withStore(target, async store => assert.is((await rowOf({ store }, 'HFnnbZHxKHGc')).attempts, 2))
})

withDatabase('two spellings of an address become one, which is kept if either is kept', async () => {
  const from = await restored(DUMP)
  await query(from, `insert into irma.emails values (90, 6, 'Second@OTHER.test', null, null)`)
  const target = newTarget()
  await imported(from, target)
  await withStore(target, async store => {
    const addresses = await store.accounts.addressesOf(hashOfToken('gP8FFpjaycB2'))
    assert.equal(
      addresses.map(({ address, deleteAt }) => [address, deleteAt]),
      [
        ['Second@other.test', null],
        ['first@takes.test', null],
      ],
    )
  })
})

Accounts.run()
