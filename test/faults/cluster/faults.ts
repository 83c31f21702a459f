/** The faults of a running cluster, by a seed: nodes are killed and restarted, paused and resumed, and cut off from their store. @module */

import type { HistoryLine } from '../../history/lines.ts'
import { pause } from '../../patience.ts'
import type { ServerProcess } from '../server-process.ts'
import { oneOf } from './field.ts'
import type { Passage, StoreProxy } from './store-proxy.ts'

export type FaultyNode = {
  readonly name: string
  readonly process: ServerProcess
  /** null if the node reaches its store directly */
  readonly proxy: StoreProxy | null
}

type Deps = {
  readonly nodes: readonly FaultyNode[]
  readonly record: (line: HistoryLine) => void
  readonly random: () => number
  readonly isOver: () => boolean
  /** calls so far that were answered, not counting 503 */
  readonly answered: () => number
}

/** The longest duration of a rare fault: longer than the lease of a node. */
const LONG_MS = 20_000
const SELDOM = 0.1
const MOST_STARTS = 5
/** The least number of answers between two faults. On a slow machine faults are then as rare as answers, so that clients make progress. */
const ANSWERS_BETWEEN = 40
/** The time between two checks of that number. */
const LOOK_MS = 100
const CUTS: readonly [Passage, ...Passage[]] = ['cut', 'half-open', 'slow']

/** Runs until the end, and leaves every node well.
 *  @param calmMs longest time between two faults */
export async function causeFaults(deps: Deps, calmMs: number): Promise<void> {
  const { nodes, random, isOver, answered } = deps
  const under = new Map<string, Promise<void>>()
  let before = 0
  while (!isOver()) {
    await pause(calmMs * (0.2 + 0.8 * random()))
    while (!isOver() && answered() - before < ANSWERS_BETWEEN) await pause(LOOK_MS)
    before = answered()
    const idle = nodes.filter(({ name }) => !under.has(name))
    const node = idle[Math.floor(random() * idle.length)]
    if (!node || isOver()) continue
    const fault = oneFault(deps, node)
    under.set(
      node.name,
      fault.finally(() => under.delete(node.name)),
    )
  }
  await Promise.all(under.values())
}

async function oneFault({ record, random }: Deps, node: FaultyNode): Promise<void> {
  const { name, process, proxy } = node
  const note = (isWell: boolean, why: string): void =>
    record({ what: 'node', node: name, at: Date.now(), isWell, why })
  const lastsMs = random() < SELDOM ? LONG_MS * random() : 500 + 3_000 * random()
  const draw = random()
  if (draw < 0.4) {
    note(false, 'kill -9')
    await process.kill()
    await pause(lastsMs / 4)
    await startAgain(process)
  } else if (draw < 0.7 || proxy === null) {
    note(false, 'SIGSTOP')
    process.pause()
    await pause(lastsMs)
    process.resume()
  } else {
    const passage = oneOf(random, CUTS)
    note(false, `store ${passage}`)
    proxy.set(passage)
    await pause(lastsMs)
    proxy.set('open')
  }
  note(true, 'is well')
}

/** Restarts it as a supervisor would: a start needs the store, which may not answer in time. */
async function startAgain(process: ServerProcess): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await process.start()
    } catch (error) {
      if (attempt === MOST_STARTS) throw error
    }
}
