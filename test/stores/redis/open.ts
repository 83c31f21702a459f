/** Opens a store on a Redis server for a test. @module */
import { createSystemClock } from '../../../ports/clock.ts'
import { NO_REDIS_OPTIONS, type RedisOptions } from '../../../stores/redis/address.ts'
import { type OpenRedisOptions, openRedisStore } from '../../../stores/redis/open-redis.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import type { RedisServer } from '../../redis.ts'

type RedisStoreOptions = Partial<Omit<OpenRedisOptions, 'redis'>> & {
  readonly redis?: Partial<RedisOptions>
  readonly bootId?: string
}

export function openRedis(
  { address }: Pick<RedisServer, 'address'>,
  { bootId = 'boot A', redis, ...given }: RedisStoreOptions = {},
): Promise<SessionServerStore> {
  return openRedisStore(address, bootId, {
    clock: createSystemClock(),
    tell: { failing() {}, working() {} },
    warn() {},
    isAuthority: false,
    ...given,
    redis: { ...NO_REDIS_OPTIONS, ...redis },
  })
}
