/** The paths of the session chart as tests, the same ones for every store. @module */
import type { StampedEvent } from '../../../machines/session-events.ts'
import { deferred } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { Coverage } from '../engine/coverage.ts'
import { planOf } from '../engine/plan.ts'
import { SESSION_MODEL, type SessionVariant } from '../session-paths.ts'
import { type Play, type PlayerParts, withPlayer } from './player.ts'

/** Runs all paths.
 *  @param store as in the lines of coverage
 *  @param close closes the parts of the place that a server does not close */
export function runSessionPaths(store: string, place: PlayerParts, close = async () => {}): void {
  const Paths = suite(`paths of the session chart over HTTP on ${store}`)
  const plan = planOf(SESSION_MODEL)
  const coverage = new Coverage<StampedEvent, SessionVariant>(plan, `over HTTP on ${store}`)
  const [isStarted, isOver] = [deferred<Play>(), deferred()]
  let isClosed: Promise<void>
  Paths.before(async () => {
    isClosed = withPlayer(place, play => {
      isStarted.resolve(play)
      return isOver.promise
    })
    await isStarted.promise
  })
  Paths.after(async () => {
    isOver.resolve()
    await isClosed
    await close()
  })
  for (const path of plan.paths)
    Paths(path.title, async () => (await isStarted.promise)(path, coverage.begin()))
  Paths('every edge, every refused event and every pair was walked', () => coverage.assertWhole())
  Paths.run()
}
