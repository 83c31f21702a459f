/** The names of everything that this program keeps in a Redis server. One user may have a prefix of its own, which all names begin with. @module */
import { createHash } from 'node:crypto'
import type { OwedBy } from '../delivery-store.ts'

/** The stay of a key behind the time at which its row is due. Rows end by their charts long before; this is for those that no node comes back to. */
const KEPT_BEHIND_MS = 7 * 24 * 3_600_000

export class Keys {
  readonly #prefix: string
  /** ids of sessions by the order in which they were stored */
  readonly sessions: string
  /** ids of sessions by the time of their stored answer */
  readonly answers: string
  /** ids of deliveries by the order in which they became owed */
  readonly deliveries: string
  /** ids of deliveries by the time at which they are due */
  readonly dueDeliveries: string
  /** ids of deliveries of which an attempt is in progress */
  readonly sending: string
  readonly hosts: string
  /** counts issuance records */
  readonly recordNumber: string
  /** numbers of issuance records by the end of what they are about */
  readonly records: string
  /** names the data that is there, for whoever finds other data after a break */
  readonly origin: string
  readonly channel: string

  /** @param prefix of the user; empty: none
   *  @param database whose channel it is: servers have one set of channels for all databases */
  constructor(prefix: string, database: number) {
    this.#prefix = `${prefix}svc:`
    const named = (name: string): string => `${this.#prefix}${name}`
    this.sessions = named('sessions')
    this.answers = named('answers')
    this.deliveries = named('deliveries')
    this.dueDeliveries = named('deliveries-due')
    this.sending = named('sending')
    this.hosts = named('hosts')
    this.recordNumber = named('record-number')
    this.records = named('records')
    this.origin = named('origin')
    this.channel = named(`changes:${database}`)
  }

  /** What the key of each of them begins with. */
  get session(): string {
    return `${this.#prefix}session:`
  }

  get delivery(): string {
    return `${this.#prefix}delivery:`
  }

  get host(): string {
    return `${this.#prefix}host:`
  }

  /** ids of deliveries to that host, or of that requestor, that have not ended, by the time at which the server forgets their rows */
  owed(by: OwedBy): string {
    return 'host' in by ? `${this.#prefix}owed-to:${by.host}` : `${this.#prefix}owed-by:${by.requestor}`
  }

  get record(): string {
    return `${this.#prefix}record:`
  }

  node(bootId: string): string {
    return `${this.#prefix}node:${bootId}`
  }

  /** ids of sessions by the time at which they are due, of each chart apart */
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

  /** numbers of records that are not revoked; revocation keys are of any length, and personal */
  unrevoked(type: string, revocationKey: string): string {
    const hash = createHash('sha256').update(revocationKey).digest('hex')
    return `${this.#prefix}unrevoked:${type}:${hash}`
  }
}

/** @param dueAt when time next causes something in the row
 *  @returns how long its keys stay, ms */
export function keptMs(dueAt: number, now: number): string {
  return String(Math.max(0, Math.ceil(dueAt - now)) + KEPT_BEHIND_MS)
}
