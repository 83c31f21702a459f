/** `svc keyshare import` refuses a source that it cannot take over, and leaves out single accounts and addresses (spec/keyshare-server#11.4). */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { runSvc } from '../cli/run-svc.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { DUMP, importFrom, newTarget, OLDER_KEYS, type Target } from './command.ts'
import { query, restored } from './dump.ts'

const Refusals = suite('refusals of svc keyshare import')
const withDatabase = isMissing('PostgreSQL', hasPostgres) ? Refusals.skip : Refusals

/** Runs an import that also prints the lines of its log. */
function loudImport(from: string, { settings }: Target, ...words: readonly string[]) {
  const keys = OLDER_KEYS.flatMap(file => ['--storage-key-file', file])
  return runSvc(['keyshare', 'import', '--config', settings, '--from', from, ...keys, ...words])
}

withDatabase('a missing or wrong storage key is refused before anything is written', async () => {
  const from = await restored(DUMP)
  const target = newTarget()
  const without = await runSvc(['keyshare', 'import', '--config', target.settings, '--from', from, '-q'])
  assert.is(without.code, 1)
  assert.match(
    without.stderr,
    /got none for storage key 3 of 1 account \(.*; storage key 1684234849 of 1 account \(.*: name the file of each by --storage-key-file/,
  )
  const wrong = join(target.folder, 'wrong.key')
  writeFileSync(wrong, storageKeyFile(3, new Uint8Array(32).fill(1)))
  const words = ['keyshare', 'import', '--config', target.settings, '--from', from, '-q']
  const { code, stderr } = await runSvc([...words, '--storage-key-file', wrong])
  assert.is(code, 1)
  assert.match(stderr, /storage key 3 of 1 account \(.* bytes that storage key 3 sealed/)
  assert.not.ok(existsSync(target.store.slice('sqlite:'.length)))
})

withDatabase(
  'a damaged record is left out and named by its hash; an address that is not valid is skipped',
  async () => {
    const from = await restored(DUMP)
    await query(
      from,
      `update irma.users set coredata = set_byte(coredata, 100, (get_byte(coredata, 100) + 1) % 256) where username = 'HFnnbZHxKHGc';
     update irma.emails set email = 'a@x.test, b@y.test' where email = 'confirmed@takes.test'`,
    )
    const { code, stdout, stderr } = await loudImport(from, newTarget())
    assert.is(code, 0, stderr)
    assert.match(stdout, /22 added, .* 1 left out/)
    assert.match(stdout, /7 confirmed .* 1 skipped/)
    const all = stdout + stderr
    assert.match(all, new RegExp(`not imported: .*${hashOfToken('HFnnbZHxKHGc')}`))
    for (const secret of ['HFnnbZHxKHGc', 'x.test', 'lEaHXDpcJkLJt1T4TvVm', 'svc@'])
      assert.not.match(all, new RegExp(secret))
  },
)

withDatabase(
  'a row that cannot be stored, or a record without a key number, does not stop the import of other accounts',
  async () => {
    const from = await restored(DUMP)
    await query(
      from,
      `update irma.users set pin_counter = -5 where username = 'HFnnbZHxKHGc';
     update irma.users set last_seen = 9223372036854775807 where username = 'dDgDk6eqyaCU';
     update irma.users set delete_on = 9007199254741 where username = 'gP8FFpjaycB2';
     update irma.users set coredata = '' where username = 'zycbU7M0zdVU';
     update irma.log_entry_records set event = '__proto__' where id = (select min(id) from irma.log_entry_records);
     update irma.log_entry_records set time = 9223372036854775807 where id = (select max(id) from irma.log_entry_records)`,
    )
    const { code, stdout, stderr } = await loudImport(from, newTarget())
    assert.is(code, 0, stderr)
    assert.match(stdout, /19 added, .* 4 left out/)
    for (const reason of [
      'pin_counter: expected a number from 0 on, got -5',
      'last_seen: expected Unix seconds, got 9223372036854776000',
      'delete_on: expected Unix seconds, got 9007199254741',
      'sealed bytes: expected key id, nonce and tag, got fewer bytes',
    ])
      assert.match(stderr, new RegExp(`not imported: ${reason}`))
  },
)

withDatabase('an account with the record of another is left out in each kind of run', async () => {
  const from = await restored(DUMP)
  const target = newTarget()
  await query(
    from,
    `update irma.users set coredata = (select coredata from irma.users where username = 'HFnnbZHxKHGc') where username = 'dDgDk6eqyaCU'`,
  )
  const left = `not imported: coredata: expected a record of its own, got that of account ${hashOfToken('HFnnbZHxKHGc')}`
  for (const [words, expected] of [
    [['--dry-run'], /22 that open, 1 left out/],
    [[], /22 added, .* 1 left out/],
    [[], /0 added, .* 22 unchanged, .* 1 left out/],
  ] as const) {
    const { code, stdout, stderr } = await loudImport(from, target, ...words)
    assert.is(code, 0, stderr)
    assert.match(stdout, expected)
    assert.ok(stderr.includes(left), stderr)
  }
  await query(from, `update irma.users set username = 'renamed' where username = 'HFnnbZHxKHGc'`)
  const { stdout, stderr } = await loudImport(from, target)
  assert.match(stdout, /0 added, .* 21 unchanged, .* 2 left out/)
  const lines = stderr.split('\n').filter(line => line.includes(left))
  assert.ok(
    lines.some(line => line.includes(hashOfToken('renamed'))),
    stderr,
  )
})

Refusals('an address of another database is refused, without its password', async () => {
  const { settings } = newTarget()
  for (const [from, expected] of [
    [
      'mysql://root:secret@db/irma',
      /expected an address such as postgres:.*copy the tables to PostgreSQL first/,
    ],
    ['postgres://a:sec/ret@db/irma', /expected an address such as postgres:/],
    ['host=db password=secret dbname=irma', /expected an address such as postgres:.*got "host=\.\.\."/],
  ] as const) {
    const { code, stderr } = await runSvc(['keyshare', 'import', '--config', settings, '--from', from])
    assert.is(code, 1)
    assert.match(stderr, expected)
    assert.not.match(stderr, /sec\/?ret/)
  }
})

Refusals('a profile whose apps differ from those of the existing server causes a warning', async () => {
  const { settings } = newTarget()
  const words = [
    'keyshare',
    'import',
    '--config',
    settings,
    '--from',
    'postgres://127.0.0.1:1/none',
    '--dry-run',
  ]
  const warning = 'profile: expected irma, because apps of the existing server call its paths, got svc'
  for (const [profile, isWarned] of [
    ['svc', true],
    ['irma', false],
  ] as const) {
    const { code, stderr } = await runSvc([...words, '--profile', profile])
    assert.is(code, 1)
    assert.is(stderr.includes(warning), isWarned, stderr)
    assert.match(stderr, /127\.0\.0\.1:1\/none": expected to read the database, got .*ECONNREFUSED/)
  }
})

withDatabase('a database without the tables of a keyshare server is refused', async () => {
  const { code, stderr } = await importFrom(await newPostgresDatabase(), newTarget())
  assert.is(code, 1)
  assert.match(stderr, /expected the tables of a keyshare server, got no column "id" of "irma.users"/)
})

for (const [command, option, expected] of [
  ['keyshare', 'db_type', /db_type in .*"svc keyshare import" copies them from that database/],
  ['server', 'revocation_db_type', /revocation_db_type in .*"svc issuer import-revocation" copies it/],
] as const)
  Refusals(
    `${option} in a settings file of svc ${command} names the command that takes the data over`,
    async () => {
      const file = join(temporaryFolder(), 'settings.json')
      writeFileSync(file, JSON.stringify({ [option]: 'postgres' }))
      const { code, stderr } = await runSvc([command, 'check', '--config', file])
      assert.is(code, 1)
      assert.match(stderr, expected)
    },
  )

Refusals.run()
