/** Sessions in a Redis server: each one is a hash. Sorted sets find the latest and the due ones. This node caches rows that it read or committed, but
 *  another node may have changed them since. So `load` always reads the stored row, except its fixed fields if they are known. `recent` does not ask
 *  the server; it is for a step whose commit compares the version. @module */
import { LRUCache } from 'lru-cache'
import { sessionDueAt } from '../../machines/session-snapshot.ts'
import { KeptSessions } from '../kept-sessions.ts'
import type { ListedSession, SessionId, SessionRow, SessionStore, StatusChange } from '../session-store.ts'
import type { Inserts, RowChange } from '../store.ts'
import { hashOfToken } from '../token-hash.ts'
import { type Keys, keptMs } from './keys.ts'
import { idsIn, pairsIn, type RedisPart, textsIn } from './part.ts'
import { changingFields, changingRow, fieldsOf, fixedFields, listedRow, wholeRow } from './session-fields.ts'
import { type Change, type Check, type Command, isNew, isOfVersion } from './transaction.ts'

/** The maximum number of rows whose fixed fields are in memory, and of characters in their requests. */
const MAX_ROWS = 1_000
const MAX_CHARACTERS = 32 * 2 ** 20
/** The maximum number of answers that are dropped at once. */
const FORGOTTEN = '1000'

/** KEYS: sets of due sessions, by chart version from 0 on. ARGV: the time, the maximum number of ids, the prefix of session keys, and the set of all
 *  sessions. An id is removed from a set if its row has another chart version or has expired. */
const DUE = `local found = {}
for number, set in ipairs(KEYS) do
  local due = redis.call('zrangebyscore', set, '-inf', ARGV[1], 'withscores', 'limit', 0, ARGV[2])
  for i = 1, #due, 2 do
    local chart = redis.call('hget', ARGV[3] .. due[i], 'chart')
    if chart == tostring(number - 1) then found[#found + 1] = due[i] found[#found + 1] = due[i + 1]
    else redis.call('zrem', set, due[i]) end
    if not chart then redis.call('zrem', ARGV[4], due[i]) end
  end
end
return found`

/** KEYS: ids by the time of their answer. ARGV: the time; the maximum number; the prefix of session keys. */
const FORGET = `local old = redis.call('zrangebyscore', KEYS[1], '-inf', '(' .. ARGV[1], 'limit', 0, ARGV[2])
for _, id in ipairs(old) do redis.call('hdel', ARGV[3] .. id, 'answer') redis.call('zrem', KEYS[1], id) end
return #old`

