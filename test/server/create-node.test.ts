import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../ports/randomness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createNode } from '../../server/create-node.ts'
import type { World } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { AUTHORITY, BADGE } from '../actors/authority.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { FAILURES, idlePool, noNetwork, settingsOfTest } from './node-of-test.ts'

const Node = suite('createNode')
/** Expired records of revocation are deleted at this interval. */
const DROP_MS = 5 * 3_600_000
const world: World = {
  clock: createSimulatedClock(1_000_000),
  random: systemRandomness,
  fetch: noNetwork,
  log: FAILURES,
  instead: { pool: idlePool() },
}

Node('if a part fails to start, the parts before it are closed', async () => {
  const settings = settingsOfTest({
    store: `sqlite:${join(temporaryFolder(), 'a.db')}`,
    revocation: new Map([[BADGE, AUTHORITY]]),
  })
  const bytes = (): never => {
    throw new Error('no randomness for an accumulator')
  }
  const random = { ...systemRandomness, bytes }
  const refusal = await createNode(settings, { ...world, random }).catch(({ message }) => message)
  assert.is(refusal, 'no randomness for an accumulator')
  const { close } = await createNode(settings, world) // succeeds because the file was released
  await close()
})

Node('a node does not close a store and a pool that a test gave it', async () => {
  const closed: string[] = []
  const store = Object.assign(createMemoryStore(), { close: async () => void closed.push('store') })
  const pool = { ...idlePool(), close: async () => void closed.push('pool') }
  const node = await createNode(settingsOfTest({}), { ...world, instead: { store, pool } })
  assert.is(node.store, store)
  await node.close()
  assert.equal(closed, [])
})

Node('a node warns once if a newer Node would be faster on this processor', async () => {
  for (const isFasterOnNode24 of [true, false]) {
    const warnings: unknown[] = []
    const log = { ...FAILURES, warn: (line: unknown) => void warnings.push(line) }
    const instead = { store: createMemoryStore(), pool: { ...idlePool(), isFasterOnNode24 } }
    const node = await createNode(settingsOfTest({}), { ...world, log, instead })
    await node.close()
    assert.is(warnings.length, isFasterOnNode24 ? 1 : 0)
    for (const warning of warnings)
      assert.match(String(warning), /^this processor .*: Node 24 or newer needs/)
  }
})

Node('a node that has lost its store closes, unless its caller handles the loss', async () => {
  for (const onLost of [undefined, () => {}]) {
    const file = join(temporaryFolder(), 'a.db')
    const clock = createSimulatedClock(1_000_000)
    const node = await createNode(settingsOfTest({ store: `sqlite:${file}` }), {
      ...world,
      clock,
      log: { ...FAILURES, error() {} },
      ...(onLost && { lost: onLost }),
    })
    rmSync(`${file}-wal`)
    const lost = rejection(node.store.sessions.dropAnswers(0)) // a commit
    assert.match(await lost, /^StoreLostError: /)
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
    const turn = node.sessions.turn('none', () => null).then(JSON.stringify, ({ message }) => message)
    assert.is(await turn, onLost ? '{"refused":"unknown"}' : 'this server is closing')
    await node.close()
  }
})

Node('a closed node has no timer, refuses turns, and has released its file', async () => {
  const clock = createSimulatedClock(1_000_000)
  const settings = settingsOfTest({
    store: `sqlite:${join(temporaryFolder(), 'a.db')}`,
    revocation: new Map([[BADGE, AUTHORITY]]),
  })
  const node = await createNode(settings, { ...world, clock })
  assert.ok(clock.nextTimerAt() !== null)
  await node.close()
  assert.is(clock.nextTimerAt(), null)
  assert.match(await rejection(node.sessions.turn('none', () => null)), 'this server is closing')
  const next = await createNode(settings, { ...world, clock })
  await next.close()
})

/** @returns the log lines if every periodic read of the store fails with this error */
async function heardOf(error: Error): Promise<readonly string[]> {
  const clock = createSimulatedClock(1_000_000)
  const heard: string[] = []
  const log = {
    info() {},
    warn: (_: object, text = '') => heard.push(text),
    error: (_: object, text = '') => heard.push(text),
  }
  const fail = (): never => {
    throw error
  }
  const store = createMemoryStore()
  Object.assign(store.sessions, { due: async () => fail() })
  Object.assign(store.deliveries, { dueHosts: async () => fail() })
  const node = await createNode(settingsOfTest({ revocation: new Map([[BADGE, AUTHORITY]]) }), {
    ...world,
    clock,
    log,
    instead: { ...world.instead, store },
  })
  Object.assign(store.revocation, { dropRecords: async () => fail() })
  clock.advance(DROP_MS)
  await new Promise(setImmediate)
  await node.close()
  return [...new Set(heard)].sort()
}

Node('failures are logged, except those of the store, which the store logs itself', async () => {
  assert.equal(await heardOf(new Error('a bug')), ['delivery failed', 'revocation failed', 'session failed'])
  assert.equal(await heardOf(new StoreError('store: the disk is full')), [])
})

Node('a node has a listener for clients if the settings have a port for it', async () => {
  for (const [clientPort, hasOne] of [
    [0, false],
    [1, true],
  ] as const) {
    const node = await createNode(settingsOfTest({ clientPort, store: 'memory' }), world)
    assert.is(node.clientServer !== null, hasOne)
    await node.close()
  }
})
Node.run()
