/** Stores the models of oidc-provider as sealed records, with the `Adapter` interface of that package. Each record expires by the time of the store. A code or
 *  a token is consumed once, also if several nodes share the store. @module */
import type { Clock } from '../../ports/clock.ts'
import { NEVER, type OidcCommit, type OidcRecord, type OidcStore } from '../../stores/oidc-store.ts'
import { hashOfId, openPayload, type SealingDeps, sealPayload } from './sealed-payloads.ts'

/** The part of a store that holds the records. */
export type OidcRecordsStore = {
  readonly oidc: OidcStore
  readonly commit: (commit: { readonly oidc: OidcCommit }) => Promise<boolean>
}

export type OidcRecordsDeps = SealingDeps & {
  readonly store: OidcRecordsStore
  /** with the time of the store (stores/time/shared-clock.ts) */
  readonly clock: Pick<Clock, 'now'>
}

/** Members of a payload that the records use; the provider adds others. */
type Known = {
  readonly grantId?: string | undefined
  readonly uid?: string | undefined
  readonly userCode?: string | undefined
  /** Unix seconds; undefined: the record is not consumed */
  readonly consumed?: unknown
}

/** Structurally the `Adapter` of oidc-provider. */
export interface OidcAdapter<Payload extends object> {
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  findByUserCode(userCode: string): Promise<Payload | undefined>
  /** Inserts the record, or replaces its payload. A consumed record stays consumed.
   *  @param expiresIn seconds; undefined: never
   *  @throws {AlreadyConsumedError} if a record of a kind that is stored once, such as the id of a signed request, is stored already */
  upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void>
  /** @throws {AlreadyConsumedError} on every call except the first, on all nodes */
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  /** Deletes all records of the grant, of every kind. */
  revokeByGrantId(grantId: string): Promise<void>
}

export interface OidcRecords {
  /** @param kind model of the provider, or a kind of this program */
  adapterFor<Payload extends object = Record<string, unknown>>(kind: string): OidcAdapter<Payload>
  /** Deletes records that have expired. */
  dropExpired(): Promise<void>
}

/** A code or token was used twice, or its grant was revoked. */
export class AlreadyConsumedError extends Error {
  override readonly name = 'AlreadyConsumedError'

  constructor(kind: string) {
    super(`${kind}: expected a first use, got one that was used before or was revoked: ask for a new one`)
  }
}

/** Kinds that survive the revocation of the grant that they name. A browser may still be on the page of an interaction. */
const OUTLASTING: readonly string[] = ['Interaction']
/** The tries to type the code of one wallet app. Each has a number, so that calls at the same time count too. */
export const PAIRING_TRY = 'PairingTry'
/** The answer at which the browser of a login returns to its site. */
export const RETURN_ANSWER = 'ReturnAnswer'
/** Kinds that are stored once: the provider looks for the id of a signed request, and stores it if there is none. Two nodes may look at the same time. */
const STORED_ONCE: readonly string[] = ['ReplayDetection', PAIRING_TRY]
/** The kind whose id is the id of the grant. */
const GRANT = 'Grant'
/** Commits of other nodes between the read and the commit of one change. Each loss means that another commit has won. */
const MOST_LOSSES = 20
/** Records that one statement deletes. */
const BATCH = 1_000

export function createOidcRecords(deps: OidcRecordsDeps): OidcRecords {
  return {
    adapterFor: kind => new RecordsOfKind(kind, deps),
    async dropExpired() {
      const at = deps.clock.now()
      while (await deps.store.oidc.dropExpired(at, BATCH));
    },
  }
}

class RecordsOfKind<Payload extends object> implements OidcAdapter<Payload> {
  readonly #kind: string
  readonly #deps: OidcRecordsDeps

  constructor(kind: string, deps: OidcRecordsDeps) {
    this.#kind = kind
    this.#deps = deps
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#payloadOf(await this.#deps.store.oidc.find(this.#kind, hashOfId(id)))
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return this.#payloadOf(await this.#deps.store.oidc.findByUid(this.#kind, hashOfId(uid)))
  }

  findByUserCode(userCode: string): Promise<Payload | undefined> {
    return this.findByUid(userCode)
  }

  upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void> {
    const expiresAt = expiresIn === undefined ? NEVER : this.#deps.clock.now() + Math.ceil(expiresIn * 1_000)
    return this.#change(id, before => {
      if (STORED_ONCE.includes(this.#kind) && this.#payloadOf(before))
        throw new AlreadyConsumedError(this.#kind)
      const consumed = before ? this.#knownIn(before).consumed : undefined
      return this.#recordOf(id, consumed === undefined ? payload : { ...payload, consumed }, {
        before,
        expiresAt,
      })
    })
  }

  consume(id: string): Promise<void> {
    return this.#change(id, before => {
      const payload = this.#payloadOf(before)
      if (!before || !payload || this.#knownIn(before).consumed !== undefined)
        throw new AlreadyConsumedError(this.#kind)
      const consumed = Math.floor(this.#deps.clock.now() / 1_000)
      return this.#recordOf(id, { ...payload, consumed }, { before, expiresAt: before.expiresAt })
    })
  }

  destroy(id: string): Promise<void> {
    return this.#change(id, () => null)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#deps.store.commit({ oidc: { withoutGrant: hashOfId(grantId) } })
  }

  /** Reads the record and commits its successor, again after each loss. */
  async #change(id: string, next: (before: OidcRecord | null) => OidcRecord | null): Promise<void> {
    const { store } = this.#deps
    const name = { kind: this.#kind, id: hashOfId(id) }
    const beside = (row: OidcRecord | null): OidcCommit =>
      row === null && this.#kind === GRANT ? { withoutGrant: name.id } : {}
    for (let losses = 0; losses < MOST_LOSSES; losses++) {
      const before = await store.oidc.find(name.kind, name.id)
      const row = next(before)
      const changes = before || row ? [{ ...name, version: before?.version ?? 0, row }] : []
      if (await store.commit({ oidc: { changes, ...beside(row) } })) return
    }
    throw new Error(
      `${this.#kind}: expected a commit after ${MOST_LOSSES} attempts, got newer versions each time: try again`,
    )
  }

  #recordOf(
    id: string,
    payload: Known,
    { before, expiresAt }: { readonly before: OidcRecord | null; readonly expiresAt: number },
  ): OidcRecord {
    const name = { kind: this.#kind, id: hashOfId(id) }
    const { grantId, uid, userCode } = payload
    const byGrant = grantId !== undefined && !OUTLASTING.includes(this.#kind)
    const second = uid ?? userCode
    return {
      ...name,
      grant: byGrant ? hashOfId(grantId) : null,
      uid: second === undefined ? null : hashOfId(second),
      sealed: sealPayload(payload, name, this.#deps),
      expiresAt,
      version: (before?.version ?? 0) + 1,
    }
  }

  #payloadOf(row: OidcRecord | null): Payload | undefined {
    if (row === null || row.expiresAt <= this.#deps.clock.now()) return undefined
    return JSON.parse(openPayload(row.sealed, row, this.#deps))
  }

  #knownIn(row: OidcRecord): Known {
    return JSON.parse(openPayload(row.sealed, row, this.#deps))
  }
}
