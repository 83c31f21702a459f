/** The possible events of a script. The key of each is the sentence that stands for it in scripts. @module */

import type { EffectOutcome } from '../../actors/effects/effects.ts'
import { MalformedInputError } from '../../protocol/errors.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import { answerOf, newSessionOf } from '../actors/node.ts'
import type { Fault } from '../faults/faulty-store.ts'
import { ASKS, STREAMS } from './asks.ts'
import { workOf } from './commit-laws.ts'
import type { PlayedNode } from './played-node.ts'
import { type End, NAMES, type NodeName, type StartedWork, type World } from './world.ts'

export type Action = { readonly weight: number; readonly act: (world: World) => void | Promise<void> }

const WEIGHTS: Readonly<Record<string, number>> = {
  'the app connects': 6,
  'the app submits one': 14,
  'the app submits two': 4,
  'the frontend turns pairing on': 2,
  'the frontend completes pairing': 4,
  'the app fetches the request': 4,
}
const FAILED = cancelledBy(new MalformedInputError('the work fails'), false)

/** The outcome of an effect. */
function outcomeOf({ effect, claim }: StartedWork, end: 'valid' | 'invalid', world: World): EffectOutcome {
  const proofStatus = end === 'valid' ? 'VALID' : 'INVALID'
  const isFollowed = end === 'valid' && world.kind.hasNextSession && effect !== 'check'
  const event = {
    check: { type: 'server.checked', isValid: end === 'valid' } as const,
    askNext: { type: 'server.askedNext' } as const,
    sign: { type: 'server.signed' } as const,
  }[effect]
  return {
    event,
    progress: `${effect} is done`,
    columns: { result: restoreOutcome(JSON.stringify({ proofStatus })) },
    answer: answerOf(JSON.stringify({ proofStatus, claim })),
    ...(isFollowed && { opens: newSessionOf(`after ${claim}`, { hasCallback: false }) }),
  }
}

/** Ends the oldest or the newest work that is in progress. */
function endWork(world: World, which: 'first' | 'last', wanted: End): void {
  const going = world.works.filter(({ end, view }) => end === null && view.fate !== 'gone')
  const work = going.at(which === 'first' ? 0 : -1)
  if (!work) return
  // only the effect `check` can end with invalid proofs
  const end = wanted === 'invalid' && work.effect !== 'check' ? 'valid' : wanted
  Object.assign(work, { end, endedAt: world.clock.now() })
  if (end === 'dies') work.died(new Error('the worker died'))
  else if (end === 'fails') work.done({ event: { type: 'server.failed' }, ...FAILED })
  else work.done(outcomeOf(work, end, world))
}

const onNode =
  (name: NodeName, act: (node: PlayedNode, world: World) => void | Promise<void>): Action['act'] =>
  async world => {
    const node = world.nodes.get(name)
    if (!node || node.view.fate === 'gone') return
    world.disturb(node.view)
    await act(node, world)
  }

/** Releases one of the held reads and commits. */
function letGo({ view }: PlayedNode, which: 'first' | 'last'): void {
  const [go] = which === 'first' ? view.waiting.splice(0, 1) : view.waiting.splice(-1, 1)
  go?.()
}

export function letAllGo({ view }: PlayedNode): void {
  view.isHeld = false
  for (const go of view.waiting.splice(0)) go()
}

/** Kills the process: its work stops, and its connections break. */
function kill(node: PlayedNode): void {
  node.view.fate = 'gone'
  node.cut()
}

async function close(node: PlayedNode, world: World): Promise<void> {
  letAllGo(node)
  node.view.faults.length = 0
  let isClosed = false
  void node.node.close().then(() => {
    isClosed = true
  })
  for (await world.settle(); !isClosed; ) await world.elapse(1_000)
  kill(node)
}

async function startAgain(name: NodeName, world: World): Promise<void> {
  const node = world.nodes.get(name)
  if (node && node.view.fate === 'works') return
  if (node) kill(node)
  world.disturbedAt = world.clock.now()
  await world.start(name)
}

