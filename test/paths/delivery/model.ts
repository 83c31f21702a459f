/** The expected delivery while a path is played. The delivery chart receives the same events at the same times as the server. @module */
import { transition } from 'xstate'
import {
  type DeliveryFacts,
  type DeliverySnapshot,
  deliveryChart,
  factsOfDelivery,
  newDelivery,
  type StampedDeliveryEvent,
  wakeDelivery,
} from '../../../machines/delivery.ts'
import { isTimer } from '../../../machines/timers.ts'
import { type DeliveryEdge, distanceOfOther, effectsOf } from './delivery-paths.ts'

export class DeliveryModel {
  version = 1
  /** the states in which its attempts have ended */
  readonly outcomes: string[] = []
  /** the number of posts */
  begun = 0
  #snapshot: DeliverySnapshot

  /** @param at Unix ms of the commit that creates the delivery */
  constructor(at: number) {
    this.#snapshot = wakeDelivery(newDelivery(at))
  }

  get context(): DeliverySnapshot['context'] {
    return this.#snapshot.context
  }

  /** null: deleted */
  get facts(): DeliveryFacts | null {
    return factsOfDelivery(this.#snapshot)
  }

  /** The event of an edge, with the time at which it happens. */
  stamped({ event, isAccepted }: DeliveryEdge, at: number): StampedDeliveryEvent {
    if (isTimer(event.type) && this.#snapshot.value === 'sending') return { ...event, at: this.context.dueAt }
    if (!('attempt' in event)) return { ...event, at }
    return { ...event, attempt: this.context.attempts + (isAccepted ? 0 : distanceOfOther(event)), at }
  }

  /** Applies an event that the chart accepts.
   *  @returns the effects that the step requests */
  move(event: StampedDeliveryEvent): readonly string[] {
    const effects = effectsOf(this.#snapshot, event)
    const [moved] = transition(deliveryChart, this.#snapshot, event)
    this.#snapshot = moved
    this.version += 1
    this.begun += effects.includes('post') ? 1 : 0
    if (!isTimer(event.type) && event.type !== 'operator.replayed') this.outcomes.push(moved.value)
    return effects
  }

  /** The expected content of the store; null if the delivery is deleted. */
  row(): object | null {
    if (this.facts === null) return null
    const { state } = this.facts
    const hasEnded = state === 'delivered' || state === 'givenUp'
    return { ...this.facts, version: this.version, isSending: state === 'sending', hasMessage: !hasEnded }
  }
}
