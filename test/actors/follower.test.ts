/** The part of a follower that needs no server: how long one that failed is spared. @module */
import * as assert from 'uvu/assert'
import { Follower } from '../../actors/revocation/follower.ts'
import { KnownAccumulators } from '../../actors/revocation/known.ts'
import { OutgoingFailure } from '../../ports/outgoing.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { BADGE } from './authority.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const fails = (): Promise<never> => Promise.reject(new OutgoingFailure('no connection'))

const Failing = suite('a follower of a server that fails')

for (const hours of [-2, 0, 2])
  Failing(`spares it for 10 s, also when the clock is set by ${hours} hours meanwhile`, async () => {
    const clock = createSimulatedClock(1_780_000_000_000)
    const follower = new Follower({
      known: new KnownAccumulators(BADGE, { store: createMemoryStore(), schemes }),
      clock,
      outgoing: { getBytes: fails, postBytes: fails },
      listenTo: async function* () {},
      pool: { issueWitness: fails },
      servers: ['https://authority.example'],
      updateCount: 1,
      isServer: false,
      stop: new AbortController().signal,
      report: () => {},
      worked: () => {},
    })
    await follower.refresh()
    clock.setWall(hours * 3_600_000)
    clock.advance(9_999)
    assert.ok(follower.hasJustFailed())
    clock.advance(1)
    assert.not.ok(follower.hasJustFailed())
  })

Failing.run()
