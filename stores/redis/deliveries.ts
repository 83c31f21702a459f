/** Deliveries in a Redis server: each one is a hash. Sorted sets with the due times find the due ones, of all hosts and of each host. @module */
import type { DeliveryParty, DeliveryRow, DeliveryStore, ListedDelivery } from '../delivery-store.ts'
import type { RowChange } from '../store.ts'
import {
  DELIVERY_FIELDS,
  deliveryFields,
  deliveryRow,
  listedDelivery,
  readableDelivery,
} from './delivery-fields.ts'
import { type Keys, keptMs } from './keys.ts'
import { idsIn, pairsIn, type RedisPart, textsIn } from './part.ts'
import { type Change, type Command, isNew, isOfVersion } from './transaction.ts'

/** KEYS: due deliveries of a host, all due deliveries, all deliveries, and those in progress. ARGV: the time, the maximum number of ids, and the
 *  prefix of delivery keys. An id whose row has expired is removed from the sets, or each search would find it again. */
const DUE_OF = `local found = {}
for _, id in ipairs(redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1], 'limit', 0, ARGV[2])) do
  if redis.call('exists', ARGV[3] .. id) == 1 then found[#found + 1] = id
  else
    for i = 1, 3 do redis.call('zrem', KEYS[i], id) end
    redis.call('srem', KEYS[4], id)
  end
end
return found`

/** KEYS: hosts. ARGV: the time, the maximum number of hosts, and the prefix of host keys. A host without deliveries is removed from the set. */
const DUE_HOSTS = `local found = {}
for _, host in ipairs(redis.call('smembers', KEYS[1])) do
  if #found == tonumber(ARGV[2]) then break end
  local first = redis.call('zrange', ARGV[3] .. host, 0, 0, 'withscores')
  if #first == 0 then redis.call('srem', KEYS[1], host)
  elseif tonumber(first[2]) <= tonumber(ARGV[1]) then found[#found + 1] = host end
end
return found`

export class RedisDeliveries implements DeliveryStore {
  readonly #part: RedisPart
  readonly #keys: Keys

  constructor(part: RedisPart) {
    this.#part = part
    this.#keys = part.keys
  }

  async load(id: string): Promise<DeliveryRow | null> {
    return deliveryRow(await this.#fields(id))
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    const { dueDeliveries, deliveries, sending, delivery } = this.#keys
    const sets = [this.#keys.host + host, dueDeliveries, deliveries, sending]
    const words = [String(sets.length), ...sets, String(at), String(limit), delivery]
    return idsIn(await this.#part.read(['EVAL', DUE_OF, ...words]))
  }

  async nextDueAfter(at: number): Promise<number | null> {
    const words = [`(${at}`, '+inf', 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES']
    const [first] = pairsIn(await this.#part.read(['ZRANGE', this.#keys.dueDeliveries, ...words]))
    return first?.[1] ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    const { hosts, host } = this.#keys
    return idsIn(await this.#part.read(['EVAL', DUE_HOSTS, '1', hosts, String(at), String(limit), host]))
  }

  async sending(): Promise<readonly string[]> {
    return idsIn(await this.#part.read(['SMEMBERS', this.#keys.sending]))
  }

  async list(): Promise<readonly DeliveryRow[]> {
    const ids = idsIn(await this.#part.read(['ZRANGE', this.#keys.deliveries, '0', '-1']))
    const rows = await Promise.all(ids.map(async id => readableDelivery(await this.#fields(id))))
    return rows.filter(row => row !== null)
  }

  async count(): Promise<number> {
    return Number(await this.#part.read(['ZCARD', this.#keys.deliveries]))
  }

  async countOwed(by: DeliveryParty, limit: number): Promise<number> {
    const counted = ['ZCOUNT', this.#keys.owed(by), `(${this.#part.now()}`, '+inf']
    return Math.min(limit, Number(await this.#part.read(counted)))
  }

  async newest(limit: number): Promise<readonly ListedDelivery[]> {
    const last = ['ZRANGE', this.#keys.deliveries, '0', String(limit - 1), 'REV']
    const listed = idsIn(await this.#part.read(last)).map(async id =>
      listedDelivery(await this.#fields(id, ['v', 'row'])),
    )
    return (await Promise.all(listed)).filter(row => row !== null)
  }

  /** The checks and writes of a commit that changes the row.
   *  @returns null: another version is stored */
  async setting({ id, version, row }: RowChange<DeliveryRow>): Promise<Change | null> {
    if (version === 0) return null // another commit inserts the delivery
    const checks = [isOfVersion(this.#keys.delivery + id, version)]
    return row === null ? this.#deleting(id, checks) : { checks, writes: this.#writing(row) }
  }

  /** The checks and writes of a commit that inserts the delivery. */
  inserting(row: DeliveryRow): Change {
    const { deliveries, delivery } = this.#keys
    return {
      checks: [isNew(delivery + row.id)],
      writes: [...this.#writing(row), ['zadd', deliveries, this.#part.nextNumber(), row.id]],
    }
  }

  #writing(row: DeliveryRow): readonly Command[] {
    const { id, dueAt, host, state, message } = row
    const { dueDeliveries, hosts, sending } = this.#keys
    const key = this.#keys.delivery + id
    return [
      ['hset', key, ...deliveryFields(row)],
      ...(message === null ? [['hdel', key, 'message']] : []),
      ...[dueDeliveries, this.#keys.host + host].map(set => ['zadd', set, String(dueAt), id]),
      ['sadd', hosts, host],
      [state === 'sending' ? 'sadd' : 'srem', sending, id],
      ...this.#counting(row),
      ['pexpire', key, keptMs(dueAt, this.#part.now())],
    ]
  }

  /** Removes expired rows from the sets whenever a row is added to or removed from them. */
  #counting(row: DeliveryRow): readonly Command[] {
    const { id, dueAt } = row
    const now = this.#part.now()
    const forgottenAt = String(now + Number(keptMs(dueAt, now)))
    const hasEnded = row.state === 'delivered' || row.state === 'givenUp'
    return this.#owedSets(row).flatMap(set => [
      hasEnded ? ['zrem', set, id] : ['zadd', set, forgottenAt, id],
      ['zremrangebyscore', set, '-inf', String(now)],
    ])
  }

  #owedSets({ host, requestor }: DeliveryRow): readonly string[] {
    return [{ host }, ...(requestor === null ? [] : [{ requestor }])].map(by => this.#keys.owed(by))
  }

  async #deleting(id: string, checks: Change['checks']): Promise<Change | null> {
    const row = await this.load(id)
    if (row === null) return null
    const { deliveries, dueDeliveries, sending } = this.#keys
    const sets = [deliveries, dueDeliveries, this.#keys.host + row.host, ...this.#owedSets(row)]
    const removals = sets.map(set => ['zrem', set, id])
    return { checks, writes: [['del', this.#keys.delivery + id], ...removals, ['srem', sending, id]] }
  }

  async #fields(
    id: string,
    fields: readonly string[] = DELIVERY_FIELDS,
  ): Promise<readonly (string | null)[]> {
    return textsIn(await this.#part.read(['HMGET', this.#keys.delivery + id, ...fields]))
  }
}
