/** Records of the OpenID provider in memory. @module */
import {
  NEVER,
  type OidcChange,
  type OidcCommit,
  type OidcName,
  type OidcRecord,
  type OidcStore,
} from '../oidc-store.ts'
import { DueIndex } from './due-index.ts'

/** Names of records by a column that several of them share. */
class SharedNames {
  readonly #names = new Map<string, Set<string>>()

  of(value: string): readonly string[] {
    return [...(this.#names.get(value) ?? [])]
  }

  add(value: string, name: string): void {
    const names = this.#names.get(value) ?? new Set()
    this.#names.set(value, names.add(name))
  }

  delete(value: string, name: string): void {
    const names = this.#names.get(value)
    names?.delete(name)
    if (names?.size === 0) this.#names.delete(value)
  }
}

export class MemoryOidc implements OidcStore {
  /** by `nameOf` */
  readonly #rows = new Map<string, OidcRecord>()
  readonly #expiry = new DueIndex()
  readonly #grants = new SharedNames()
  readonly #uids = new SharedNames()

  async find(kind: string, id: string): Promise<OidcRecord | null> {
    return this.#rows.get(nameOf({ kind, id })) ?? null
  }

  async findByUid(kind: string, uid: string): Promise<OidcRecord | null> {
    const rows = this.#uids.of(nameOf({ kind, id: uid })).flatMap(name => this.#rows.get(name) ?? [])
    return rows.sort((a, b) => b.expiresAt - a.expiresAt)[0] ?? null
  }

  async dropExpired(at: number, most: number): Promise<boolean> {
    const names = this.#expiry.due(at, most, () => true)
    for (const name of names) this.#remove(name)
    return names.length > 0
  }

  async count(): Promise<number> {
    return this.#rows.size
  }

  isPossible({ changes = [] }: OidcCommit): boolean {
    return changes.every(change => (this.#rows.get(nameOf(change))?.version ?? 0) === change.version)
  }

  set({ changes = [], withoutGrant }: OidcCommit): void {
    for (const change of changes) this.#change(change)
    if (withoutGrant !== undefined) for (const name of this.#grants.of(withoutGrant)) this.#remove(name)
  }

  #change(change: OidcChange): void {
    const { row } = change
    const name = nameOf(change)
    this.#remove(name)
    if (row === null) return
    this.#rows.set(name, row)
    if (row.expiresAt < NEVER) this.#expiry.set(name, row.expiresAt)
    if (row.grant !== null) this.#grants.add(row.grant, name)
    if (row.uid !== null) this.#uids.add(nameOf({ kind: row.kind, id: row.uid }), name)
  }

  #remove(name: string): void {
    const row = this.#rows.get(name)
    if (!row) return
    this.#rows.delete(name)
    this.#expiry.delete(name)
    if (row.grant !== null) this.#grants.delete(row.grant, name)
    if (row.uid !== null) this.#uids.delete(nameOf({ kind: row.kind, id: row.uid }), name)
  }
}

function nameOf({ kind, id }: OidcName): string {
  return `${kind} ${id}`
}
