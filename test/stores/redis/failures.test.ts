/** A Redis or Valkey server that is gone, restarted, emptied, full or silent. Calls fail with a failure of the store, in words and without a secret, and everything works
 *  again when the server does. An unreliable configuration is refused at opening. @module */

import * as assert from 'uvu/assert'
import type { SessionServerStore } from '../../../stores/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { inTime, pause, until } from '../../patience.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, type EngineName, IN_MEMORY, startRedis } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

async function works(store: SessionServerStore): Promise<boolean> {
  return (await failureOf(store.sessions.load('id-s'))).message === 'no failure'
}

async function untilItWorks(store: SessionServerStore): Promise<void> {
  await until(() => works(store), 'a store that works')
}

function linesOf() {
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working: (line: string) => lines.push(line) }
  return { lines, given: { tell, warn: (line: string) => lines.push(line) } }
}

/** Keeps everything on disk, as an authority requires. */
const DURABLE = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory', '200mb']

const TESTS: Readonly<Record<string, (engine: EngineName) => Promise<void>>> = {
  async 'while the server is killed, every call fails with a StoreError; afterwards all commits are there'(
    engine,
  ) {
    const server = await startRedis(engine, DURABLE)
    const { lines, given } = linesOf()
    const store = await openRedis(server, given)
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    let missed = 0
    store.subscribe(
      () => {},
      () => {
        missed += 1
      },
    )
    await server.kill()
    const calls = [
      () => store.sessions.load('id-s'),
      () => store.deliveries.list(),
      () => store.nodes.isAlive('boot A'),
      () => commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })),
    ]
    for (const call of [...calls, ...calls]) assert.instance(await failureOf(call()), StoreError)
    assert.ok(lines.length >= 1 && lines.length <= 3, lines.join('\n'))
    assert.match(
      lines[0] ?? '',
      /^store "redis:\/\/localhost": expected to read and write the server, got ".*": see that the server runs/,
    )
    await server.start()
    await untilItWorks(store)
    assert.equal(await store.sessions.load('id-s'), sessionRow('s'))
    assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })))
    assert.is(missed, 1)
    await store.close()
  },

  async 'a server that restarts without its data is logged as such, and accepts new sessions at once'(
    engine,
  ) {
    const server = await startRedis(engine)
    const { lines, given } = linesOf()
    const store = await openRedis(server, given)
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s', { version: 3 })))
    await server.kill()
    await server.start()
    await untilItWorks(store)
    assert.is(await store.sessions.load('id-s'), null)
    assert.is(await commitSession(store, 'id-s', 3, sessionRow('s', { version: 4 })), false)
    assert.ok(
      lines.some(line => /expected the stored data, got a server that has lost it/.test(line)),
      lines.join('\n'),
    )
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s', { nonce: 'Ag==' })))
    assert.is((await store.sessions.load('id-s'))?.nonce, 'Ag==')
    await store.close()
  },

  async 'a full server refuses each commit as a whole; deletions and renewals of leases still succeed'(
    engine,
  ) {
    const server = await startRedis(engine)
    const store = await openRedis(server)
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    await server.ask('CONFIG', 'SET', 'maxmemory', '1')
    const moved = sessionRow('s', { version: 2 })
    for (const [id, version, row] of [
      ['id-s', 1, moved],
      ['id-t', 0, sessionRow('t')],
    ] as const) {
      const failure = await failureOf(commitSession(store, id, version, row))
      assert.instance(failure, StoreError)
      assert.match(failure.message, /got "OOM .*give the server more memory \("maxmemory"\)/)
    }
    assert.equal([await store.sessions.load('id-s'), await store.sessions.count()], [sessionRow('s'), 1])
    await server.ask('PEXPIRE', 'svc:node:boot A', '4000')
    while (Number(await server.ask('PTTL', 'svc:node:boot A')) < 5_000) await pause(100) // this node still renews its lease
    assert.ok(await commitSession(store, 'id-s', 1, null))
    assert.is(await store.sessions.count(), 0)
    await server.ask('CONFIG', 'SET', 'maxmemory', '200mb')
    assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
    await store.close()
  },

  async 'calls to a paused server fail within their time limit; calls after the pause succeed'(engine) {
    const server = await startRedis(engine)
    const store = await openRedis(server)
    server.signal('SIGSTOP')
    const asked = [store.sessions.load('id-s'), commitSession(store, 'id-s', 0, sessionRow('s'))]
    for (const call of asked)
      assert.instance(await inTime(failureOf(call), 'the end of the call'), StoreError)
    server.signal('SIGCONT')
    await untilItWorks(store)
    await store.close()
  },

  async 'a server that evicts keys is refused; an authority also refuses one without synced persistence'(
    engine,
  ) {
    const evicting = await startRedis(engine, [...IN_MEMORY, '--maxmemory-policy', 'allkeys-lru'])
    assert.match(
      (await failureOf(openRedis(evicting))).message,
      /^store "redis:\/\/localhost": expected the setting maxmemory-policy noeviction, got "allkeys-lru": sessions would be lost/,
    )
    await evicting.kill()
    const forgetful = await startRedis(engine)
    const refusal =
      /expected the settings appendonly yes and appendfsync always on the server of a revocation authority, got appendonly no and appendfsync everysec: set them, or accept/
    assert.match((await failureOf(openRedis(forgetful, { isAuthority: true }))).message, refusal)
    const { lines, given } = linesOf()
    const accepted = await openRedis(forgetful, { ...given, isAuthority: true, redis: { acceptsLoss: true } })
    assert.match(lines.join(), /a crash may lose revocations/)
    await accepted.close()
    await forgetful.kill()
    const durable = await startRedis(engine, DURABLE)
    const told = linesOf()
    await (await openRedis(durable, { ...told.given, isAuthority: true })).close()
    assert.equal(told.lines, [])
    await durable.kill()
  },

  async 'a node of a cluster is refused'(engine) {
    const server = await startRedis(engine, [...IN_MEMORY, '--cluster-enabled', 'yes', '--port', '0'])
    assert.match(
      (await failureOf(openRedis(server))).message,
      /got the mode "cluster": clusters are not supported/,
    )
    await server.kill()
  },

  async 'a server that cannot be opened is refused with a remedy, and without the password'(engine) {
    const server = await startRedis(engine, [...IN_MEMORY, '--requirepass', 'hunter2pw'])
    const wrong = { address: server.address.replace('//', '//:wrongpw@') }
    const refused = [
      [await failureOf(openRedis(server)), /NOAUTH|without any password/],
      [await failureOf(openRedis(wrong)), /see that user and password are right/],
      [
        await failureOf(openRedis({ address: 'redis://localhost?socket=/tmp/none' })),
        /ENOENT.*see that the server runs/,
      ],
    ] as const
    for (const [{ message, cause, stack }, words] of refused) {
      assert.match(message, words)
      assert.not.match(`${message} ${cause} ${stack}`, /wrongpw|hunter2pw/)
    }
    const right = { address: server.address.replace('//', '//:hunter2pw@') }
    await (await openRedis(right)).close()
    await server.kill()
  },

  async 'a commit that too few replicas have fails with a StoreError, and subscribers are not notified'(
    engine,
  ) {
    const server = await startRedis(engine)
    const { lines, given } = linesOf()
    const store = await openRedis(server, { ...given, redis: { replicas: 1 } })
    const heard: number[] = []
    store.subscribe((_id, change) => heard.push(change?.version ?? 1))
    const failure = await failureOf(commitSession(store, 'id-s', 0, sessionRow('s')))
    assert.instance(failure, StoreError)
    assert.match(
      failure.message,
      /expected 1 replicas to have a commit within 1 s, got 0: see that the replicas run/,
    )
    assert.equal(heard, [])
    assert.instance(await failureOf(store.sessions.load('id-s')), StoreError) // the row exists, but may be lost after a fail-over
    assert.ok(lines.some(line => /replicas run/.test(line)))
    await store.close()
    await server.kill()
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Failures = suite(`a ${engine} server that fails`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Failures.skip : Failures
  for (const [title, body] of Object.entries(TESTS)) test(title, () => body(engine))
  Failures.run()
}
