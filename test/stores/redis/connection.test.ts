/** The single connection of a node to its Redis server: how long calls wait, when it is closed and opened again, and that closing leaves nothing behind. @module */

import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Health } from '../../../stores/health.ts'
import { newClient } from '../../../stores/redis/client.ts'
import { Connection } from '../../../stores/redis/connection.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { inTime } from '../../patience.ts'
import { suite } from '../../suite.ts'
import { failureOf, until } from '../other-connection.ts'
import { OK, speakingServer } from './speaking-server.ts'

const NOBODY = { username: '', password: '' }
const NO_ERROR = new Error('no failure')

type Answer = (command: readonly string[]) => string | null | undefined
type Ready = (connection: Pick<Connection, 'ask'>) => Promise<void>

/** Functions that end the connections and servers of a test. */
const ends: (() => void)[] = []

/** A connection to a server that answers each command with OK, unless the test overrides it. */
async function setUp(answer: Answer = () => undefined) {
  const clock = createSimulatedClock(1_000_000)
  const state = { missed: 0, finds: 0, ready: (async () => {}) as Ready }
  const told: string[] = []
  const server = await speakingServer(command => {
    const said = answer(command)
    return said === undefined && !['HELLO', 'subscribe'].includes(command[0] ?? '') ? OK : said
  })
  const health = new Health('redis', clock, { failing: line => told.push(line), working() {} })
  const connection = new Connection({
    name: '"redis://h"',
    clock,
    health,
    channel: 'changes',
    notify() {},
    async find() {
      state.finds += 1
      return { to: server.at, tls: null, credentials: NOBODY, database: 0 }
    },
    ready: made => state.ready(made),
    missed() {
      state.missed += 1
    },
  })
  const end = (): void => {
    connection.close()
    server.close()
  }
  ends.push(end)
  return { clock, state, told, server, connection }
}

/** @returns the failure */
function endOf(work: Promise<unknown>): Promise<Error> {
  return inTime(failureOf(work), 'the end of the call')
}

/** The server closes the connection; resolves when the node has noticed. */
async function lose({ server, connection }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  server.drop()
  await until(() => !connection.isOpen)
}

const Connections = suite('the connection to a Redis server')
Connections.after.each(() => {
  for (const end of ends.splice(0)) end()
})

Connections(
  'opening sends only HELLO and subscribe, because rules for users may forbid other commands',
  async () => {
    const { server, connection } = await setUp()
    await connection.open()
    assert.equal(server.asked, [
      ['HELLO', '3'],
      ['subscribe', 'changes'],
    ])
  },
)

Connections('a password is sent with the user name, or with "default" if there is none', async () => {
  for (const [username, password, given] of [
    ['', 'word', ['AUTH', 'default', 'word']],
    ['shop', 'word', ['AUTH', 'shop', 'word']],
    ['', '', []],
  ] as const) {
    const { server } = await setUp()
    const client = newClient({ to: server.at, tls: null, credentials: { username, password }, database: 0 })
    await client.connect()
    client.destroy()
    assert.equal(server.asked, [['HELLO', '3', ...given]])
  }
})

Connections('a connection to a silent server is closed after 5 s', async () => {
  const { clock, server, connection } = await setUp(([name]) => (name === 'HELLO' ? null : undefined))
  const opened = endOf(connection.open())
  await until(() => server.asked.length > 0)
  clock.advance(4_999)
  await settle()
  assert.is(server.connections(), 1)
  clock.advance(1)
  assert.match((await opened).message, 'got "no answer within 5 s": see that the server runs')
  await until(() => server.connections() === 0)
  assert.is(clock.nextTimerAt(), null)
})

Connections('a connection that was opened in time stays open', async () => {
  const { clock, connection } = await setUp()
  await connection.open()
  clock.advance(60_000)
  await settle()
  assert.equal([connection.isOpen, await connection.ask(['PING'])], [true, 'OK'])
})

Connections(
  'if the preparation of a first connection fails, it is closed and logged once, without a retry',
  async () => {
    const { clock, state, told, server, connection } = await setUp()
    state.ready = async () => Promise.reject(new StoreError('of no use'))
    assert.is((await endOf(connection.open())).message, 'of no use')
    await until(() => server.connections() === 0)
    assert.equal([told, clock.nextTimerAt(), connection.isOpen], [['of no use'], null, false])
  },
)

Connections('a refused command during the preparation is no failure of the store', async () => {
  const { state, told, connection } = await setUp(([name]) =>
    name === 'CONFIG' ? '-NOPERM no permissions\r\n' : undefined,
  )
  let refused = NO_ERROR
  state.ready = async made => {
    refused = await failureOf(made.ask(['CONFIG', 'GET', 'appendfsync']))
  }
  await connection.open()
  assert.match(refused.message, /got "NOPERM no permissions": let this user run the commands/)
  assert.equal(told, [])
  assert.match((await endOf(connection.ask(['CONFIG']))).message, 'NOPERM')
  assert.is(told.length, 1)
})