function nodeActions(name: NodeName): Readonly<Record<string, Action>> {
  const fault = (fault: Fault): Action => ({
    weight: 1,
    act: onNode(name, ({ view }) => void view.faults.push(fault)),
  })
  return {
    ...Object.fromEntries([
      ...Object.keys(ASKS).map(title => [
        `${name}: ${title}`,
        { weight: WEIGHTS[title] ?? 2, act: (world: World) => world.ask(name, title) },
      ]),
      ...Object.keys(STREAMS).map(title => [
        `${name}: ${title}`,
        { weight: 2, act: (world: World) => world.follow(name, title) },
      ]),
    ]),
    [`${name}: the next commit fails`]: fault('fails'),
    [`${name}: the next commit meets a newer version`]: fault('loses'),
    [`${name}: the next commit is made, but reports an error`]: fault('unknown'),
    [`${name}: the store does not answer`]: {
      weight: 4,
      act: onNode(name, ({ view }) => {
        view.isHeld = true
      }),
    },
    [`${name}: the store answers the oldest request`]: {
      weight: 5,
      act: onNode(name, node => letGo(node, 'first')),
    },
    [`${name}: the store answers the newest request`]: {
      weight: 5,
      act: onNode(name, node => letGo(node, 'last')),
    },
    [`${name}: the store answers all requests again`]: { weight: 2, act: onNode(name, letAllGo) },
    [`${name}: the process is killed`]: { weight: 2, act: onNode(name, kill) },
    [`${name}: the other nodes consider it dead`]: {
      weight: 1,
      act: onNode(name, ({ view }) => {
        view.fate = 'lost'
      }),
    },
    [`${name}: the process stops`]: { weight: 1, act: onNode(name, close) },
    [`${name}: the process starts again`]: { weight: 2, act: world => startAgain(name, world) },
  }
}

const elapse = (ms: number): Action => ({ weight: 2, act: world => world.elapse(ms) })

/** Advances the clock while no node runs. Later calls belong to another turn of the event loop: nodes cannot tell if a call of the same turn arrived before the pause. */
async function standStill(world: World): Promise<void> {
  world.clock.advance(31_000)
  for (const { view } of world.nodes.values()) world.disturb(view)
  await new Promise(resolve => setImmediate(resolve))
}

export const ACTIONS: Readonly<Record<string, Action>> = {
  ...nodeActions('A'),
  ...nodeActions('B'),
  'the oldest work succeeds': { weight: 16, act: world => endWork(world, 'first', 'valid') },
  'the newest work succeeds': { weight: 8, act: world => endWork(world, 'last', 'valid') },
  'the proofs are not valid': { weight: 1, act: world => endWork(world, 'last', 'invalid') },
  'the work fails': { weight: 1, act: world => endWork(world, 'last', 'fails') },
  'the worker dies': { weight: 2, act: world => endWork(world, 'first', 'dies') },
  'the receiver of callbacks fails': { weight: 2, act: world => void world.receiver.push(500) },
  'the receiver of callbacks does not answer': { weight: 2, act: world => void world.receiver.push(null) },
  '1 s passes': elapse(1_000),
  '10 s pass': elapse(10_000),
  '16 s pass': elapse(16_000),
  'a minute passes': { ...elapse(60_000), weight: 1 },
  'both processes pause for 31 s': { weight: 1, act: standStill },
}

/** Ends all waiting work with success, until none is left. */
export async function endAllWork(world: World): Promise<void> {
  for (const _ of workOf(world.kind)) {
    for (const _ of world.works) endWork(world, 'first', 'valid')
    await world.settle()
  }
}

/** Ends all faults: two working nodes remain. */
export async function calm(world: World): Promise<void> {
  for (const name of NAMES) {
    const node = world.nodes.get(name)
    if (node) {
      world.disturb(node.view)
      node.view.faults.length = 0
      letAllGo(node)
    }
    await startAgain(name, world)
  }
  world.receiver.length = 0
  await world.settle()
}
