/** The paths of the delivery chart on Redis; the player waits for its answers. @module */
import { isMissing } from '../../project.ts'
import { ENGINES, startRedis } from '../../redis.ts'
import { openRedis } from '../../stores/redis/open.ts'
import { watchedOnClock } from '../until.ts'
import { runDeliveryPaths } from './suite.ts'

if (!isMissing('Redis', ENGINES.Redis !== null))
  runDeliveryPaths('Redis', async () => watchedOnClock(await openRedis(await startRedis('Redis'))))
