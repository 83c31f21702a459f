/** One process per SQLite file, under any path: the process that holds it, refused and allowed successors, and the handling of a lost hold. @module */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openDeliveries, openStore } from '../../stores/open.ts'
import { makeOwnerTable } from '../../stores/sqlite/file/tables.ts'
import { holdFile } from '../../stores/sqlite/owner/hold-file.ts'
import { isCertainlyGone, ownIdentity } from '../../stores/sqlite/owner/process-identity.ts'
import { openSqlite, Statements } from '../../stores/sqlite/statements.ts'
import { rejection } from '../faults/rejection.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { newStoreFile, temporaryFolder } from '../temporary-folder.ts'
import { commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

const ending = import.meta.url.slice(-3)
const opener = fileURLToPath(new URL(`./sqlite-opener${ending}`, import.meta.url))

/** The output of another process that opens the store. */
function openElsewhere(file: string, before: readonly string[] = []): Promise<string> {
  const [command = '', ...words] = [...before, process.execPath, opener, `sqlite:${file}`]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  return once(child, 'close').then(() => said.trim())
}

const IN_USE = /: expected to be its only process, but another one uses it/

const Paths = suite('a second process on one file')

const PATHS: Readonly<Record<string, (file: string) => { path: string; refusal: RegExp }>> = {
  'the same path': file => ({ path: file, refusal: IN_USE }),
  'a symbolic link to the file'(file) {
    symlinkSync(file, `${file}.symlink`)
    return { path: `${file}.symlink`, refusal: IN_USE }
  },
  'a symbolic link to its folder'(file) {
    const other = join(temporaryFolder(), 'link')
    symlinkSync(join(file, '..'), other)
    return { path: join(other, 's.db'), refusal: IN_USE }
  },
  'a hard link'(file) {
    linkSync(file, `${file}.hard`)
    return { path: `${file}.hard`, refusal: /expected a file with one name, got one with 2 \(hard links\)/ }
  },
}

for (const [title, make] of Object.entries(PATHS))
  Paths(`${title}: the second process is refused, and the first continues`, async () => {
    const file = newStoreFile()
    writeFileSync(`${file}.lock`, '') // the lock file of earlier servers, which kept no owner in the store, has no meaning
    const first = await openStore(`sqlite:${file}`, 'boot A')
    const { path, refusal } = make(file)
    assert.match(await openElsewhere(path), refusal)
    assert.ok(await commitSession(first, 'id-s', 0, sessionRow('s')))
    await first.close()
  })

for (const [what, target] of [
  ['leads to no file', 'none'],
  ['leads to itself', 'link'],
] as const)
  Paths(`a symbolic link that ${what} is refused as a symbolic link`, async () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync(target, link)
    assert.is(
      await rejection(openStore(`sqlite:${link}`, 'boot A')),
      `Error: store ${link}: expected a file, or the path of a new one, got a symbolic link that leads to no file: let it lead to one, or name another path`,
    )
  })

Paths('a file with a hard link is refused, also if no server runs, and by svc deliveries', async () => {
  const file = newStoreFile()
  await (await openStore(`sqlite:${file}`, 'boot A')).close()
  linkSync(file, `${file}.hard`)
  for (const path of [file, `${file}.hard`]) {
    assert.match(await rejection(openStore(`sqlite:${path}`, 'boot B')), /hard links/)
    assert.match(await rejection(openDeliveries(`sqlite:${path}`)), /hard links/)
  }
})

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0
const Mounted = isMissing('the right to mount (unshare -m)', canMount || process.getuid?.() !== 0)
  ? Paths.skip
  : canMount
    ? Paths
    : Paths.skip

Mounted('the folder mounted at a second place: the second process is refused', async () => {
  const [there, here] = [temporaryFolder(), temporaryFolder()]
  const first = await openStore(`sqlite:${there}/s.db`, 'boot A')
  const mount = `mount --bind ${there} ${here} && exec "$0" "$@"`
  assert.match(await openElsewhere(`${here}/s.db`, ['unshare', '-m', 'sh', '-c', mount]), IN_USE)
  await first.close()
})

Mounted('a file that is mounted by itself is refused, because its log would be elsewhere', async () => {
  const [there, here] = [temporaryFolder(), join(temporaryFolder(), 'with a blank')]
  const first = await openStore(`sqlite:${there}/s.db`, 'boot A')
  mkdirSync(here)
  writeFileSync(`${here}/s.db`, '')
  const mount = `mount --bind "${there}/s.db" "${here}/s.db" && exec "$0" "$@"`
  const said = await openElsewhere(`${here}/s.db`, ['unshare', '-m', 'sh', '-c', mount])
  assert.match(said, /mounted by itself: mount its folder/)
  await first.close()
})

