/** The edges of a chart that a step took, with the names that a drawing of the chart uses. @module */
import type { ActorRef, AnyTransitionDefinition, EventObject, Snapshot } from 'xstate'

/** A transition of a chart. */
export type Edge = {
  /** path of the state that has it: `CONNECTED.checking` */
  readonly source: string
  /** name of its event, or of the delay that ended: `server.checked`, `retention` */
  readonly cause: string
  /** position, from 0, among the transitions of this state with this cause, in the order in which the chart tries them */
  readonly place: number
}

const TIMER = 'xstate.after.'

/** Sends an event to an actor, and inspects its system during that time.
 *  @returns the transitions that were taken */
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

/** @returns empty for a transition that is not the chart's own */
export function edgesOf(transition: AnyTransitionDefinition): readonly Edge[] {
  const { source, eventType } = transition
  const place = (source.transitions.get(eventType) ?? []).indexOf(transition)
  return place < 0 ? [] : [{ source: source.path.join('.'), cause: causeOf(eventType, source.id), place }]
}

/** The event of a timer contains the name of its delay and the id of its state. */
function causeOf(eventType: string, stateId: string): string {
  return eventType.startsWith(TIMER) ? eventType.slice(TIMER.length, -(stateId.length + 1)) : eventType
}
