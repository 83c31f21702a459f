import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../ports/randomness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createNode } from '../../server/create-node.ts'
import type { World } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { AUTHORITY, BADGE } from '../actors/authority.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { FAILURES, idlePool, noNetwork, settingsOfTest } from './node-of-test.ts'

const Node = suite('createNode')
const world: World = {
  ...{ clock: createSimulatedClock(1_000_000), random: systemRandomness, fetch: noNetwork, log: FAILURES },
  instead: { pool: idlePool() },
}

Node('a part that fails to start closes those before it', async () => {
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
  const { close } = await createNode(settings, world) // the file is free
  await close()
})

Node('what a test puts in place of a part is its own to close', async () => {
  const closed: string[] = []
  const store = Object.assign(createMemoryStore(), { close: async () => void closed.push('store') })
  const pool = { ...idlePool(), close: async () => void closed.push('pool') }
  const node = await createNode(settingsOfTest({}), { ...world, instead: { store, pool } })
  assert.is(node.store, store)
  await node.close()
  assert.equal(closed, [])
})

Node(
  'a node whose store another process has taken over closes, unless its world says otherwise',
  async () => {
    for (const said of [undefined, () => {}]) {
      const file = join(temporaryFolder(), 'a.db')
      const clock = createSimulatedClock(1_000_000)
      const node = await createNode(settingsOfTest({ store: `sqlite:${file}` }), {
        ...{ ...world, clock, log: { ...FAILURES, error() {} } },
        ...(said && { lost: said }),
      })
      rmSync(`${file}-wal`)
      const lost = rejection(node.store.sessions.dropAnswers(0)) // a commit
      assert.match(await lost, /^StoreLost: /)
      await new Promise(setImmediate)
      const turn = node.sessions.turn('none', () => null).then(JSON.stringify, ({ message }) => message)
      assert.is(await turn, said ? '{"refused":"unknown"}' : 'this server is closing')
      await node.close()
    }
  },
)

Node('has a listener for clients if the settings say a port for it', async () => {
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
