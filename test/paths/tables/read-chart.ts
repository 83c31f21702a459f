/** Reads the edges of a chart for a comparison with its table: in every state that can be reached, what each event does. @module */
import { type AnyMachineSnapshot, getNextTransitions } from 'xstate'
import { isTimer } from '../../../machines/session-snapshot.ts'
import type { Edge } from './rows.ts'

/** The time of every event that is read. The times of a state are placed around it, so that an end that begins anew is another one. */
export const NOW = 100_000_000

type NamedAction = { readonly type: string; readonly params: unknown }

/** How a chart is read.
 *  @template State a snapshot of it */
export type Reading<State, Event> = {
  /** all that can be reached, each once or more often */
  readonly states: readonly State[]
  /** the same state, with its times placed around `NOW` in every way that matters */
  readonly placed: (state: State) => readonly State[]
  /** every event, at `NOW` */
  readonly events: (state: State) => readonly Event[]
  readonly can: (state: State, event: Event) => boolean
  readonly step: (state: State, event: Event) => readonly [State, readonly NamedAction[]]
  /** state and facts, as words */
  readonly nameOf: (state: State) => string
  readonly triggerOf: (event: Event, state: State) => string
  /** what time alone ends, Unix ms */
  readonly endsOf: (state: State) => readonly (number | null)[]
  /** which ends begin anew, and how long after the event they are */
  readonly timesOf: (before: State, after: State) => readonly string[]
}

/** Every edge of a chart, and what becomes of a state by an event that is refused. */
export type ReadEdge = Edge & {
  readonly after: string
  /** whether each timer that the step starts is the time that is left until an end of the state after it */
  readonly isTimedRightly: boolean
}

export function readChart<State, Event>(reading: Reading<State, Event>): ReadEdge[] {
  const { states, placed, events, nameOf } = reading
  const byName = new Map(states.map(state => [nameOf(state), state]))
  return [...byName.values()]
    .flatMap(placed)
    .flatMap(state => events(state).map(event => edgeOf(reading, state, event)))
}

function edgeOf<State, Event>(reading: Reading<State, Event>, before: State, event: Event): ReadEdge {
  const { can, step, nameOf, triggerOf, endsOf, timesOf } = reading
  const [moved, actions] = step(before, event)
  const after = nameOf(moved)
  return {
    from: nameOf(before),
    trigger: triggerOf(event, before),
    to: can(before, event) ? after : null,
    after,
    effects: effectsAmong(actions).join(' ') || '-',
    times: timesOf(before, moved).join(', ') || '-',
    isTimedRightly: delaysAmong(actions).every(delay => endsOf(moved).includes(NOW + delay)),
  }
}

/** Timers that are started, ms. */
function delaysAmong(actions: readonly NamedAction[]): number[] {
  const raised = actions.filter(({ type }) => type === 'xstate.raise')
  return raised.map(({ params }) => Number(Object(params).delay))
}

/** Effects have no body: their actions only say their names. */
export function effectsAmong(actions: readonly NamedAction[]): string[] {
  const emitted = actions.filter(({ type }) => type === 'xstate.emit')
  return emitted.map(({ params }) => String(Object(Object(params).event).type))
}

/** An actor as it was created at `NOW`, as words. */
export type ReadBeginning = { readonly state: string; readonly times: string }

/** @param times ends that begin with it */
export function readBeginning(state: string, times: readonly string[]): ReadBeginning {
  return { state, times: times.join(', ') || '-' }
}

/** The chart's own events of the deadlines that run in a state. */
export function timersIn(state: AnyMachineSnapshot): `xstate.after.${string}`[] {
  return getNextTransitions(state).flatMap(({ eventType }) => (isTimer(eventType) ? [eventType] : []))
}

/** The end that `word` names, if it is another one than before. */
export function begun(word: string, before: number | null, after: number | null): string[] {
  return after === null || after === before ? [] : [`${word} ${(after - NOW) / 1_000} s`]
}
