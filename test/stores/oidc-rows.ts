/** Records of an OpenID provider for tests of stores. @module */
import type { OidcChange, OidcName, OidcRecord } from '../../stores/oidc-store.ts'
import type { Store } from '../../stores/store.ts'

/** Later than any test. A Redis server deletes expired records by itself. */
export const LATER = Date.now() + 24 * 3_600_000

export function oidcRecord(id: string, given: Partial<OidcRecord> = {}): OidcRecord {
  return {
    kind: 'AccessToken',
    id,
    grant: null,
    uid: null,
    sealed: `sealed-${id}`,
    expiresAt: LATER,
    version: 1,
    ...given,
  }
}

/** Inserts the record, or sets it from the version before. */
export function setting(row: OidcRecord): OidcChange {
  const { kind, id, version } = row
  return { kind, id, version: version - 1, row }
}

export function deleting(name: OidcName, version = 1): OidcChange {
  return { ...name, version, row: null }
}

export function commitOidc(
  store: Pick<Store, 'commit'>,
  ...changes: readonly OidcChange[]
): Promise<boolean> {
  return store.commit({ oidc: { changes } })
}
