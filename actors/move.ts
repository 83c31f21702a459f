/** One step of an actor in memory. It becomes visible only when it is committed. @module */
import type { AnyTransitionDefinition } from 'xstate'
import { sendWatched } from './inspection/edges.ts'
import type { KindTypes } from './kind.ts'
import type { LiveActor } from './wards.ts'

/** A step that ended in an error: a bug in this product. */
export class ChartError extends Error {
  override readonly name: string = 'ChartError'
  constructor(cause: unknown) {
    super('the chart failed', { cause })
  }
}

/** A row that the chart cannot read. */
export class WakeError extends ChartError {
  override readonly name = 'WakeError'
}

export type MoveOutcome<T extends KindTypes> = {
  readonly snapshot: T['snapshot']
  /** the effects that the chart named during the step */
  readonly named: readonly string[]
  /** the transitions that were taken; empty without a viewer */
  readonly taken: readonly AnyTransitionDefinition[]
}

/** @param isWatched true if the transitions are wanted
 *  @throws {ChartError} */
export function move<T extends KindTypes>(
  actor: LiveActor<T>,
  event: T['stamped'],
  isWatched: boolean,
): MoveOutcome<T> {
  const named: string[] = []
  const listening = actor.on('*', ({ type }) => named.push(type))
  const taken = isWatched ? sendWatched(actor, event) : []
  if (!isWatched) actor.send(event)
  listening.unsubscribe()
  const snapshot: T['snapshot'] = actor.getSnapshot()
  if (snapshot.status === 'error') throw new ChartError(snapshot.error)
  return { snapshot, named, taken }
}

/** Caches the answers of one turn: a decision has usually asked the chart already about the event that it returns. */
export function onceEach<Event extends object>(can: (event: Event) => boolean): (event: Event) => boolean {
  const answers = new Map<Event, boolean>()
  return event => {
    const known = answers.get(event)
    if (known !== undefined) return known
    const answer = can(event)
    answers.set(event, answer)
    return answer
  }
}
