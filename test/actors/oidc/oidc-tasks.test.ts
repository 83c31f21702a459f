/** The periodic work of an OpenID provider: nodes see rotated keys within seconds, and expired records are deleted. @module */
import * as assert from 'uvu/assert'
import { type KeyRing, openKeyRing } from '../../../actors/oidc/key-ring.ts'
import { startOidcTasks } from '../../../actors/oidc/oidc-tasks.ts'
import type { OidcRecordsStore } from '../../../actors/oidc/records.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'
import { elapse } from '../node.ts'
import { keyMaker, recordsOn, SEALING } from './nodes.ts'

const DAY = 24 * 3_600_000
const TIMES = { signsMs: DAY, publishedMs: 3_600_000, tokenMs: 3_600_000 }

const makeKey = keyMaker()

async function startNode(store: OidcRecordsStore, clock: SimulatedClock) {
  const failures: string[] = []
  const records = recordsOn(store, clock)
  const keyRing = await openKeyRing({
    ...SEALING,
    store,
    clock,
    algorithms: ['ES256'],
    times: TIMES,
    makeKey,
  })
  const report = (task: string, error: unknown): void => void failures.push(`${task}: ${error}`)
  return {
    records,
    keyRing,
    failures,
    stop: startOidcTasks({ records, keyRing, countTimeouts: async () => {}, clock, report }),
  }
}

function kidsOf(keyRing: KeyRing): readonly string[] {
  return keyRing.signingKeys().map(({ kid }) => kid)
}

const Tasks = suite('periodic work of an OpenID provider')

Tasks(
  'keys are rotated when they are due, without a restart, and both nodes sign with the same key',
  async () => {
    const [clock, store] = [createSimulatedClock(1_780_000_000_000), createMemoryStore()]
    const [a, b] = [await startNode(store, clock), await startNode(store, clock)]
    const [first, second] = kidsOf(a.keyRing)
    await elapse(clock, DAY - 4_000)
    assert.equal(kidsOf(b.keyRing), [first, second])
    await elapse(clock, 4_000)
    await elapse(clock, 2_000)
    for (const { keyRing } of [a, b]) {
      const [current, next, former] = kidsOf(keyRing)
      assert.equal([current, former], [second, first])
      assert.is(next, kidsOf(a.keyRing)[1])
    }
    assert.equal([...a.failures, ...b.failures], [])
    await Promise.all([a.stop(), b.stop()])
  },
)

Tasks('records are deleted within seconds of their expiry, and the work ends with the node', async () => {
  const [clock, store] = [createSimulatedClock(1_780_000_000_000), createMemoryStore()]
  const { records, stop } = await startNode(store, clock)
  await records.adapterFor('AccessToken').upsert('t', {}, 60)
  await elapse(clock, 59_000)
  assert.is(await store.oidc.count(), 2)
  await elapse(clock, 11_000)
  assert.is(await store.oidc.count(), 1)
  await stop()
  assert.is(clock.nextTimerAt(), null)
})

Tasks('a failure of the store is reported, and the next round works', async () => {
  const [clock, inner] = [createSimulatedClock(1_780_000_000_000), createMemoryStore()]
  let isFailing = false
  const failing = async (): Promise<never> => {
    throw new Error('gone')
  }
  const store: OidcRecordsStore = {
    commit: commit => inner.commit(commit),
    oidc: {
      find: (...name) => (isFailing ? failing() : inner.oidc.find(...name)),
      findByUid: (...name) => inner.oidc.findByUid(...name),
      dropExpired: (...until) => (isFailing ? failing() : inner.oidc.dropExpired(...until)),
      count: () => inner.oidc.count(),
    },
  }
  const { records, failures, stop } = await startNode(store, clock)
  await records.adapterFor('AccessToken').upsert('t', {}, 1)
  isFailing = true
  await elapse(clock, 10_000)
  isFailing = false
  assert.equal([...new Set(failures)].sort(), [
    'delete expired records: Error: gone',
    'refresh signing keys: Error: gone',
  ])
  assert.is(await inner.oidc.count(), 2)
  await elapse(clock, 10_000)
  assert.equal([await inner.oidc.count(), failures.length], [1, 6])
  await stop()
})

Tasks.run()
