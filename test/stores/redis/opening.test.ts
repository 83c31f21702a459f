/** How a node finds its Redis server through Sentinels, and how it handles an unusable server or a reconnection. @module */
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { NO_REDIS_OPTIONS, parseRedisAddress, whoAsks } from '../../../stores/redis/address.ts'
import type { Target } from '../../../stores/redis/client.ts'
import { findServer } from '../../../stores/redis/find-server.ts'
import { StoreError, StoreUnreachableError } from '../../../stores/store-error.ts'
import { rejection } from '../../faults/rejection.ts'
import { suite } from '../../suite.ts'
import { failureOf, until } from '../other-connection.ts'
import { openRedis } from './open.ts'
import { listOf, NOTHING, OK, type SpeakingServer, speakingServer, textOf } from './speaking-server.ts'

const servers: SpeakingServer[] = []

async function start(...given: Parameters<typeof speakingServer>): Promise<SpeakingServer> {
  const server = await speakingServer(...given)
  servers.push(server)
  return server
}

/** The limit for work that takes milliseconds. */
const NO_END_MS = 60_000

/** Finds the server at an address, with a clock that does not advance. */
function find(address: string, options = NO_REDIS_OPTIONS) {
  const clock = createSimulatedClock(1_000)
  const parsed = parseRedisAddress(address)
  if (parsed === null) throw new Error('expected an address')
  const found: Promise<Target> = Promise.race([
    findServer(parsed, whoAsks(parsed, options), options, clock),
    pause(NO_END_MS, null, { ref: false }).then(() => Promise.reject(new Error('no end'))),
  ])
  return { clock, found }
}

function sentinels(...each: readonly SpeakingServer[]): string {
  return `redis+sentinel://${each.map(({ at }) => `${at.host}:${at.port}`).join()}/m`
}

const Finding = suite('how a node finds and opens its Redis server')
Finding.after.each(() => {
  for (const server of servers.splice(0)) server.close()
})

Finding(
  'credentials in the address have precedence over the options; TLS is used only with rediss://',
  async () => {
    const options = {
      ...NO_REDIS_OPTIONS,
      credentials: { username: 'shop', password: 'word' },
      tls: { ca: 'ca', certificate: null, key: null },
    }
    for (const [address, username, password] of [
      ['redis://h', 'shop', 'word'],
      ['redis://other:third@h', 'other', 'third'],
      ['redis://:other@h', '', 'other'],
    ] as const) {
      const { credentials, tls } = await find(address, options).found
      assert.equal([credentials, tls], [{ username, password }, null], address)
    }
    assert.equal((await find('rediss://h', options).found).tls, options.tls)
  },
)

Finding('refused: a user name without a password, and a key prefix without a user name', async () => {
  const [named, full] = [
    { username: 'shop', password: '' },
    { username: 'shop', password: 'S3cret' },
  ]
  for (const [address, options, expected] of [
    ['redis://shop@h', { credentials: full }, 'expected the password beside the name of the user'],
    ['redis://h', { credentials: named }, 'expected the password beside the name of the user'],
    [
      'redis://:S3cret@h',
      { credentials: full, hasKeyPrefix: true },
      'expected the name of a user, because of',
    ],
    ['redis://h', { hasKeyPrefix: true }, 'expected the name of a user, because of'],
  ] as const) {
    const message = await rejection(openRedis({ address }, { redis: options }))
    assert.ok(message.startsWith(`Error: store "redis://h": ${expected}`), message)
    assert.not.match(message, 'S3cret')
  }
})

Finding(
  'a Sentinel that is gone, refuses, or knows no such server is skipped; all connections are closed',
  async () => {
    const gone = await start(() => undefined)
    gone.close()
    const refusing = await start(([name]) => (name === 'SENTINEL' ? '-ERR no\r\n' : undefined))
    const ignorant = await start(([name]) => (name === 'SENTINEL' ? NOTHING : undefined))
    const knowing = await start(([name]) => (name === 'SENTINEL' ? listOf('there', '7') : undefined))
    const all = [gone, refusing, ignorant, knowing]
    const { clock, found } = find(sentinels(...all))
    assert.equal((await found).to, { host: 'there', port: 7 })
    assert.equal(
      all.map(({ asked }) => asked.filter(([name]) => name === 'SENTINEL').length),
      [0, 1, 1, 1],
    )
    await until(() => all.every(each => each.connections() === 0))
    assert.is(clock.nextTimerAt(), null)
  },
)

