/** The look at stored accumulators: listeners get the changes since the last look, and no others. @module */
import * as assert from 'uvu/assert'
import { KnownAccumulators } from '../../actors/revocation/known.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { RevocationStore } from '../../stores/revocation-store.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { eventRow, firstOf } from '../stores/revocation-suite.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { BADGE } from './authority.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)

/** Records the reports to the listener (key counter, indices of events), and counts the reads of events from the store. */
function looking() {
  const store = createMemoryStore()
  const asked = { times: 0 }
  const events: RevocationStore['events'] = (...range) => {
    asked.times++
    return store.revocation.events(...range)
  }
  const shared = withChanges(store, {
    nodes: { ...store.nodes, isShared: true },
    revocation: withRevocation(store, { events }),
  })
  const known = new KnownAccumulators(BADGE, { store: shared, schemes })
  const told: [number, readonly number[]][] = []
  const listener = ({ signed, events }: RevocationUpdate): void =>
    void told.push([signed.keyCounter, events.map(({ index }) => index)])
  known.served(null).follow(listener)
  return { store, known, told, asked }
}

const Looks = suite('looking at accumulators')

Looks(
  'the first look reports nothing, and the next one reports all events of a new accumulator',
  async () => {
    const { store, known, told } = looking()
    await store.commit({ accumulators: [firstOf()] })
    await known.look()
    assert.equal(told, [])
    const later = { ...firstOf({ keyCounter: 1, index: 1 }), events: [eventRow(0), eventRow(1)] }
    await store.commit({ accumulators: [later] })
    await known.look()
    await known.look()
    assert.equal(told, [[1, [0, 1]]])
  },
)

Looks('if no accumulator has changed, no events are read', async () => {
  const { store, known, asked } = looking()
  await store.commit({ accumulators: [firstOf()] })
  for (let look = 0; look < 3; look++) await known.look()
  assert.is(asked.times, 0)
})

Looks.run()
