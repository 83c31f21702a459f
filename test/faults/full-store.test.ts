/** A full store behind a running server: calls that change something get 503, the node reports only the reason `store writes`, and reads continue. A node without
 *  calls notices by itself when there is room again. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, type Running, startSvc } from '../cli/run-svc.ts'
import { type Answer, type Client, clientOf } from '../http/client.ts'
import { disclosure, sessionIn } from '../http/harness.ts'
import { pause, untilThere } from '../patience.ts'
import { hasPostgres, startPostgres } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { ENGINES, startRedis } from '../redis.ts'
import { NEEDED } from '../server/keyshare/node.ts'
import { hasSmallDisks, smallDisk } from '../small-disk.ts'
import { suite } from '../suite.ts'

const Full = suite('a store that is full')
/** The most calls until the room is used up: each takes some. */
const MOST_CALLS = 5_000
const JSON_BODY = { 'Content-Type': 'application/json' }

type FullStore = {
  readonly needs: readonly (readonly [what: string, isThere: boolean])[]
  readonly begin: () => Promise<{
    /** value of the option `store` */
    readonly store: string
    readonly fill: () => Promise<void>
    readonly empty: () => Promise<void>
    readonly end: () => Promise<void>
  }>
}

const disks = ['a small disk (root, mount)', hasSmallDisks] as const

const STORES = {
  SQLite: {
    needs: [disks],
    async begin() {
      const { folder, fill, empty } = smallDisk(8)
      const store = `sqlite:${join(folder, 'sessions.sqlite')}`
      return { store, fill: async () => fill(), empty: async () => empty(), end: async () => {} }
    },
  },
  PostgreSQL: {
    needs: [disks, ['PostgreSQL', hasPostgres]],
    async begin() {
      const { folder, fill, empty } = smallDisk(128)
      const server = await startPostgres(folder)
      const store = await server.newDatabase()
      return { store, fill: async () => fill(), empty: async () => empty(), end: server.stop }
    },
  },
  Redis: {
    needs: [['Redis', ENGINES.Redis !== null]],
    async begin() {
      const server = await startRedis('Redis')
      const limit = (bytes: string) => server.ask('CONFIG', 'SET', 'maxmemory', bytes)
      return {
        store: server.address,
        fill: async () => void (await limit('1')),
        empty: async () => void (await limit('200mb')),
        end: server.kill,
      }
    },
  },
} as const satisfies Readonly<Record<string, FullStore>>

type Kind = {
  readonly ready: string
  readonly words: readonly string[]
  /** a call that stores something new */
  readonly create: (client: Client) => ReturnType<Client['call']>
}

const SESSION_SERVER: Kind = {
  ready: 'svc server running',
  words: ['server', '--schemes-path', DEMO_SCHEMES],
  create: ({ call }) => call('POST', '/session', { headers: JSON_BODY, body: { request: disclosure() } }),
}

const KEYSHARE_SERVER: Kind = {
  ready: 'svc keyshare running',
  words: [
    'keyshare',
    ...Object.entries(NEEDED).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`),
  ],
  create: ({ call }) => call('POST', '/client/register', { body: { pin: '123456' } }),
}

async function started({ words, ready }: Kind, store: string): Promise<[Running, Client]> {
  const port = await freePort()
  const own = ['--store', store, '--port', `${port}`, '--listen-addr', '127.0.0.1', '--workers', '1']
  const running = startSvc([...words, ...own, '--url', `http://127.0.0.1:${port}/`])
  await running.says(ready)
  const client = clientOf(port)
  await becomes(client, 200)
  return [running, client]
}

/** @returns the names of the reasons, once the node answers with that status */
async function becomes({ call }: Client, status: number): Promise<readonly string[]> {
  const look = async (): Promise<Answer | null> => {
    const answer = await call('GET', '/health/ready')
    return answer.status === status ? answer : null
  }
  const answer = await untilThere(look, `readiness with status ${status}`)
  return Object.keys(Object(answer.json).reasons)
}

async function untilRefused(create: () => ReturnType<Client['call']>): Promise<void> {
  for (let calls = 0; ; calls++) {
    const { status, text } = await create()
    if (status === 503) return
    assert.is(status, 200, text)
    assert.ok(calls < MOST_CALLS, `expected a full store after ${calls} calls, got none`)
  }
}

const CASES = [
  ...(['SQLite', 'PostgreSQL', 'Redis'] as const).map(store => [store, SESSION_SERVER] as const),
  ...(['SQLite', 'PostgreSQL'] as const).map(store => [store, KEYSHARE_SERVER] as const),
]
for (const [name, kind] of CASES) {
  const { needs, begin }: FullStore = STORES[name]
  const isLeftOut = needs.map(([what, isThere]) => isMissing(what, isThere)).includes(true)
  const test = isLeftOut ? Full.skip : Full
  test(`${name}, svc ${kind.words[0]}: not ready for "store writes", until the store accepts a write`, async () => {
    const { store, fill, empty, end } = await begin()
    const [running, client] = await started(kind, store)
    const first = await kind.create(client)
    assert.is(first.status, 200, first.text)
    await fill()
    await untilRefused(() => kind.create(client))
    assert.equal(await becomes(client, 503), ['store writes'])
    if (kind === SESSION_SERVER)
      assert.is((await client.call('GET', `${sessionIn(first).requestor}/status`)).status, 200)
    // longer than the interval in which the node renews its lease in the store (SQLite: its hold on the file)
    await pause(4_000)
    assert.equal(await becomes(client, 503), ['store writes'])
    await empty()
    assert.equal(await becomes(client, 200), [])
    const last = await kind.create(client)
    assert.is(last.status, 200, last.text)
    running.process.kill('SIGTERM')
    assert.is((await running.finished).code, 0)
    await end()
  })
}

Full.run()
