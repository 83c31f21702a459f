/** When a server starts, it retries only the deliveries whose attempt was in progress in a process that is gone. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { commitSession } from '../stores/commits.ts'
import { sessionRow } from '../stores/rows.ts'
import { sharedBy } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { accepted, HOUR, owed, START, startWorld } from './delivering.ts'
import { deferred, elapse, settle } from './node.ts'

/** The columns of a delivery with an attempt in progress. */
const SENDING = { state: 'sending', attempts: 1, dueAt: START + 30_000 } as const

const Starting = suite('deliveries: at the start')

Starting(
  'deliveries that a dead process was sending are retried at the start; those of live processes, and changed ones, are not',
  async () => {
    const inner = createMemoryStore()
    const rows = [
      owed('dead', { ...SENDING, bootId: 'boot B' }),
      owed('alive', { ...SENDING, bootId: 'boot C' }),
      owed('waiting', { dueAt: START + HOUR }),
    ]
    await commitSession(inner, 'id-s', 0, sessionRow('s'), { owed: rows })
    const loaded: string[] = []
    const load = inner.deliveries.load.bind(inner.deliveries)
    Object.assign(inner.deliveries, {
      sending: async () => ['gone', 'waiting', 'alive', 'dead'],
      load(id: string) {
        loaded.push(id)
        return load(id)
      },
    })
    const store = sharedBy(inner, bootId => bootId === 'boot C')
    const world = startWorld(async ({ attempts }) => accepted(attempts), store)
    await settle(50)
    assert.equal([world.posted, world.reports], [[['dead', START]], []])
    const others = loaded.filter(id => id !== 'dead')
    assert.equal(others, ['gone', 'waiting', 'alive'], 'a turn would read it again')
    assert.is((await load('dead'))?.attempts, 2)
    await elapse(world.clock, 40_000)
    assert.equal(world.posted.length, 2, 'the lease of the dead process has elapsed')
  },
)

Starting(
  'of the deliveries that a dead process was sending to one host, 8 are sent at a time, too',
  async () => {
    const inner = createMemoryStore()
    const rows = Array.from({ length: 10 }, (_, i) => owed(`d${i}`, { ...SENDING, bootId: 'boot B' }))
    await commitSession(inner, 'id-s', 0, sessionRow('s'), { owed: rows })
    const answer = deferred()
    const world = startWorld(
      async ({ attempts }) => {
        await answer.promise
        return accepted(attempts)
      },
      sharedBy(inner, () => false),
    )
    await settle(50)
    assert.is(world.posted.length, 8)
    answer.resolve()
    await elapse(world.clock, 40_000)
    assert.is(world.posted.length, 10)
  },
)

Starting.run()
