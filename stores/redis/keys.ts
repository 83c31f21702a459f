/** Names of all keys of this program in a Redis server. A user may have a prefix, which all names begin with. @module */
import { createHash } from 'node:crypto'
import type { DeliveryParty } from '../delivery-store.ts'

/** The time that a key is kept after its row is due. Charts delete rows long before; this is for rows that no node works on again. */
const KEPT_BEHIND_MS = 7 * 24 * 3_600_000

export class Keys {
  readonly #prefix: string
  /** ids of sessions in the order in which they were stored */
  readonly sessions: string
  /** ids of sessions by the time of their stored answer */
  readonly answers: string
  /** ids of deliveries in the order in which they were added */
  readonly deliveries: string
  /** ids of deliveries by due time */
  readonly dueDeliveries: string
  /** ids of deliveries with a running attempt */
  readonly sending: string
  readonly hosts: string
  /** names of records of the OpenID provider by expiry */
  readonly oidcExpiry: string
  /** counts issuance records */
  readonly recordNumber: string
  /** numbers of issuance records by the end of their validity */
  readonly records: string
  /** identifies the data of the server, so that a loss of data is noticed after a reconnect */
  readonly origin: string
  readonly channel: string

  /** @param prefix of the user; empty: none
   *  @param database part of the channel name, because a server shares its channels among all databases */
  constructor(prefix: string, database: number) {
    this.#prefix = `${prefix}svc:`
    const named = (name: string): string => `${this.#prefix}${name}`
    this.sessions = named('sessions')
    this.answers = named('answers')
    this.deliveries = named('deliveries')
    this.dueDeliveries = named('deliveries-due')
    this.sending = named('sending')
    this.hosts = named('hosts')
    this.oidcExpiry = named('oidc-expiry')
    this.recordNumber = named('record-number')
    this.records = named('records')
    this.origin = named('origin')
    this.channel = named(`changes:${database}`)
  }

  /** The prefix of session keys. The getters below return the prefixes of other keys. */
  get session(): string {
    return `${this.#prefix}session:`
  }

  get delivery(): string {
    return `${this.#prefix}delivery:`
  }

  get host(): string {
    return `${this.#prefix}host:`
  }

  /** ids of deliveries to the host or of the requestor that have not ended, by the time at which the server deletes their rows */
  owed(by: DeliveryParty): string {
    return 'host' in by ? `${this.#prefix}owed-to:${by.host}` : `${this.#prefix}owed-by:${by.requestor}`
  }

  /** The prefix of records of the OpenID provider. */
  get oidc(): string {
    return `${this.#prefix}oidc:`
  }

  /** keys of records with that uid */
  oidcUid(kind: string, uid: string): string {
    return `${this.#prefix}oidc-uid:${kind}:${uid}`
  }

  /** keys of the records of a grant */
  oidcGrant(grant: string): string {
    return `${this.#prefix}oidc-grant:${grant}`
  }

  get record(): string {
    return `${this.#prefix}record:`
  }

  node(bootId: string): string {
    return `${this.#prefix}node:${bootId}`
  }

  /** ids of sessions by due time, one set per chart version */
  due(chart: number): string {
    return `${this.#prefix}due:${chart}`
  }

  /** @param hash of a requestor token */
  token(hash: string): string {
    return `${this.#prefix}token:${hash}`
  }

  accumulator(type: string, keyCounter: number): string {
    return `${this.#prefix}accumulator:${type}:${keyCounter}`
  }

  /** key counters of a credential type */
  counters(type: string): string {
    return `${this.#prefix}counters:${type}`
  }

  events(type: string, keyCounter: number): string {
    return `${this.#prefix}events:${type}:${keyCounter}`
  }

  /** the number of the record of that credential */
  recordOf(type: string, keyCounter: number, e: bigint): string {
    return `${this.#prefix}record-of:${type}:${keyCounter}:${e.toString(16)}`
  }

  /** numbers of records that are not revoked; the revocation key is hashed, because it is personal and may have any length */
  unrevoked(type: string, revocationKey: string): string {
    const hash = createHash('sha256').update(revocationKey).digest('hex')
    return `${this.#prefix}unrevoked:${type}:${hash}`
  }
}

/** @param dueAt next time at which the row needs work
 *  @returns how long its keys are kept, ms */
export function keptMs(dueAt: number, now: number): string {
  return String(Math.max(0, Math.ceil(dueAt - now)) + KEPT_BEHIND_MS)
}
