/** A start waits up to 30 s for a store that does not answer, and logs a line. It does not wait if only an operator can repair the failure. @module */
import { createServer, type Server } from 'node:net'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openOptionStore, openSessionOptionStore } from '../../server/open-option-store.ts'
import { NO_REDIS_OPTIONS } from '../../stores/redis/address.ts'
import { settle } from '../actors/node.ts'
import { freePort } from '../cli/run-svc.ts'
import { hasPostgres, startPostgres } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { ENGINES, startRedis } from '../redis.ts'
import { until } from '../stores/other-connection.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const OPTION = { defaultFile: () => '', sqliteSynchronous: 'normal' } as const
const FACTS = { redis: NO_REDIS_OPTIONS, isAuthority: false }

/** A start, on a clock that the test moves. */
function start(name: string, keepsAccounts: boolean) {
  const clock = createSimulatedClock(Date.now())
  const lines: string[] = []
  const note = (line: unknown): void => void lines.push(String(line))
  const log = { info: note, warn: note, error: note }
  const deps = { bootId: 'boot A', clock, log, lost: () => {} }
  const option = { ...OPTION, name }
  const opened = keepsAccounts ? openOptionStore(option, deps) : openSessionOptionStore(option, FACTS, deps)
  let isOver = false
  const ended = opened.then(
    store => store.close().then(() => 'opened'),
    (error: Error) => error.message,
  )
  void ended.finally(() => {
    isOver = true
  })
  /** True between two attempts, which are a second apart. During an attempt the next timer is a longer limit, or there is none, and the test does not move the clock. */
  const isPausing = (): boolean => isOver || (lines.length > 0 && clock.nextTimerAt() === clock.now() + 1_000)
  return { clock, lines, ended, isPausing, isOver: () => isOver }
}

const Waiting = suite('a start that waits for its store')

for (const [name, keepsAccounts] of [
  ['postgres', false],
  ['postgres', true],
  ['redis', false],
] as const)
  Waiting(
    `${name}, ${keepsAccounts ? 'with' : 'without'} accounts: a start waits 30 s without an answer, and logs one line`,
    async () => {
      const address = `${name}://svc:hunter2pw@127.0.0.1:${await freePort()}/0`
      const { clock, lines, ended, isPausing, isOver } = start(address, keepsAccounts)
      for (let second = 1; second <= 30; second++) {
        await until(isPausing)
        assert.is(isOver(), false, `second ${second}`)
        clock.advance(1_000)
        await settle()
      }
      assert.match(await ended, /expected to read and write the (?:database|server), got ".*ECONNREFUSED/)
      assert.is(lines.length, 1, lines.join('\n'))
      assert.match(lines[0] ?? '', /ECONNREFUSED.*; this start waits for it, for 30 s at most$/)
      assert.not.match(lines.join() + (await ended), 'hunter2pw')
    },
  )

/** A server that answers the first bytes of a connection with these bytes. */
async function answering(bytes: Buffer): Promise<{ server: Server; port: number }> {
  const server = createServer(socket => socket.once('data', () => socket.end(bytes)).on('error', () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, port: Object(server.address()).port }
}

Waiting('a wrong password ends the start at once', async () => {
  const fields = ['SFATAL', 'C28P01', 'Mpassword authentication failed', ''].map(text => `${text}\0`).join('')
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(fields))
  const refusals = {
    postgres: Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]),
    redis: Buffer.from('-WRONGPASS invalid username-password pair\r\n'),
  }
  for (const [name, bytes] of Object.entries(refusals)) {
    const { server, port } = await answering(bytes)
    const { lines, ended } = start(`${name}://svc:hunter2pw@127.0.0.1:${port}/0`, false)
    assert.match(await ended, /: see that (?:the )?user and (?:the )?password/)
    assert.equal(lines, [])
    server.close()
  }
})

const withPostgres = isMissing('PostgreSQL', hasPostgres) ? Waiting.skip : Waiting

withPostgres('a PostgreSQL server that starts during the wait is used', async () => {
  const server = await startPostgres()
  const address = await server.newDatabase()
  await server.stop()
  const { clock, ended, isPausing, isOver } = start(address, true)
  await until(isPausing)
  await server.start()
  while (!isOver()) {
    await until(isPausing)
    if (!isOver()) clock.advance(1_000)
    await settle()
  }
  assert.is(await ended, 'opened')
  await server.stop()
})

const withRedis = isMissing('Redis', ENGINES.Redis !== null) ? Waiting.skip : Waiting

withRedis('a Redis server that starts during the wait is used', async () => {
  const folder = temporaryFolder()
  const first = await startRedis('Redis', undefined, folder)
  await first.kill()
  const { clock, ended, isPausing, isOver } = start(first.address, false)
  await until(isPausing)
  await first.start()
  while (!isOver()) {
    await until(isPausing)
    if (!isOver()) clock.advance(1_000)
    await settle()
  }
  assert.is(await ended, 'opened')
  await first.kill()
})

Waiting.run()
