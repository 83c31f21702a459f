/** Who hears of commits. Changes of status are told when their notification comes, also those of this node: only the database knows their order. @module */
import type { Clock } from '../../ports/clock.ts'
import type { DeliveryRow } from '../delivery-store.ts'
import type { StatusChange } from '../session-store.ts'
import type { CommitListener } from '../store.ts'

/** The longest wait for the notification of a commit of this node: the connection that hears it may be lost without a word. */
const LONGEST_WAIT_MS = 500
/** The most notifications that are known to come too late. */
const MAX_LATE = 10_000

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>
type Subscriber = { readonly listener: CommitListener; readonly missed: () => void }

/** A change of this node whose commit is on its way, or whose notification is. */
type Own = {
  readonly change: StatusChange
  readonly owed: readonly DeliveryRow[] | undefined
  isTold: boolean
  told: () => void
}

export class Subscribers {
  readonly #clock: Timers
  readonly #subscribers = new Set<Subscriber>()
  readonly #own = new Set<Own>()
  /** changes that were told without their notification */
  readonly #late = new Set<string>()

  constructor(clock: Timers) {
    this.#clock = clock
  }

  /** @returns unsubscribe */
  add(listener: CommitListener, missed: () => void = () => {}): () => void {
    const subscriber = { listener, missed }
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  tell(...heard: Parameters<CommitListener>): void {
    for (const { listener } of this.#subscribers) listener(...heard)
  }

  /** A commit of this node begins; `forget` when it has ended. */
  expect(change: StatusChange, owed?: readonly DeliveryRow[]): Own {
    const own = { change, owed, isTold: false, told() {} }
    this.#own.add(own)
    return own
  }

  /** It is committed.
   *  @param isListening whether its notification is to come
   *  @returns once everybody has heard of it */
  async committed(own: Own, isListening: boolean): Promise<void> {
    if (isListening && !own.isTold) await untilTold(own, this.#clock)
    if (own.isTold) return
    if (this.#late.size >= MAX_LATE) this.missed() // rather than without bound
    this.#late.add(keyOf(own.change))
    this.tell(own.change.id, own.change, own.owed)
  }

  forget(own: Own): void {
    this.#own.delete(own)
  }

  /** A notification has come: that is committed. */
  heard(change: StatusChange): void {
    const key = keyOf(change)
    if (this.#late.delete(key)) return
    const same = [...this.#own].filter(own => keyOf(own.change) === key)
    this.tell(change.id, change, same[0]?.owed)
    for (const own of same) {
      own.isTold = true
      own.told()
    }
  }

  /** Notifications may have been lost, and what is committed from now on is heard. */
  missed(): void {
    this.#late.clear()
    for (const { missed } of this.#subscribers) missed()
  }
}

function untilTold(own: Own, clock: Timers): Promise<void> {
  return new Promise(resolve => {
    const timer = clock.setTimeout(resolve, LONGEST_WAIT_MS)
    own.told = () => {
      clock.clearTimeout(timer)
      resolve()
    }
  })
}

function keyOf({ id, version }: StatusChange): string {
  return `${id} ${version}`
}
