/** The edges of a chart that a step took, by names that a drawing of the chart has too. @module */
import type { ActorRef, AnyTransitionDefinition, EventObject, Snapshot } from 'xstate'

/** A transition of a chart. */
export type Edge = {
  /** path of the state that has it: `CONNECTED.checking` */
  readonly source: string
  /** name of its event, or of the delay at whose end it is taken: `server.checked`, `untilDeadline` */
  readonly cause: string
  /** its place, from 0, among the transitions of this state by this cause, in the order in which the chart tries them */
  readonly place: number
}

const TIMER = 'xstate.after.'

/** Lets an actor take an event, and watches its system for as long as that takes.
 *  @returns the transitions that it took */
export function sendWatched<Event extends EventObject>(
  actor: Pick<ActorRef<Snapshot<unknown>, Event>, 'sessionId' | 'system' | 'send'>,
  event: Event,
): readonly AnyTransitionDefinition[] {
  const taken: AnyTransitionDefinition[] = []
  const watching = actor.system.inspect(seen => {
    if (seen.type === '@xstate.microstep' && seen.actorRef.sessionId === actor.sessionId)
      taken.push(...seen._transitions)
  })
  actor.send(event)
  watching.unsubscribe()
  return taken
}

/** @returns none for what is no transition of the chart itself */
export function edgesOf(transition: AnyTransitionDefinition): readonly Edge[] {
  const { source, eventType } = transition
  const place = (source.transitions.get(eventType) ?? []).indexOf(transition)
  return place < 0 ? [] : [{ source: source.path.join('.'), cause: causeOf(eventType, source.id), place }]
}

/** The event of a timer holds the name of its delay and the id of its state. */
function causeOf(eventType: string, stateId: string): string {
  return eventType.startsWith(TIMER) ? eventType.slice(TIMER.length, -(stateId.length + 1)) : eventType
}