Paths.run()

const Hold = suite('when a process may take over a file from its former owner')

/** A file as an owner left it, and a process that tries to open it. Each look takes time, on a clock that does not advance otherwise. */
async function leftBy(process: string | null, atLook: (count: number, run: (sql: string) => void) => void) {
  const file = newStoreFile()
  const [database, other] = [await openSqlite(file), await openSqlite(file)]
  for (const each of [database, other]) each.exec('pragma busy_timeout = 0; pragma journal_mode = wal')
  const clock = createSimulatedClock(1_000)
  const statements = new Statements(database, { assertThere() {}, failed: error => error })
  makeOwnerTable(statements)
  statements.run("update owner set boot_id = 'boot A', process = ?", [process])
  let looks = 0
  const pause = async (ms: number): Promise<void> => {
    clock.advance(ms)
    atLook(++looks, sql => other.exec(sql))
  }
  const held = holdFile({ file, statements, clock, bootId: 'boot B', pause })
  const outcome = await held.then(
    () => 'held',
    ({ message }: Error) => message,
  )
  const [row] = statements.all<{ boot_id: string }>('select boot_id from owner', [])
  database.close()
  other.close()
  return { outcome, looks, owner: row?.boot_id }
}

Hold('the owner has certainly ended: at once', async () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const identity = ownIdentity()?.replace(` ${process.pid} `, ` ${gone} `) ?? ''
  if (isMissing('/proc', identity !== '')) return
  assert.equal(await leftBy(identity, () => {}), { outcome: 'held', looks: 0, owner: 'boot B' })
})

for (const [who, identity] of [
  ['is unknown', null],
  ['runs, but is suspended', ownIdentity()],
] as const)
  Hold(`the owner ${who}: after its row has not changed for 3.5 s`, async () => {
    assert.equal(await leftBy(identity, () => {}), { outcome: 'held', looks: 35, owner: 'boot B' })
  })

Hold('the owner renews its row: refused', async () => {
  const { outcome, looks, owner } = await leftBy(null, (count, run) => {
    if (count === 34) run('update owner set renewals = renewals + 1')
  })
  assert.match(outcome, IN_USE)
  assert.equal([looks, owner], [34, 'boot A'])
})

Hold('another new process takes over the row during the wait: refused', async () => {
  const { outcome, owner } = await leftBy(null, (count, run) => {
    if (count === 35) run("update owner set boot_id = 'boot C'")
  })
  assert.match(outcome, IN_USE)
  assert.is(owner, 'boot C')
})

Hold('the owner gives up the row during the wait: at once', async () => {
  const left = await leftBy(null, (count, run) => {
    if (count === 3) run('update owner set boot_id = null')
  })
  assert.equal(left, { outcome: 'held', looks: 3, owner: 'boot B' })
})

Hold('the 3.5 s do not count while the owner cannot write because of a lock', async () => {
  const { outcome, looks } = await leftBy(null, (count, run) => {
    if (count === 1) run('begin immediate')
    if (count === 20) run('rollback')
  })
  assert.equal([outcome, looks], ['held', 19 + 35])
})

Hold.run()

const Identity = suite('if a process has certainly ended')

Identity('false for a running process, and for one that cannot be identified', () => {
  const own = ownIdentity()
  if (isMissing('/proc', own !== null) || own === null) return
  const [kernel = '', namespace = '', pid, started] = own.split(' ')
  const elsewhere = [`other ${namespace} 999999 1`, `${kernel} pid:[1] 999999 1`]
  for (const identity of [own, null, '', ...elsewhere])
    assert.not(isCertainlyGone(identity), String(identity))
  assert.ok(
    isCertainlyGone(`${kernel} ${namespace} ${pid} ${Number(started) + 1}`),
    'another process with this pid',
  )
})

Identity('true for an ended process, also as a zombie', async () => {
  const own = ownIdentity()
  if (isMissing('/proc', own !== null) || own === null) return
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
  const [pid] = String((await once(parent.stdout, 'data'))[0]).split('\n')
  const stat = (): string[] =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  const identity = own.split(' ').slice(0, 2).concat(String(pid), String(stat()[19])).join(' ')
  assert.not(isCertainlyGone(identity))
  const name = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')
  while (name() !== 'sleep\n') await new Promise(resolve => setImmediate(resolve)) // a shell would collect its exit status
  process.kill(Number(pid), 'SIGKILL')
  while (stat()[0] !== 'Z') await new Promise(resolve => setImmediate(resolve))
  assert.ok(isCertainlyGone(identity))
  parent.kill('SIGKILL')
})

Identity.run()
