/** Records of the OpenID provider in the tables of an SQL store. Nothing is cached. @module */
import type { Kysely } from 'kysely'
import type { OidcChange, OidcCommit, OidcRecord, OidcStore } from '../oidc-store.ts'
import type { Engine, Write } from './engine.ts'
import { OidcQueries } from './oidc-queries.ts'
import type { Query } from './prepared-queries.ts'
import type { OidcTable, Tables } from './schema.ts'

export class SqlOidc implements OidcStore {
  readonly #engine: Engine
  readonly #queries: OidcQueries

  constructor(db: Kysely<Tables>, engine: Engine) {
    this.#engine = engine
    this.#queries = new OidcQueries(db)
  }

  find(kind: string, id: string): Promise<OidcRecord | null> {
    return this.#one(this.#queries.find({ kind, id }))
  }

  findByUid(kind: string, uid: string): Promise<OidcRecord | null> {
    return this.#one(this.#queries.findByUid(kind, uid))
  }

  dropExpired(at: number, most: number): Promise<boolean> {
    return this.#engine.run(this.#queries.dropExpired(at, most))
  }

  async count(): Promise<number> {
    const [counted] = await this.#engine.all<{ total: number }>(this.#queries.count())
    return Number(counted?.total ?? 0)
  }

  /** The writes of a commit, in this order. */
  setting({ changes = [], withoutGrant }: OidcCommit): readonly Write[] {
    const set = changes.map(change => ({ query: this.#changing(change), mustChange: true }))
    if (withoutGrant === undefined) return set
    return [...set, { query: this.#queries.deleteGrant(withoutGrant), mustChange: false }]
  }

  #changing({ kind, id, version, row }: OidcChange): Query {
    if (row === null) return this.#queries.delete({ kind, id }, version)
    const stored = oidcToTable(row)
    return version === 0 ? this.#queries.create(stored) : this.#queries.update(stored, version)
  }

  async #one(query: Query): Promise<OidcRecord | null> {
    const [stored] = await this.#engine.all<OidcTable>(query)
    return stored ? fromTable(stored) : null
  }
}

export function oidcToTable({
  kind,
  id,
  grant: grant_id,
  uid,
  sealed,
  expiresAt: expires_at,
  version,
}: OidcRecord): OidcTable {
  return { kind, id, grant_id, uid, sealed, expires_at, version }
}

function fromTable({ kind, id, uid, sealed, version, ...stored }: OidcTable): OidcRecord {
  return { kind, id, grant: stored.grant_id, uid, sealed, expiresAt: stored.expires_at, version }
}
