/** The paths of the session chart on Redis; the player waits for its answers. @module */
import { isMissing } from '../../project.ts'
import { ENGINES, startRedis } from '../../redis.ts'
import { openRedis } from '../../stores/redis/open.ts'
import { watchedOnClock } from '../until.ts'
import { runSessionPaths } from './suite.ts'

if (!isMissing('Redis', ENGINES.Redis !== null)) {
  const store = await openRedis(await startRedis('Redis'))
  runSessionPaths('Redis', { store: watchedOnClock(store) }, () => store.close())
}
