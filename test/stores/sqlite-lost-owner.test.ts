/** A process that has lost its hold on an SQLite file, and the actions that are allowed to others while a process holds it. @module */

import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../ports/clock.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { newStoreFile, temporaryFolder } from '../temporary-folder.ts'
import { commitDelivery, commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

const ending = import.meta.url.slice(-3)
const writer = fileURLToPath(new URL(`./sqlite-writer${ending}`, import.meta.url))

const Lost = suite('a process that has lost its hold')

Lost('fails all commits, also concurrent ones, and reports the loss once', async () => {
  const file = newStoreFile()
  const told: string[] = []
  const clock = createSimulatedClock(1_000)
  const store = await openStore(`sqlite:${file}`, 'boot A', {
    clock,
    lost: ({ message }) => told.push(message),
  })
  const other = await openSqlite(file)
  other.exec("update owner set boot_id = 'boot B'")
  const commits = ['a', 'b'].map(name => commitSession(store, `id-${name}`, 0, sessionRow(name)))
  for (const commit of commits)
    assert.match(await rejection(commit), /^StoreLostError: store .*another one that opened it/)
  assert.match(await rejection(commitDelivery(store, 'd', 1, null)), /^StoreLostError/)
  assert.is(told.length, 1)
  await store.close()
  const rows = other.prepare('select (select count(*) from sessions) as count, boot_id from owner').get()
  assert.equal({ ...rows }, { count: 0, boot_id: 'boot B' }, 'closing leaves the hold of the other process')
  other.close()
})

Lost('notices the loss at its next renewal, if it has nothing to commit', async () => {
  const file = newStoreFile()
  const clock = createSimulatedClock(1_000)
  const lost = new Promise<Error>(resolve => {
    void openStore(`sqlite:${file}`, 'boot A', { clock, lost: resolve }).then(async () => {
      const other = await openSqlite(file)
      other.exec("update owner set boot_id = 'boot B'")
      other.close()
      clock.advance(1_000)
    })
  })
  assert.match((await lost).message, /another one that opened it/)
})

Lost('ends if it was suspended for too long, and reports no further commit', async () => {
  const file = newStoreFile()
  const first = fork(writer, [file], { silent: true })
  let told = 0
  let said = ''
  const resting = new Promise<void>(resolve => {
    first.on('message', message => {
      if (message === 'resting') resolve()
      else told = Number(message)
    })
  })
  first.stderr?.on('data', chunk => {
    said += chunk
  })
  first.send('rest') // a process paused during a transaction would keep the file locked
  await resting
  first.kill('SIGSTOP')
  const second = await openStore(`sqlite:${file}`, 'boot B')
  const version = (await second.sessions.load('id-s'))?.version ?? 0
  first.send('go')
  first.kill('SIGCONT')
  const [code] = await once(first, 'close')
  assert.is(code, 1)
  assert.match(
    said,
    /expected to be its only process, got another one that opened it while this process was suspended/,
  )
  assert.is((await second.sessions.load('id-s'))?.version, version, 'nothing was committed')
  assert.ok(told <= version, `told ${told}, stored ${version}`)
  await second.close()
})

/** Files that may be deleted while a store is open, and whether they are created again, as by the next process. */
const BESIDE = [
  ['-wal', 'none'],
  ['-shm', 'none'],
  ['-wal', 'another one'],
  ['-shm', 'another one'],
] as const

for (const [end, got] of BESIDE)
  Lost(
    `fails all commits after its ${end} was deleted, and ${got === 'none' ? 'not replaced' : 'replaced'}`,
    async () => {
      const real = newStoreFile()
      const file = join(temporaryFolder(), 'link')
      writeFileSync(real, '')
      symlinkSync(real, file)
      const told: string[] = []
      const lost = ({ message }: Error): void => void told.push(message)
      const store = await openStore(`sqlite:${file}`, 'boot A', { clock: createSimulatedClock(1_000), lost })
      assert.ok(await commitSession(store, 'id-a', 0, sessionRow('a')))
      renameSync(real + end, `${real}.away`)
      if (got === 'another one') writeFileSync(real + end, '')
      const expected = `store ${file}: expected ${real}${end} as it was opened, got ${got}, so that`
      for (const name of ['b', 'c'])
        assert.match(
          await rejection(commitSession(store, `id-${name}`, 0, sessionRow(name))),
          `StoreLostError: ${expected}`,
        )
      assert.is(told.length, 1)
      assert.match(told[0] ?? '', expected)
      renameSync(`${real}.away`, real + end)
      assert.match(
        await rejection(commitSession(store, 'id-b', 0, sessionRow('b'))),
        /^StoreLostError/,
        'for good',
      )
      await store.close()
    },
  )

Lost('notices a deleted log at its next renewal', async () => {
  const file = newStoreFile()
  const clock = createSimulatedClock(1_000)
  let hear = (_: Error): void => undefined
  const lost = new Promise<Error>(resolve => {
    hear = resolve
  })
  const store = await openStore(`sqlite:${file}`, 'boot A', { clock, lost: error => hear(error) })
  renameSync(`${file}-shm`, `${file}.away`)
  clock.advance(1_000)
  assert.match((await lost).message, /-shm as it was opened, got none/)
  await store.close()
})

Lost('keeps its hold during checkpoints, and while other connections are opened and closed', async () => {
  const file = newStoreFile()
  const store = await openStore(`sqlite:${file}`, 'boot A')
  for (const mode of ['passive', 'full', 'restart', 'truncate']) {
    const other = await openSqlite(file)
    other.exec(`pragma wal_checkpoint(${mode})`)
    other.close()
    assert.ok(await commitSession(store, `id-${mode}`, 0, sessionRow(mode)))
  }
  await store.close()
})

Lost.run()

const Beside = suite('beside the process that holds a file')

/** A clock whose waits end quickly. */
function fastClock() {
  const clock = createSystemClock()
  const beganAt = clock.now()
  return { ...clock, now: () => beganAt + (clock.now() - beganAt) * 50 }
}

Beside('the file can be read, copied and backed up; a copy is a store of its own', async () => {
  const file = newStoreFile()
  const store = await openStore(`sqlite:${file}`, 'boot A')
  await commitSession(store, 'id-s', 0, sessionRow('s'))
  const reader = await openSqlite(file)
  reader.exec(`vacuum into '${file}.vacuumed'`)
  reader.close()
  // by another process: opening and closing the file in this one would release SQLite's locks on it
  for (const end of ['', '-wal']) execFileSync('cp', [file + end, `${file}.copied${end}`])
  const copies = [`${file}.vacuumed`, `${file}.copied`]
  if (spawnSync('sqlite3', ['--version']).status === 0) {
    execFileSync('sqlite3', [file, `.backup ${file}.backup`])
    copies.push(`${file}.backup`)
  }
  for (const copy of copies) {
    const opened = await openStore(`sqlite:${copy}`, 'boot B', { clock: fastClock() })
    assert.is((await opened.sessions.load('id-s'))?.version, 1, copy)
    await opened.close()
  }
  assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })))
  await store.close()
})

Beside.run()