export class RedisSessions implements SessionStore {
  readonly #part: RedisPart
  readonly #keys: Keys
  /** earlier versions of rows, for their fixed fields */
  readonly #known = new LRUCache<SessionId, SessionRow>({
    max: MAX_ROWS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ request }) => request.text.length + 1,
  })

  readonly #kept: KeptSessions

  constructor(part: RedisPart) {
    this.#part = part
    this.#keys = part.keys
    this.#kept = new KeptSessions(
      () => part.now(),
      async () => Number(await part.read(['ZCARD', part.keys.sessions])),
    )
  }

  async load(id: SessionId): Promise<SessionRow | null> {
    const known = this.#known.get(id)
    const fields = known ? fieldsOf.changing : fieldsOf.whole
    const values = textsIn(await this.#part.read(['HMGET', this.#keys.session + id, ...fields]))
    const row = known ? changingRow(id, values, known) : wholeRow(id, values)
    if (row) {
      this.#known.set(id, row)
      this.#kept.keep(row)
    } else this.#kept.forget(id)
    return row
  }

  /** The row as this node last read or committed it; null: not in memory. */
  recent(id: SessionId): SessionRow | null {
    return this.#kept.recent(id)
  }

  async findByRequestorToken(token: string): Promise<SessionId | null> {
    const known = this.#kept.idOf(token)
    if (known !== undefined) return known
    const found = await this.#part.read(['GET', this.#keys.token(hashOfToken(token))])
    return typeof found === 'string' ? found : null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly SessionId[]> {
    const sets = this.#setsUpTo(chart)
    const { session, sessions } = this.#keys
    const words = [...sets, String(at), String(limit), session, sessions]
    const found = pairsIn(await this.#part.read(['EVAL', DUE, String(sets.length), ...words]))
    return found
      .sort(([, a], [, b]) => a - b)
      .slice(0, limit)
      .map(([id]) => id)
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    const next = this.#setsUpTo(chart).map(async set => {
      const command = ['ZRANGE', set, `(${at}`, '+inf', 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES']
      return pairsIn(await this.#part.read(command))
    })
    const times = (await Promise.all(next)).flat().map(([, dueAt]) => dueAt)
    return times.length === 0 ? null : Math.min(...times)
  }

  async dropAnswers(answeredBefore: number): Promise<void> {
    this.#kept.forgetAnswers(answeredBefore)
    const words = [this.#keys.answers, String(answeredBefore), FORGOTTEN, this.#keys.session]
    await this.#part.read(['EVAL', FORGET, '1', ...words])
  }

  count(): Promise<number> {
    return this.#kept.count()
  }

  async newest(limit: number): Promise<readonly ListedSession[]> {
    const last = ['ZRANGE', this.#keys.sessions, '0', String(limit - 1), 'REV']
    const listed = idsIn(await this.#part.read(last)).map(async id =>
      listedRow(id, textsIn(await this.#part.read(['HMGET', this.#keys.session + id, ...fieldsOf.listed]))),
    )
    return (await Promise.all(listed)).filter(row => row !== null)
  }

  /** The checks and writes of a commit that changes the row.
   *  @returns null: another version is stored */
  async setting({ id, version, row }: RowChange<SessionRow>): Promise<Change | null> {
    const compare = isOfVersion(this.#keys.session + id, version)
    if (row === null) return this.#deleting(id, compare)
    if (version > 0) return { checks: [compare], writes: this.#changing(row) }
    const { checks, writes } = this.inserting(row)
    return { checks: [compare, ...checks.slice(1)], writes }
  }

  /** The checks and writes of a commit that inserts the row. */
  inserting(row: SessionRow): Change {
    const { id } = row
    const token = this.#keys.token(row.requestorTokenHash)
    const key = this.#keys.session + id
    return {
      checks: [isNew(key), isNew(token)],
      writes: [
        ['hset', key, ...changingFields(row).set, ...fixedFields(row)],
        ['set', token, id],
        ['zadd', this.#keys.sessions, this.#part.nextNumber(), id],
        ...this.#indexing(row),
      ],
    }
  }

  /** To be called after a commit of any node. */
  notify(change: StatusChange): void {
    this.#kept.notify(change)
  }

  /** To be called at the end of a commit, before `keep` if it succeeded. */
  forget(id: SessionId): void {
    this.#kept.forget(id)
  }

  /** To be called after a commit. */
  keep(change: RowChange<SessionRow>, inserts: Inserts): void {
    this.#kept.committed(change, inserts, this.#known.get(change.id) ?? null)
    for (const row of [change.row, ...(inserts.sessions ?? [])]) if (row) this.#known.set(row.id, row)
  }

  /** Drops all rows, because another server may have taken the place of the old one. */
  forgetAll(): void {
    this.#known.clear()
    this.#kept.forgetAll()
  }

  #changing(row: SessionRow): readonly Command[] {
    const key = this.#keys.session + row.id
    const { set, unset } = changingFields(row)
    return [
      ['hset', key, ...set],
      ...(unset.length > 0 ? [['hdel', key, ...unset]] : []),
      ...this.#indexing(row),
    ]
  }

  /** Writes the indexes of the row and the time at which its keys expire. */
  #indexing(row: SessionRow): readonly Command[] {
    const { id, chart, answered, requestorTokenHash } = row
    const due = sessionDueAt(row)
    const kept = keptMs(due, this.#part.now())
    return [
      ['zadd', this.#keys.due(chart ?? 0), String(due), id],
      ...(answered === null ? [] : [['zadd', this.#keys.answers, String(answered.answeredAt), id]]),
      ['pexpire', this.#keys.session + id, kept],
      ['pexpire', this.#keys.token(requestorTokenHash), kept],
    ]
  }

  async #deleting(id: SessionId, compare: Check): Promise<Change | null> {
    const row = await this.load(id)
    if (row === null) return null
    const token = this.#keys.token(row.requestorTokenHash)
    const sets = [this.#keys.sessions, this.#keys.answers, this.#keys.due(row.chart ?? 0)]
    return {
      checks: [compare],
      writes: [['del', this.#keys.session + id, token], ...sets.map(set => ['zrem', set, id])],
    }
  }

  #setsUpTo(chart: number): readonly string[] {
    return Array.from({ length: chart + 1 }, (_, number) => this.#keys.due(number))
  }
}
