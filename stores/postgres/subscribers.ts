/** Subscribers to commits. A status change is published when its notification arrives, even for this node's own commits, because only the database
 *  knows the order. @module */
import type { Clock } from '../../ports/clock.ts'
import type { DeliveryRow } from '../delivery-store.ts'
import type { StatusChange } from '../session-store.ts'
import type { CommitListener } from '../store.ts'

/** The maximum wait for the notification of an own commit, because the connection that receives it may be lost silently. */
const LONGEST_WAIT_MS = 500
/** The maximum number of changes that were published before their notification, which must not publish them again. */
const MAX_PUBLISHED_EARLY = 10_000

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>
type Subscriber = { readonly listener: CommitListener; readonly missed: () => void }

/** A change of this node whose commit is running, or whose notification is pending. */
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
  /** changes that were published without waiting for their notification */
  readonly #publishedEarly = new Set<string>()

  constructor(clock: Timers) {
    this.#clock = clock
  }

  /** @returns a function that unsubscribes */
  add(listener: CommitListener, missed: () => void = () => {}): () => void {
    const subscriber = { listener, missed }
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  notify(...commit: Parameters<CommitListener>): void {
    for (const { listener } of this.#subscribers) listener(...commit)
  }

  /** To be called before an own commit; call `forget` at its end. */
  expect(change: StatusChange, owed?: readonly DeliveryRow[]): Own {
    const own = { change, owed, isTold: false, told() {} }
    this.#own.add(own)
    return own
  }

  /** To be called after an own commit.
   *  @param isListening true: a notification is expected
   *  @returns resolves when all subscribers were called */
  async committed(own: Own, isListening: boolean): Promise<void> {
    if (isListening && !own.isTold) await untilTold(own, this.#clock)
    if (own.isTold) return
    if (this.#publishedEarly.size >= MAX_PUBLISHED_EARLY) this.missed() // keeps the set bounded
    this.#publishedEarly.add(keyOf(own.change))
    this.notify(own.change.id, own.change, own.owed)
  }

  forget(own: Own): void {
    this.#own.delete(own)
  }

  /** Publishes the change of a notification, which is committed. */
  notifyCommitted(change: StatusChange): void {
    const key = keyOf(change)
    if (this.#publishedEarly.delete(key)) return
    const same = [...this.#own].filter(own => keyOf(own.change) === key)
    this.notify(change.id, change, same[0]?.owed)
    for (const own of same) {
      own.isTold = true
      own.told()
    }
  }

  /** Tells the subscribers to reload, because notifications may have been lost. */
  missed(): void {
    this.#publishedEarly.clear()
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
