/** Paths that a viewer asked to keep: their first step, their content, and their end. */
import * as assert from 'uvu/assert'
import { Inspection } from '../../actors/inspection/inspection.ts'
import type { KeptPath } from '../../actors/inspection/kept-paths.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { suite } from '../suite.ts'
import { columnsOf, createTestNode, elapse, idOf, MINUTE, newSessionOf } from './node.ts'

const failing = (error: unknown): never => {
  throw error
}

async function twoSessions() {
  const inspection = new Inspection(failing)
  const node = createTestNode({ inspection })
  for (const name of ['s', 'other']) await node.open(name, { hasCallback: false })
  return { inspection, node }
}

/** Asks for the path of `s`. The work is done while the state of `s` is read; that read returns the state before the work. */
async function keepPathDuring(
  inspection: Inspection,
  work: () => Promise<unknown>,
): Promise<KeptPath | null> {
  const before = await inspection.find(idOf('s'))
  inspection.find = async () => {
    await work()
    return before
  }
  return inspection.keepPath(idOf('s'))
}

function eventsIn(path: KeptPath | null): readonly string[] | undefined {
  return path?.steps.map(({ event }) => event.type)
}

const Paths = suite('paths that are kept')

Paths('a step that is committed while the beginning of a path is read is in the path, once', async () => {
  for (const isOld of [true, false]) {
    const store = createMemoryStore()
    const inspection = new Inspection(failing)
    const node = createTestNode({ store, inspection })
    await node.open('s', { hasCallback: false })
    const before = await inspection.find(idOf('s'))
    const find = inspection.find.bind(inspection)
    inspection.find = async id => {
      await node.connect()
      return isOld ? before : find(id)
    }
    const path = await inspection.keepPath(idOf('s'))
    assert.equal(
      [path?.first.version, path?.steps.map(({ event }) => event.type)],
      isOld ? [1, ['app.connected']] : [2, []],
    )
  }
})

Paths('a step of another actor that is committed meanwhile is in its own path once', async () => {
  const { inspection, node } = await twoSessions()
  await inspection.keepPath(idOf('other'))
  await keepPathDuring(inspection, () => node.connect('other'))
  assert.equal(
    ['s', 'other'].map(name => eventsIn(inspection.pathOf(idOf(name)))),
    [[], ['app.connected']],
  )
})

Paths(
  'an actor that is forgotten while the beginning of its path is read has its end in the path',
  async () => {
    const { inspection, node } = await twoSessions()
    await node.turn({ type: 'cancelled' })
    const path = await keepPathDuring(inspection, () => elapse(node.clock, 6 * MINUTE))
    assert.equal([path?.first.status, path?.steps.map(({ actor }) => actor)], ['CANCELLED', [null]])
  },
)

Paths('a second request for a path gets the same kept path, with each step once', async () => {
  const { inspection, node } = await twoSessions()
  const path = await inspection.keepPath(idOf('s'))
  const again = await keepPathDuring(inspection, () => node.connect())
  assert.is(again, path)
  assert.equal(eventsIn(path), ['app.connected'])
})

Paths('a second request for a path after its actor was forgotten returns null', async () => {
  const { inspection, node } = await twoSessions()
  await inspection.keepPath(idOf('s'))
  await node.turn({ type: 'cancelled' })
  await elapse(node.clock, 6 * MINUTE)
  assert.is(await inspection.keepPath(idOf('s')), null)
  assert.is(inspection.pathOf(idOf('s'))?.steps.length, 2)
})

Paths('the 33rd path replaces the oldest one', async () => {
  const inspection = new Inspection(failing)
  const node = createTestNode({ inspection })
  for (let i = 0; i < 33; i++) {
    await node.sessions.open({ ...newSessionOf(`${i}`), columns: columnsOf(`${i}`) })
    await inspection.keepPath(idOf(`${i}`))
  }
  await inspection.keepPath(idOf('32'))
  assert.is(inspection.paths.length, 32)
  assert.equal([inspection.pathOf(idOf('0')), inspection.paths[0]?.first.id], [null, idOf('1')])
})

Paths('a path ends after 500 steps, and its end is marked', async () => {
  const inspection = new Inspection(failing)
  const node = createTestNode({ inspection })
  await node.open('s', { hasCallback: false })
  await inspection.keepPath(idOf('s'))
  const choose = (): Promise<string> => node.turn({ type: 'frontend.chose', method: 'pin' })
  for (let i = 0; i < 500; i++) await choose()
  assert.equal(
    [inspection.pathOf(idOf('s'))?.steps.length, inspection.pathOf(idOf('s'))?.isCut],
    [500, false],
  )
  for (let i = 0; i < 2; i++) await choose()
  assert.equal([inspection.pathOf(idOf('s'))?.steps.length, inspection.pathOf(idOf('s'))?.isCut], [500, true])
})
Paths.run()
