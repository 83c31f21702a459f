/** Revocation of all credential types. For each type this server is the authority, or it follows one. The periodic work is here as well (spec/cryptography#14.8). @module */
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ListenTo } from '../../ports/event-source.ts'
import type { Outgoing } from '../../ports/outgoing.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { IssuanceFailedError, RevocationError } from '../../protocol/errors.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import type { CredentialType, Schemes } from '../../schemes/types.ts'
import { DEFAULT_TOLERANCE_SEC } from '../../sessions/non-revocation.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { Authority } from './authority.ts'
import { Follower, type FollowRequest } from './follower.ts'
import { KnownAccumulators } from './known.ts'
import { type Revocation, type RevocationSettings, SIGNED_ANEW_SEC } from './revocation.ts'
import { Rounds } from './rounds.ts'

export type RevocationDeps = {
  readonly store: Pick<SessionServerStore, 'revocation' | 'commit' | 'nodes'>
  readonly schemes: Schemes
  readonly clock: Clock
  readonly random: Pick<Randomness, 'bytes'>
  readonly pool: Pick<ProofPool, 'issueWitness' | 'revoke'>
  readonly outgoing: Pick<Outgoing, 'getBytes' | 'postBytes'>
  readonly listenTo: ListenTo
  /** settings of the types that can be revoked */
  readonly settings: ReadonlyMap<CredentialTypeId, RevocationSettings>
  /** for a log: the credential type that failed, and the error */
  readonly report: (type: string, error: unknown) => void
  /** for a log: a followed server has answered a request */
  readonly worked: (type: string, asked: FollowRequest) => void
}

const CHECK_MS = 10_000
/** The interval at which a node looks for commits of the other nodes of its store. */
const LOOK_MS = 1_000
const DROP_MS = 300 * 60_000
/** The longest time that a call waits for new data: less than the limit of the whole call. */
const NEWS_MS = 2_000
const NOT_CONFIGURED: RevocationSettings = {
  isAuthority: false,
  isServer: false,
  serverUrl: null,
  toleranceSec: null,
  hasStream: false,
}

type Role =
  | { readonly known: KnownAccumulators; readonly authority: Authority; readonly follower: null }
  | { readonly known: KnownAccumulators; readonly authority: null; readonly follower: Follower }

class RunningRevocation implements Revocation {
  readonly #deps: RevocationDeps
  readonly #roles = new Map<CredentialTypeId, Role>()
  readonly #rounds: Rounds
  readonly #stop = new AbortController()

  constructor(deps: RevocationDeps) {
    this.#deps = deps
    this.#rounds = new Rounds(deps.clock)
  }

  /** @throws {Error} with a message for an operator */
  async start(): Promise<void> {
    const { settings } = this.#deps
    for (const [type, { isAuthority }] of settings) {
      const role = this.#roleOf(type)
      if (!isAuthority) continue
      await role?.authority?.refuseUnfinishedImport()
      await role?.authority?.renew().catch(cause => failToStart(type, cause))
    }
    await this.#dropRecords()
    this.#rounds.every(DROP_MS, () => this.#dropRecords(), this.#reportOf('records'))
    for (const type of settings.keys()) this.#startRounds(type)
  }

  canIssue(type: CredentialTypeId): boolean {
    const { isAuthority, serverUrl } = this.#settingsOf(type)
    return isAuthority || serverUrl !== null
  }

