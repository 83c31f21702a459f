import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Fault } from '../../faults/faulty-store.ts'
import { numberGiven, seedGiven } from '../../number-given.ts'
import { suite } from '../../suite.ts'
import type { StoreView } from '../shared-store.ts'
import { assertAnswers, assertAttempts, assertCounts, assertQuiet, changesOf } from './laws.ts'
import { type AccountNode, AccountWorld, NAMES, TITLES, type Title } from './world.ts'

/** `SCRIPTS=10000 node dist/test/interleavings/keyshare/keyshare.test.js` plays that many scripts, `SEED=...` repeats a run; `SHRINK=no` prints a
 *  failing script without shortening it. */
const [SCRIPTS, SEED] = [numberGiven('SCRIPTS', 80), seedGiven('SEED', 2 ** 31)]
const { SHRINK } = process.env

type Action = (world: AccountWorld) => void | Promise<void>
type Script = readonly (readonly string[])[]

const WEIGHTS: Partial<Record<Title, number>> = {
  'the right PIN': 4,
  'a request for commitments': 6,
  'a request for a response': 10,
}

const letGo = (view: StoreView, which: 'first' | 'last'): void => {
  const [go] = which === 'first' ? view.waiting.splice(0, 1) : view.waiting.splice(-1, 1)
  go?.()
}

const letAllGo = (view: StoreView): void => {
  view.isHeld = false
  for (const go of view.waiting.splice(0)) go()
}

function actionsOf(name: (typeof NAMES)[number]): readonly (readonly [string, number, Action])[] {
  const on =
    (act: (view: StoreView) => void, after: (node: AccountNode) => void = () => {}): Action =>
    world => {
      const node = world.nodes.get(name)
      if (!node || node.view.fate === 'gone') return
      world.disturb(node.view)
      act(node.view)
      after(node)
    }
  const fault = (fault: Fault): Action => on(view => void view.faults.push(fault))
  const told: readonly (readonly [string, number, Action])[] = [
    ['the next commit fails', 1, fault('fails')],
    ['the next commit meets a newer version', 1, fault('loses')],
    ['the next commit is made, but reports an error', 1, fault('unknown')],
    ['the store does not answer', 4, on(view => void Object.assign(view, { isHeld: true }))],
    ['the store answers the oldest request', 5, on(view => letGo(view, 'first'))],
    ['the store answers the newest request', 5, on(view => letGo(view, 'last'))],
    ['the store answers all requests again', 2, on(letAllGo)],
    [
      'the process is killed',
      1,
      on(
        view => void Object.assign(view, { fate: 'gone' }),
        node => node.cut(),
      ),
    ],
    ['the process starts again', 2, world => startAgain(world, name)],
  ]
  return [
    ...TITLES.map(
      title => [title, WEIGHTS[title] ?? 3, (world: AccountWorld) => world.ask(name, title)] as const,
    ),
    ...told,
  ].map(([title, weight, act]) => [`${name}: ${title}`, weight, act])
}

async function startAgain(world: AccountWorld, name: (typeof NAMES)[number]): Promise<void> {
  if (world.nodes.get(name)?.view.fate === 'works') return
  world.disturbedAt = world.clock.now()
  await world.start(name)
}

const TIMES: readonly (readonly [string, number, Action])[] = [
  ['1 s passes', 2, world => world.elapse(1_000)],
  ['21 s pass', 2, world => world.elapse(21_000)],
  ['a minute passes', 3, world => world.elapse(60_000)],
]
const ACTIONS = new Map(
  [...NAMES.flatMap(actionsOf), ...TIMES].map(([title, weight, act]) => [title, { weight, act }]),
)

const action = fc.oneof(
  ...[...ACTIONS].map(([title, { weight }]) => ({ weight, arbitrary: fc.constant(title) })),
)
const scripts: fc.Arbitrary<Script> = fc.array(fc.array(action, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 12,
})

async function play(script: Script): Promise<AccountWorld> {
  const world = new AccountWorld()
  for (const name of NAMES) await world.start(name)
  await world.register()
  const judged = new Set<unknown>()
  let commits = 1
  const look = async (): Promise<void> => {
    await world.elapse(0)
    assertAttempts(world, commits)
    commits = world.history.length
    const answered = world.calls.filter(call => call.answer !== null && !judged.has(call))
    for (const call of answered) judged.add(call)
    assertAnswers(world, answered)
    assertCounts(world)
    assertQuiet(world)
  }
  for (const moment of script) {
    for (const title of moment) await ACTIONS.get(title)?.act(world)
    await look()
  }
  await end(world, look)
  return world
}

/** Ends all faults. After the block, the right PIN opens the account at both nodes, and one of two concurrent requests is answered. */
async function end(world: AccountWorld, look: () => Promise<void>): Promise<void> {
  for (const { view } of world.nodes.values()) {
    world.disturb(view)
    view.faults.length = 0
    letAllGo(view)
  }
  for (const name of NAMES) await startAgain(world, name)
  await look()
  await world.elapse(Math.max(30_000, (world.history.at(-1)?.row?.blockedUntil ?? 0) - world.clock.now()))
  for (const title of ['the right PIN', 'a request for commitments', 'a request for a response'] as const) {
    const first = world.calls.length
    for (const name of NAMES) world.ask(name, title)
    await look()
    const shown = world.calls.slice(first).map(({ answer }) => Object(answer).status)
    assert.equal([...shown].sort(), title === 'a request for a response' ? [200, 409] : [200, 200], title)
  }
}

const Accounts = suite('random interleavings of two keyshare servers and several apps')

Accounts('attempts are counted, and each commitment gets one response, in any interleaving', async () => {
  let [blocks, responses, kills] = [0, 0, 0]
  const property = fc.asyncProperty(scripts, async script => {
    const world = await play(script)
    if (changesOf(world).some(({ row }) => row.attempts >= 3)) blocks += 1
    if (
      world.calls.filter(({ title, answer }) => title.endsWith('response') && Object(answer).status === 200)
        .length > 1
    )
      responses += 1
    if (world.calls.some(({ answer }) => answer === 'cut')) kills += 1
  })
  const outcome = await fc.check(property, {
    numRuns: SCRIPTS,
    seed: SEED,
    endOnFailure: SHRINK === 'no',
  })
  const [script] = outcome.counterexample ?? []
  const { errorInstance: cause } = outcome
  const why = cause instanceof Error ? cause.message : String(cause)
  const shown = JSON.stringify(script, null, 1)
  if (script) throw new Error(`SEED=${SEED} SCRIPTS=${SCRIPTS}: ${why}, in the script ${shown}`, { cause })
  const met = `seed ${SEED}: ${blocks} scripts with a block, ${responses} with several responses, ${kills} with a call that is cut`
  if (SCRIPTS > 80) console.log(met)
  if (SCRIPTS < 80) return
  assert.ok(blocks > 0 && responses > 0 && kills > 0, met)
})

Accounts.run()
