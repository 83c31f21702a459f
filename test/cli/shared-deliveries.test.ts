/** `svc deliveries` on a store that several servers share, while one of them is running. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openSessionServerStore, openStore } from '../../stores/open.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { ENGINES, emptyRedis } from '../redis.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const HOUR_MS = 3_600_000

async function play(store: SessionServerStore, run: (...words: string[]) => ReturnType<typeof runSvc>) {
  const dueAt = Date.now() + HOUR_MS
  const facts = { message: 'secret', owedAt: dueAt, giveUpAt: dueAt + HOUR_MS, dueAt }
  const waiting = owedRow('callback-1', { ...facts, attempts: 3, lastOutcome: 'answered 500' })
  const ended = owedRow('callback-2', { ...facts, state: 'delivered', message: null })
  try {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [waiting, ended] }))
    const { stdout, stderr } = await run('list')
    assert.match(
      stdout,
      /^callback-1 waiting \(DONE\) shop\.example: 3 attempts, last: answered 500, next at .*\ncallback-2 delivered /,
      stderr,
    )
    const replayed = await run('replay', 'callback-1')
    assert.equal([replayed.stderr, replayed.stdout], ['', 'callback-1: posted next\n'])
    const moved = await store.deliveries.load('callback-1')
    assert.equal([moved?.version, moved?.message], [2, 'secret'])
    assert.ok(Math.abs((moved?.dueAt ?? 0) - Date.now()) < HOUR_MS / 2, `${moved?.dueAt}`)
    assert.match(
      (await run('replay', 'callback-2')).stderr,
      /expected one that waits, got one that is delivered/,
    )
    assert.ok(await commitSession(store, 'id-s', 1, null), 'the server still uses its store')
  } finally {
    await store.close()
  }
}

const Shared = suite('svc deliveries on a store of several servers')
const onPostgres = isMissing('PostgreSQL', hasPostgres) ? Shared.skip : Shared
const onRedis = isMissing('Redis', ENGINES.Redis !== null) ? Shared.skip : Shared

onPostgres('it lists and replays the deliveries of a PostgreSQL database', async () => {
  const address = await newPostgresDatabase()
  await play(await openStore(address, 'boot A'), (...words) =>
    runSvc(['deliveries', ...words, '--store', address]),
  )
})

onPostgres('it creates no tables, and prints no password', async () => {
  const address = (await newPostgresDatabase()).replace('svc@', 'svc:hunter2pw@')
  for (const _ of [1, 2]) {
    const { code, stderr } = await runSvc(['deliveries', 'list', '--store', address])
    assert.is(code, 1)
    assert.match(stderr, /expected tables that a server of this version has made, up to .*, got none/)
    assert.not.match(stderr, 'hunter2pw')
  }
})

onRedis('it lists and replays the deliveries of a Redis server from the settings file', async () => {
  const { address } = await emptyRedis('Redis')
  const file = join(temporaryFolder(), 'server.json')
  writeFileSync(file, JSON.stringify({ store: address }))
  await play(await openSessionServerStore(address, 'boot A'), (...words) =>
    runSvc(['deliveries', ...words, '--config', file]),
  )
})

Shared.run()