  async updates(type: CredentialTypeId, toleranceSec: number) {
    const role = this.#roleOf(type)
    if (role === null) throw new RevocationError(`${type} cannot be revoked`)
    if (role.follower && !role.follower.hasJustFailed())
      await this.#atMost(NEWS_MS, this.#refreshOld(type, role.follower, toleranceSec || undefined))
    const updates = await role.known.updates(this.#typeOf(type)?.revocationUpdateCount ?? 0)
    if (updates.size === 0) throw new RevocationError(`revocation of ${type}: no accumulator so far`)
    return updates
  }

  refreshedAtSec(type: CredentialTypeId, keyCounter: number): number | null {
    const at = this.#roleOf(type)?.follower?.refreshedAt(keyCounter) ?? null
    return at === null ? null : Math.floor(at / 1_000)
  }

  toleranceSec(type: CredentialTypeId): number {
    return this.#settingsOf(type).toleranceSec ?? DEFAULT_TOLERANCE_SEC
  }

  async issue(...[credential, signal]: Parameters<Revocation['issue']>) {
    const { type } = credential
    const role = this.canIssue(type) ? this.#roleOf(type) : null
    if (role === null)
      throw new IssuanceFailedError(`revocation enabled for ${type} but no revocation server configured`)
    return (role.authority ?? role.follower).issue(credential, signal)
  }

  async revoke(type: CredentialTypeId, revocationKey: string, issuedAtNs: bigint | null): Promise<void> {
    const authority = this.#roleOf(type)?.authority
    if (!authority) throw new RevocationError(`cannot revoke ${type}`)
    await authority.revoke(revocationKey, issuedAtNs)
  }

  served(type: CredentialTypeId) {
    const role = this.#settingsOf(type).isServer ? this.#roleOf(type) : null
    return role?.known.served(role.authority?.addRecord ?? null) ?? null
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#rounds.close()
    for (const { authority } of this.#roles.values()) await authority?.close()
  }

  #typeOf(type: CredentialTypeId): CredentialType | null {
    const found = this.#deps.schemes.credentialType(type)
    return found?.supportsRevocation ? found : null
  }

  #settingsOf(type: CredentialTypeId): RevocationSettings {
    return this.#deps.settings.get(type) ?? NOT_CONFIGURED
  }

  /** null: the type cannot be revoked */
  #roleOf(type: CredentialTypeId): Role | null {
    const found = this.#roles.get(type)
    if (found) return found
    const description = this.#typeOf(type)
    if (description === null) return null
    const role = this.#newRole(description)
    this.#roles.set(type, role)
    return role
  }

  #newRole({ id, revocationServers, revocationUpdateCount: updateCount }: CredentialType): Role {
    const { isAuthority, isServer, serverUrl } = this.#settingsOf(id)
    const known = new KnownAccumulators(id, this.#deps)
    if (isAuthority) return { known, authority: new Authority({ ...this.#deps, known }), follower: null }
    const servers = serverUrl === null ? revocationServers : [serverUrl]
    const report = this.#reportOf(id)
    const worked = (asked: FollowRequest): void => this.#deps.worked(id, asked)
    const { signal: stop } = this.#stop
    const follower = new Follower({
      ...this.#deps,
      known,
      servers,
      updateCount,
      isServer,
      stop,
      report,
      worked,
    })
    return { known, authority: null, follower }
  }

  #startRounds(type: CredentialTypeId): void {
    const role = this.#roleOf(type)
    if (role === null) return
    const { known, authority, follower } = role
    if (this.#deps.store.nodes.isShared && this.served(type))
      this.#rounds.every(LOOK_MS, () => known.look(), this.#reportOf(type), 0)
    if (authority) this.#rounds.every(SIGNED_ANEW_SEC * 1_000, () => authority.renew(), this.#reportOf(type))
    if (!follower) return
    this.#rounds.every(CHECK_MS, () => this.#refreshOld(type, follower), this.#reportOf(type), 0)
    if (this.#settingsOf(type).hasStream)
      this.#rounds.every(CHECK_MS, () => follower.listen(), this.#reportOf(type), 0)
  }

  async #refreshOld(type: CredentialTypeId, follower: Follower, toleranceSec = this.toleranceSec(type)) {
    if (follower.isOlderThan((toleranceSec * 1_000) / 2)) await follower.refresh()
  }

  /** Waits for the work, at most `ms`. The work continues after that. */
  #atMost(ms: number, work: Promise<void>): Promise<void> {
    const { clock } = this.#deps
    return new Promise((resolve, reject) => {
      const timer = clock.setTimeout(resolve, ms)
      work.then(resolve, reject).finally(() => clock.clearTimeout(timer))
    })
  }

  #reportOf(what: string): (error: unknown) => void {
    return error => this.#deps.report(what, error)
  }

  #dropRecords(): Promise<void> {
    return this.#deps.store.revocation.dropRecords(Math.floor(this.#deps.clock.wallNow() / 1_000))
  }
}

function failToStart(type: CredentialTypeId, cause: unknown): never {
  if (!(cause instanceof RevocationDataError)) throw cause
  throw new Error(
    `store: expected the accumulators of ${type} to be of the issuer's keys: ${cause.message}`,
    {
      cause,
    },
  )
}

/** @throws {Error} with a message for an operator */
export async function createRevocation(deps: RevocationDeps): Promise<Revocation> {
  const revocation = new RunningRevocation(deps)
  await revocation.start()
  return revocation
}
