/** Records of the OpenID provider in a Redis server: each one is a hash, which the server deletes when it expires. A sorted set has their names by
 *  expiry. Names in the sets of a uid or a grant may be outdated, so a reader checks the record. @module */
import type { OidcChange, OidcCommit, OidcRecord, OidcStore } from '../oidc-store.ts'
import type { Keys } from './keys.ts'
import { idsIn, type RedisPart, textsIn } from './part.ts'
import { type Change, type Command, DELETE_OF_GRANT, isOfVersion } from './transaction.ts'

const FIELDS = ['v', 'kind', 'id', 'grant', 'uid', 'sealed', 'at'] as const

/** KEYS: names of records by expiry. ARGV: the time, the maximum number, and the prefix of record keys. Returns the number of names. */
const DROP = `local names = redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1], 'limit', 0, ARGV[2])
for _, name in ipairs(names) do
  redis.call('del', ARGV[3] .. name)
  redis.call('zrem', KEYS[1], name)
end
return #names`

export class RedisOidc implements OidcStore {
  readonly #part: RedisPart
  readonly #keys: Keys

  constructor(part: RedisPart) {
    this.#part = part
    this.#keys = part.keys
  }

  find(kind: string, id: string): Promise<OidcRecord | null> {
    return this.#read(this.#keys.oidc + nameOf(kind, id))
  }

  async findByUid(kind: string, uid: string): Promise<OidcRecord | null> {
    const keys = idsIn(await this.#part.read(['SMEMBERS', this.#keys.oidcUid(kind, uid)]))
    const rows = (await Promise.all(keys.map(key => this.#read(key)))).filter(row => row?.uid === uid)
    return rows.sort((a, b) => Number(b?.expiresAt) - Number(a?.expiresAt))[0] ?? null
  }

  async dropExpired(at: number, most: number): Promise<boolean> {
    const { oidc, oidcExpiry } = this.#keys
    const words = ['1', oidcExpiry, String(at), String(most), oidc]
    return Number(await this.#part.read(['EVAL', DROP, ...words])) > 0
  }

  async count(): Promise<number> {
    return Number(await this.#part.read(['ZCARD', this.#keys.oidcExpiry]))
  }

  /** The checks and writes of a commit. */
  setting({ changes = [], withoutGrant }: OidcCommit): Change {
    const ofGrant =
      withoutGrant === undefined ? [] : [[DELETE_OF_GRANT, this.#keys.oidcGrant(withoutGrant), withoutGrant]]
    return {
      checks: changes.map(({ kind, id, version }) =>
        isOfVersion(this.#keys.oidc + nameOf(kind, id), version),
      ),
      writes: [...changes.flatMap(change => this.#writing(change)), ...ofGrant],
    }
  }

  #writing({ kind, id, row }: OidcChange): readonly Command[] {
    const name = nameOf(kind, id)
    const key = this.#keys.oidc + name
    if (row === null)
      return [
        ['del', key],
        ['zrem', this.#keys.oidcExpiry, name],
      ]
    const { grant, uid, sealed, expiresAt, version } = row
    const values = [String(version), kind, id, grant ?? '', uid ?? '', sealed, String(expiresAt)]
    const sets = [
      ...(grant === null ? [] : [this.#keys.oidcGrant(grant)]),
      ...(uid === null ? [] : [this.#keys.oidcUid(kind, uid)]),
    ]
    const leftMs = String(Math.max(0, Math.ceil(expiresAt - this.#part.now())))
    return [
      ['hset', key, ...FIELDS.flatMap((field, i) => [field, values[i] ?? ''])],
      ['zadd', this.#keys.oidcExpiry, String(expiresAt), name],
      ...sets.flatMap(set => [
        ['sadd', set, key],
        ['pexpire', set, leftMs, 'nx'],
        ['pexpire', set, leftMs, 'gt'],
      ]),
      ['pexpire', key, leftMs],
    ]
  }

  async #read(key: string): Promise<OidcRecord | null> {
    const [version, kind, id, grant, uid, sealed, at] = textsIn(
      await this.#part.read(['HMGET', key, ...FIELDS]),
    )
    if (!version || !kind || !id || !sealed) return null
    return {
      kind,
      id,
      grant: grant || null,
      uid: uid || null,
      sealed,
      expiresAt: Number(at),
      version: Number(version),
    }
  }
}

function nameOf(kind: string, id: string): string {
  return `${kind}:${id}`
}
