/** What only a file can promise: commits outlive the process, and one process at a time has the file. @module */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../stores/open.ts'
import { makeRow } from './make-row.ts'

const Sqlite = suite<{ folder: string }>('store: the SQLite file')

Sqlite.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'))
})
Sqlite.after.each(({ folder }) => rmSync(folder, { recursive: true }))

Sqlite('claims of an earlier process are of a dead node, and its rows are there', async ({ folder }) => {
  const file = `sqlite:${join(folder, 'a.db')}`
  const before = await openStore(file, 'first')
  await before.commit('a', 0, makeRow('a'))
  assert.is(await before.isAlive('first'), true)
  await before.close()
  const after = await openStore(file, 'second')
  assert.equal(await after.load('a'), makeRow('a'))
  assert.is(await after.isAlive('first'), false)
  await after.close()
})

Sqlite('a second one on the same file is refused, the first goes on', async ({ folder }) => {
  const file = join(folder, 'a.db')
  const first = await openStore(`sqlite:${file}`, 'first')
  try {
    await openStore(`sqlite:${file}`, 'second')
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), 'expected to be its only process, but another one uses it')
  }
  assert.is(await first.commit('a', 0, makeRow('a')), true)
  await first.close()
})

/** Commits rows without a pause and says each that is committed. */
const WRITER = `
  const { openStore } = await import(process.argv[1])
  const { makeRow } = await import(process.argv[2])
  const store = await openStore(process.argv[3], 'writer')
  for (let i = 0; ; i++) {
    await store.commit('row' + i, 0, makeRow('row' + i))
    process.stdout.write(i + '\\n')
    await new Promise(setImmediate)
  }`

Sqlite('no commit that was told is lost by kill -9, and the file is free at once', async ({ folder }) => {
  const file = `sqlite:${join(folder, 'a.db')}`
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const open = new URL(`../../stores/open${extension}`, import.meta.url).href
  const rows = new URL(`./make-row${extension}`, import.meta.url).href
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      WRITER,
      open,
      rows,
      `${file}${round}`,
    ])
    let told = -1
    for await (const line of createInterface(child.stdout)) {
      told = Number(line)
      if (told >= 50 + round) child.kill('SIGKILL')
    }
    const store = await openStore(`${file}${round}`, 'reader')
    for (let i = 0; i <= told; i++) assert.ok(await store.load(`row${i}`), `row ${i} of ${told}`)
    await store.close()
  }
})

for (const name of ['', 'sqlite', 'sqlite:', 'redis://x']) {
  Sqlite(`a store named ${JSON.stringify(name)} is refused with what was expected`, async () => {
    try {
      await openStore(name, 'boot')
      assert.unreachable()
    } catch (error) {
      assert.match(String(error), `store: expected "memory" or "sqlite:FILE", got ${JSON.stringify(name)}`)
    }
  })
}

Sqlite.run()