Finding('a Sentinel that closes the connection instead of answering is skipped', async () => {
  const ending: SpeakingServer = await start(([name]) => {
    if (name !== 'SENTINEL') return undefined
    ending.drop()
    return null
  })
  const knowing = await start(([name]) => (name === 'SENTINEL' ? listOf('there', '7') : undefined))
  assert.equal((await find(sentinels(ending, knowing)).found).to, { host: 'there', port: 7 })
})

Finding('if no Sentinel names a server, the error has the answer of the last one', async () => {
  const ignorant = await start(([name]) => (name === 'SENTINEL' ? NOTHING : undefined))
  const failure = await failureOf(find(sentinels(ignorant)).found)
  assert.instance(failure, StoreError)
  assert.match(failure.message, 'a Sentinel that knows no \\"m\\"')
  assert.match(failure.message, /none of the Sentinels named a server$/)
})

Finding('a silent Sentinel is skipped after 3 s', async () => {
  const silent = await start(([name]) => (name === 'SENTINEL' ? null : undefined))
  const knowing = await start(([name]) => (name === 'SENTINEL' ? listOf('there', '7') : undefined))
  const { clock, found } = find(sentinels(silent, knowing))
  await until(() => silent.asked.some(([name]) => name === 'SENTINEL'))
  clock.advance(2_999)
  await pause(20)
  assert.is(knowing.asked.length, 0)
  clock.advance(1)
  assert.equal((await found).to, { host: 'there', port: 7 })
})

Finding('the error for a silent Sentinel names the time limit', async () => {
  const silent = await start(([name]) => (name === 'SENTINEL' ? null : undefined))
  const { clock, found } = find(sentinels(silent))
  const failed = failureOf(found)
  await until(() => silent.asked.some(([name]) => name === 'SENTINEL'))
  clock.advance(3_000)
  const failure = await failed
  assert.instance(failure, StoreUnreachableError)
  assert.match(failure.message, /got "no answer within 3 s": see that the server runs/)
})

/** The information of a usable server. */
const INFO =
  'redis_mode:standalone\r\nrole:master\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\naof_enabled:1'

/** A server on which one node can open a store.
 *  @param renewal its answer to the renewal with that number */
function usableServer(renewal: (number: number) => string = () => '*3\r\n:1\r\n:0\r\n:1\r\n') {
  let renewals = 0
  return start(([name, script = '']) => {
    if (name === 'INFO') return textOf(INFO)
    if (name === 'CONFIG') return '%0\r\n'
    if (name === 'EVAL' && script.includes("'time'")) return renewal(++renewals)
    if (name === 'EVAL') return textOf('the data')
    return name === 'HELLO' || name === 'subscribe' ? undefined : OK
  })
}

Finding('a text that is no address of Redis is refused, and not quoted', async () => {
  const { message } = await failureOf(openRedis({ address: 'redis://:secret@h/x' }))
  assert.match(message, /^store: expected "redis:\/\/HOST:PORT\/DATABASE".*, got another address$/)
  assert.not.match(message, 'secret')
})

Finding('a store whose opening fails closes its connection, and does not reconnect', async () => {
  const server = await usableServer(number => (number === 1 ? '*3\r\n:1\r\n:0\r\n:1\r\n' : '*0\r\n'))
  const address = `redis://127.0.0.1:${server.at.port}`
  let now = 0
  const clock = { ...createSystemClock(), now: () => (now += 1_000) } // every answer is late, so that the node asks again
  assert.match(
    (await failureOf(openRedis({ address }, { clock }))).message,
    'expected the time of the server',
  )
  await until(() => server.connections() === 0)
})

Finding('a warning about a server is logged once, also after a reconnection', async () => {
  const server = await usableServer()
  const [warnings, lines]: [string[], string[]] = [[], []]
  const tell = { failing: (line: string) => lines.push(line), working() {} }
  const given = { tell, warn: (line: string) => warnings.push(line) }
  const store = await openRedis({ address: `redis://127.0.0.1:${server.at.port}` }, given)
  const about = (): number => warnings.filter(line => line.includes('has no maxmemory')).length
  let missed = 0
  store.subscribe(
    () => {},
    () => {
      missed += 1
    },
  )
  assert.is(about(), 1)
  server.drop()
  await until(() => missed === 1)
  assert.is(about(), 1)
  assert.not.match(lines.join(), 'lost it')
  const renewing = server.asked.filter(([name, script = '']) => name === 'EVAL' && script.includes("'time'"))
  assert.ok(renewing.length >= 2, 'its lease is renewed on the new connection')
  await store.close()
})

Finding.run()