Connections('a first connection that is closed or lost during its preparation fails to open', async () => {
  for (const how of ['closed', 'lost'] as const) {
    const given = await setUp()
    const { clock, state, server, connection } = given
    state.ready = async made => {
      if (how === 'closed') return connection.close()
      server.drop()
      await failureOf(made.ask(['PING']))
    }
    assert.match((await endOf(connection.open())).message, /closed|got "Client|Socket/)
    await until(() => server.connections() === 0)
    clock.advance(60_000)
    await settle()
    assert.equal([connection.isOpen, state.finds, clock.nextTimerAt()], [false, 1, null], how)
  }
})

Connections('a lost connection is retried at once, and then every half second', async () => {
  const given = await setUp()
  const { clock, state, connection } = given
  await connection.open()
  const ready = state.ready
  state.ready = () => Promise.reject(new StoreError('of no use'))
  await lose(given)
  assert.equal([state.missed, clock.nextTimerAt()], [0, clock.now()])
  assert.match((await endOf(connection.ask(['PING']))).message, 'got "no connection"')
  clock.advance(0)
  await until(() => clock.nextTimerAt() === clock.now() + 500)
  for (const finds of [2, 3]) {
    clock.advance(499)
    await settle()
    assert.is(state.finds, finds)
    clock.advance(1)
    await until(() => clock.nextTimerAt() === clock.now() + 500)
  }
  state.ready = ready
  clock.advance(500)
  await until(() => connection.isOpen)
  assert.is(state.missed, 1)
})

Connections(
  'closing leaves no timer and no connection: during a call, after a loss, or while reconnecting',
  async () => {
    const asking = await setUp(([name]) => (name === 'PING' ? null : undefined))
    await asking.connection.open()
    const asked = [endOf(asking.connection.ask(['PING'])), endOf(asking.connection.ask(['PING']))]
    asking.connection.close()
    for (const failure of await Promise.all(asked)) assert.instance(failure, StoreError)
    await until(() => asking.server.connections() === 0)
    assert.equal([asking.clock.nextTimerAt(), asking.told], [null, []])

    const lost = await setUp()
    await lost.connection.open()
    await lose(lost)
    lost.connection.close()
    assert.is(lost.clock.nextTimerAt(), null)

    const opening = await setUp()
    await opening.connection.open()
    let goOn = (): void => {}
    let isReadying = false
    opening.state.ready = () => {
      isReadying = true
      return new Promise(resolve => {
        goOn = resolve
      })
    }
    await lose(opening)
    opening.clock.advance(0)
    await until(() => isReadying)
    opening.connection.close()
    goOn()
    await until(() => opening.server.connections() === 0)
    await settle()
    assert.equal([opening.clock.nextTimerAt(), opening.connection.isOpen], [null, false])
  },
)

for (const [word, isOpen] of [
  ['READONLY', false],
  ['MASTERDOWN', false],
  ['LOADING', false],
  ['OOM', true],
] as const)
  Connections(
    `the answer ${word} ${isOpen ? 'leaves the connection open' : 'closes the connection'}`,
    async () => {
      const { connection } = await setUp(([name]) => (name === 'GET' ? `-${word} so\r\n` : undefined))
      await connection.open()
      assert.match((await endOf(connection.ask(['GET', 'k']))).message, `got "${word} so"`)
      assert.is(connection.isOpen, isOpen)
    },
  )

Connections('a call waits 3 s for its answer; without pending calls there is no timer', async () => {
  let isSilent = false
  const { clock, connection } = await setUp(([name]) => (isSilent && name === 'PING' ? null : undefined))
  await connection.open()
  await connection.ask(['PING'])
  clock.advance(3_000)
  await settle()
  assert.equal([connection.isOpen, clock.nextTimerAt()], [true, null])
  isSilent = true
  const asked = endOf(connection.ask(['PING']))
  clock.advance(2_999)
  await settle()
  assert.is(connection.isOpen, true)
  clock.advance(1)
  assert.match((await asked).message, 'got "no answer within 3 s": see that the server runs')
  assert.is(connection.isOpen, false)
})

Connections('two checks for late answers are at least a tenth of a second apart', async () => {
  const { clock, connection } = await setUp(([name]) => (name === 'GET' ? null : undefined))
  await connection.open()
  const begun = clock.now()
  const first = connection.ask(['PING'])
  clock.advance(50)
  const second = endOf(connection.ask(['GET', 'k']))
  await first
  clock.advance(2_950)
  await settle()
  assert.is(clock.nextTimerAt(), begun + 3_100)
  clock.advance(100)
  assert.instance(await second, StoreError)
})

Connections('after nine refusals of the server, calls are still sent', async () => {
  const { connection } = await setUp(([name]) => (name === 'GET' ? '-ERR no\r\n' : undefined))
  await connection.open()
  for (let i = 0; i < 9; i++) assert.instance(await endOf(connection.ask(['GET', 'k'])), StoreError)
  const both = [connection.ask(['PING']), connection.ask(['PING'])]
  assert.equal(await Promise.all(both), ['OK', 'OK'])
})

Connections('TLS sends a host name as the server name, and no IP address', () => {
  const tls = { ca: null, certificate: 'c', key: null }
  const named = (host: string): unknown => {
    const to = { host, port: 1 }
    const { socket } = newClient({ to, tls, credentials: NOBODY, database: 0 }).options ?? {}
    return socket && 'servername' in socket ? socket.servername : 'none'
  }
  assert.equal(['127.0.0.1', '::1', 'fe80::1', '::ffff:127.0.0.1'].map(named), ['', '', '', ''])
  assert.equal(['shop.example', '1.example', 'cafe'].map(named), ['shop.example', '1.example', 'cafe'])
})

Connections.run()
