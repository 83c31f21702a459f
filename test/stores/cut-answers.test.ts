/** The answer to a commit is lost in transit, right after the server has made it: no caller gets a failure, nothing is done twice, and a later read finds the commit.
 *  @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openStore } from '../../stores/open.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { ENGINES, startRedis } from '../redis.ts'
import { suite } from '../suite.ts'
import { accountRow, commitAccount } from './account-rows.ts'
import { commitSession } from './commits.ts'
import { type CuttingRelay, cuttingRelay } from './cutting-relay.ts'
import { failureOf, until } from './other-connection.ts'
import { openRedis } from './redis/open.ts'
import { owedRow, sessionRow } from './rows.ts'

type Engine = {
  readonly relay: CuttingRelay
  /** @param isDirect without the relay */
  readonly open: (bootId: string, isDirect: boolean) => Promise<SessionServerStore>
  /** the text of the command that commits a session */
  readonly asked: string
}

async function postgres(): Promise<Engine & { readonly address: string }> {
  const direct = await newPostgresDatabase()
  const { pathname, searchParams } = new URL(direct.replace('@/', '@socket/'))
  const relay = await cuttingRelay({ path: join(searchParams.get('host') ?? '', '.s.PGSQL.5432') })
  const address = `postgres://svc@127.0.0.1:${relay.port}${pathname}`
  return {
    relay,
    address,
    asked: 'commit updated',
    open: (bootId, isDirect) => openStore(isDirect ? direct : address, bootId),
  }
}

async function redis(engine: 'Redis' | 'Valkey'): Promise<Engine> {
  const server = await startRedis(engine)
  const relay = await cuttingRelay({ path: join(server.folder, 's') })
  const address = `redis://127.0.0.1:${relay.port}`
  return {
    relay,
    asked: 'EVALSHA',
    open: (bootId, isDirect) => openRedis(isDirect ? server : { address }, { bootId }),
  }
}

const REAL = {
  PostgreSQL: { isThere: hasPostgres, start: postgres },
  Redis: { isThere: ENGINES.Redis !== null, start: () => redis('Redis') },
  Valkey: { isThere: ENGINES.Valkey !== null, start: () => redis('Valkey') },
} as const

for (const [name, { isThere, start }] of Object.entries(REAL)) {
  const Cut = suite(`answers of ${name} that are lost after the commit`)
  const test = isMissing(name, isThere) ? Cut.skip : Cut

  test('the caller gets a StoreError, subscribers are notified, and the commit cannot be repeated', async () => {
    const { relay, open, asked } = await start()
    const [store, other] = [await open('boot A', false), await open('boot B', true)]
    const heard: [string[], string[]] = [[], []]
    for (const [i, each] of [store, other].entries())
      each.subscribe(
        (_id, change, owed) => heard[i]?.push(`${change?.version ?? '-'} ${owed ? 'owes' : '-'}`),
        () => heard[i]?.push('missed'),
      )
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    const row = sessionRow('s', { version: 2, status: 'CANCELLED' })
    const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CANCELLED' } as const
    const inserts = { change, owed: [owedRow('d')] }
    relay.cutAfter(asked)
    assert.instance(await failureOf(commitSession(store, 'id-s', 1, row, inserts)), StoreError)
    assert.is(relay.cuts(), 1)
    assert.is((await other.sessions.load('id-s'))?.version, 2, 'it was made')
    await until(() =>
      store.sessions.load('id-s').then(
        found => found?.version === 2,
        () => false,
      ),
    )
    assert.is(await commitSession(store, 'id-s', 1, row, inserts), false)
    assert.equal(await other.deliveries.list(), [owedRow('d')])
    await until(() => heard[0].length > 1 && heard[1].length > 0)
    assert.equal(heard[1], ['2 -'])
    assert.is(heard[0].slice(1).filter(line => line !== 'missed' && !line.startsWith('2 ')).length, 0)
    assert.ok(heard[0].slice(1).length >= 1, 'its own node is notified, or told to read again')
    for (const each of [store, other]) await each.close()
    relay.close()
  })

  Cut.run()
}

const Account = suite('answers of PostgreSQL that are lost after the commit of an account')
const test = isMissing('PostgreSQL', hasPostgres) ? Account.skip : Account

test('the caller gets a StoreError, and the attempt is not counted twice', async () => {
  const { relay, address } = await postgres()
  const store = await openStore(address, 'boot A')
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  const counted = accountRow('a', { version: 2, attempts: 1 })
  relay.cutAfter('commit\0')
  assert.instance(await failureOf(commitAccount(store, 1, counted, { owed: [owedRow('mail')] })), StoreError)
  assert.is(relay.cuts(), 1)
  assert.equal(await store.accounts.load('id-a'), counted)
  assert.is(await commitAccount(store, 1, counted, { owed: [owedRow('mail')] }), false)
  assert.equal(await store.deliveries.list(), [owedRow('mail')])
  await store.close()
  relay.close()
})

Account.run()
