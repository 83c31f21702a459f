/** Collects the changes of a request of the OpenID provider, and commits them at once. A node that is killed meanwhile has changed nothing, so another node can
 *  answer the same request again. @module */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { OidcChange, OidcCommit, OidcRecord } from '../../stores/oidc-store.ts'
import type { OidcRecordsStore } from './records.ts'

/** Runs `work`, and then commits its changes of records together.
 *  @returns false: another request has changed one of those records meanwhile, and no change was committed */
export type AtOnce = (work: () => Promise<void>) => Promise<boolean>

export type StoreAtOnce = {
  /** During `atOnce` its reads by id include the changes that are not committed yet. */
  readonly store: OidcRecordsStore
  readonly atOnce: AtOnce
}

export function storeAtOnce(store: OidcRecordsStore): StoreAtOnce {
  const batches = new AsyncLocalStorage<Batch>()
  const { oidc } = store
  return {
    store: {
      oidc: {
        find: (kind, id) => (batches.getStore() ?? oidc).find(kind, id),
        findByUid: (kind, uid) => oidc.findByUid(kind, uid),
        dropExpired: (at, most) => oidc.dropExpired(at, most),
        count: () => oidc.count(),
      },
      commit(commit) {
        const batch = batches.getStore()
        // the end of a grant is committed at once, because it also holds if the request fails
        if (batch === undefined || commit.oidc.withoutGrant !== undefined) return store.commit(commit)
        batch.add(commit.oidc)
        return Promise.resolve(true)
      },
    },
    async atOnce(work) {
      const batch = new Batch(oidc)
      await batches.run(batch, work)
      const changes = batch.changes()
      return changes.length === 0 || store.commit({ oidc: { changes } })
    },
  }
}

/** A record as the request sees it. */
type Seen = OidcChange & { readonly isChanged: boolean }

class Batch {
  readonly #records: Pick<OidcRecordsStore['oidc'], 'find'>
  /** by kind and id */
  readonly #seen = new Map<string, Seen>()

  constructor(records: Pick<OidcRecordsStore['oidc'], 'find'>) {
    this.#records = records
  }

  async find(kind: string, id: string): Promise<OidcRecord | null> {
    const seen = this.#seen.get(`${kind} ${id}`)
    if (seen) return seen.row
    const row = await this.#records.find(kind, id)
    this.#seen.set(`${kind} ${id}`, { kind, id, version: row?.version ?? 0, row, isChanged: false })
    return row
  }

  add({ changes = [] }: OidcCommit): void {
    for (const change of changes) {
      const name = `${change.kind} ${change.id}`
      // a second change of a record still replaces the version that is stored
      const version = this.#seen.get(name)?.version ?? change.version
      this.#seen.set(name, { ...change, version, isChanged: true })
    }
  }

  changes(): readonly OidcChange[] {
    return [...this.#seen.values()]
      .filter(({ isChanged, version, row }) => isChanged && (version > 0 || row !== null))
      .map(({ kind, id, version, row }) => ({
        kind,
        id,
        version,
        row: row && { ...row, version: version + 1 },
      }))
  }
}
