/** The shared time of all nodes: the clock of the process plus its distance to the store's time. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createSharedClock } from '../../../stores/time/shared-clock.ts'
import { suite } from '../../suite.ts'

const START = Date.UTC(2026, 10, 22)

/** A process whose clock is 5 s slower than that of its store. */
function setUp() {
  const store = { ms: 5_000 }
  const own = createSimulatedClock(START)
  return { store, own, shared: createSharedClock(own, { aheadMs: () => store.ms }) }
}

const Shared = suite('shared clock')

Shared('returns the time of the store, in whole milliseconds', () => {
  const { store, own, shared } = setUp()
  assert.is(shared.now(), START + 5_000)
  own.advance(70)
  store.ms = 5_000.4
  assert.is(shared.now(), START + 5_070)
})

Shared('timers and the system clock are those of the process', () => {
  const { own, shared } = setUp()
  const fired: number[] = []
  shared.setTimeout(() => fired.push(own.now()), 100)
  shared.clearTimeout(shared.setTimeout(() => fired.push(-1), 50))
  own.setWall(-700)
  own.advance(200)
  assert.equal([fired, shared.wallNow()], [[START + 100], START - 500])
})

Shared('stops while the store is behind the last returned time, and continues when it has caught up', () => {
  const { store, own, shared } = setUp()
  assert.is(shared.now(), START + 5_000)
  store.ms = -5_000
  assert.is(shared.now(), START + 5_000)
  own.advance(9_999)
  assert.is(shared.now(), START + 5_000)
  own.advance(2)
  assert.is(shared.now(), START + 5_001)
})

Shared('follows the store forward at once', () => {
  const { store, shared } = setUp()
  shared.now()
  store.ms = 3_600_000
  assert.is(shared.now(), START + 3_600_000)
})

Shared(
  'follows a store that was set back by more than ten seconds, because new nodes use its time too',
  () => {
    const { store, own, shared } = setUp()
    shared.now()
    store.ms = -5_001
    assert.is(shared.now(), START - 5_001)
    own.advance(1)
    assert.is(shared.now(), START - 5_000)
  },
)

Shared.run()
