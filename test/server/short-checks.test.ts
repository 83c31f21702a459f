/** The option short_checks: the thread in which short lists of proofs are checked. The pool of the node uses it, and the log shows it. */
import { availableParallelism } from 'node:os'
import * as assert from 'uvu/assert'
import { createOutgoing } from '../../ports/outgoing.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createTraces } from '../../ports/traces.ts'
import { openSessionParts } from '../../server/create-node.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { placeOfShortChecks } from '../../server/settings/short-checks.ts'
import { startServer } from '../../server/start.ts'
import type { World } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { freePort } from '../cli/run-svc.ts'
import { disclose, openssl } from '../crypto/proofs.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { FAILURES, idlePool, noNetwork, settingsOfTest } from './node-of-test.ts'

const Place = suite('short_checks')
const clock = createSimulatedClock(1_000_000)
const world: World = { clock, random: systemRandomness, fetch: noNetwork, log: FAILURES }
const list = disclose([['svc-demo.fast-0', 2]])
/** Maximum number of checks before the test gives up. The pool learns the cost of a proof far earlier, even on a busy machine. */
const MOST_CHECKS = 1_000

/** @returns the number of checks up to the first one on the main thread; null: the main thread made none */
async function checksUntilHere(shortChecks: 'here' | 'threads', most: number): Promise<number | null> {
  const opened: (() => unknown)[] = []
  const ground = {
    store: createMemoryStore(),
    bootId: 'boot',
    traces: createTraces(),
    outgoing: createOutgoing({ fetch: noNetwork, clock }),
  }
  const settings = settingsOfTest({ shortChecks, threads: 1, arithmetic: 'openssl' })
  const { pool } = await openSessionParts(settings, world, ground, close => opened.push(close))
  const { keyProduct } = openssl
  let isHere = false
  const seen: typeof keyProduct = (...input) => {
    isHere = true
    return keyProduct(...input)
  }
  Object.assign(openssl, { keyProduct: seen })
  try {
    for (let checks = 1; checks <= most; checks++) {
      assert.is(await pool.verify(list), true)
      if (isHere) return checks
    }
    return null
  } finally {
    Object.assign(openssl, { keyProduct })
    for (const close of opened.reverse()) await close()
  }
}

Place('here: a worker thread checks the first proofs, the main thread those of known cost', async () => {
  const checks = await checksUntilHere('here', MOST_CHECKS)
  assert.ok(checks !== null && checks > 1)
})

Place('threads: the main thread checks no proof', async () => {
  assert.is(await checksUntilHere('threads', 50), null)
})

Place('auto means here on one core, and threads on several', () => {
  assert.is(placeOfShortChecks('auto', 1), 'here')
  assert.is(placeOfShortChecks('auto', 2), 'threads')
  assert.is(placeOfShortChecks('here', 2), 'here')
  assert.is(placeOfShortChecks('threads', 1), 'threads')
  assert.is(placeOfShortChecks('auto'), availableParallelism() === 1 ? 'here' : 'threads')
})

Place('a line of the log at the start has the value', async () => {
  for (const place of ['here', 'threads']) {
    const port = await freePort()
    const values = {
      schemes_path: DEMO_SCHEMES,
      schemes_update: 0,
      store: 'memory',
      short_checks: place,
      port,
      listen_addr: '127.0.0.1',
    }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } })
    const places: unknown[] = []
    const info = (facts: unknown): void => {
      if (typeof facts === 'object' && facts && 'shortChecks' in facts) places.push(facts.shortChecks)
    }
    const log = { ...FAILURES, info }
    const server = await startServer({ options }, { ...world, log, instead: { pool: idlePool() } })
    await server.close()
    assert.equal(places, [place])
  }
})
Place.run()
