/** The paths of the keyshare login chart as tests, the same ones for every store. @module */
import type { AccountsStore } from '../../../stores/store.ts'
import { deferred } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { Coverage } from '../engine/coverage.ts'
import { loginPlan } from './plan.ts'
import { playPath } from './player.ts'
import { type LoginServer, withLoginServer } from './server.ts'

/** Runs all paths.
 *  @param name of the store, as in the lines of coverage */
export function runLoginPaths(name: string, open: () => Promise<AccountsStore>, isSkipped = false): void {
  const Paths = suite(`paths of the keyshare login chart over HTTP on ${name}`)
  const coverage = new Coverage(loginPlan, `over HTTP on ${name}`)
  const [isStarted, isOver] = [deferred<LoginServer>(), deferred()]
  let isClosed: Promise<void>
  const test = isSkipped ? Paths.skip : Paths
  if (!isSkipped) {
    Paths.before(async () => {
      const store = await open()
      isClosed = withLoginServer(store, server => {
        isStarted.resolve(server)
        return isOver.promise
      }).finally(() => store.close())
      await isStarted.promise
    })
    Paths.after(() => {
      isOver.resolve()
      return isClosed
    })
  }
  for (const path of loginPlan.paths)
    test(path.title, async () => playPath(await isStarted.promise, path, coverage.begin()))
  test('every edge, every refused event and every pair was walked', () => coverage.assertWhole())
  Paths.run()
}
