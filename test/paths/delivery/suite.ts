/** The paths of the delivery chart as tests, the same ones for every store. @module */
import type { StampedDeliveryEvent } from '../../../machines/delivery.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { suite } from '../../suite.ts'
import { Coverage } from '../engine/coverage.ts'
import { planOf } from '../engine/plan.ts'
import { DELIVERY_MODEL, type DeliveryVariant } from './delivery-paths.ts'
import { newWorld, playDelivery, type World } from './player.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** Runs all paths.
 *  @param name of the store, as in the lines of coverage */
export function runDeliveryPaths(name: string, openStore: () => Promise<SessionServerStore>): void {
  const Paths = suite(`paths of the delivery chart over HTTP on ${name}`)
  const plan = planOf(DELIVERY_MODEL)
  const coverage = new Coverage<StampedDeliveryEvent, DeliveryVariant>(plan, `over HTTP on ${name}`)
  let receiver: Receiver
  let world: World
  Paths.before(async () => {
    receiver = await startReceiver()
    world = newWorld(await openStore(), receiver)
  })
  Paths.after(async () => {
    receiver.close()
    await world.store.close()
  })
  for (const path of plan.paths) Paths(path.title, () => playDelivery(world, path, coverage.begin()))
  Paths('every edge, every refused event and every pair was walked', () => coverage.assertWhole())
  Paths.run()
}
