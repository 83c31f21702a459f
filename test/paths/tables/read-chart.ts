/** Reads the edges of a chart, for a comparison with its table: the step for each event in every reachable state. @module */
import { type AnyMachineSnapshot, getNextTransitions } from 'xstate'
import { isTimer } from '../../../machines/timers.ts'
import type { Edge } from './rows.ts'

/** The time of every event that is read. The deadlines of a state are placed around it, so that a restarted deadline has another value. */
export const NOW = 100_000_000

type NamedAction = { readonly type: string; readonly params: unknown }

/** The functions that read a chart.
 *  @template State a snapshot of it */
export type Reading<State, Event> = {
  /** all reachable states, each once or more often */
  readonly states: readonly State[]
  /** the same state, with its deadlines placed around `NOW` in every relevant way */
  readonly placed: (state: State) => readonly State[]
  /** every event, at `NOW` */
  readonly events: (state: State) => readonly Event[]
  readonly can: (state: State, event: Event) => boolean
  readonly step: (state: State, event: Event) => readonly [State, readonly NamedAction[]]
  /** state and facts in words */
  readonly nameOf: (state: State) => string
  readonly triggerOf: (event: Event, state: State) => string
  /** deadlines, Unix ms */
  readonly endsOf: (state: State) => readonly (number | null)[]
  /** the deadlines that restart, and their distance from the event */
  readonly timesOf: (before: State, after: State) => readonly string[]
}

/** An edge of a chart, and the state after the event if it is refused. */
export type ReadEdge = Edge & {
  readonly after: string
  /** true if each started timer ends at a deadline of the state after the step, and each new deadline has a started timer */
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
  const [delays, ends] = [delaysAmong(actions), endsOf(moved)]
  const newEnds = ends.flatMap(end => (end === null || endsOf(before).includes(end) ? [] : [end]))
  return {
    from: nameOf(before),
    trigger: triggerOf(event, before),
    to: can(before, event) ? after : null,
    after,
    effects: effectsAmong(actions).join(' ') || '-',
    times: timesOf(before, moved).join(', ') || '-',
    isTimedRightly:
      delays.every(delay => ends.includes(NOW + delay)) && newEnds.every(end => delays.includes(end - NOW)),
  }
}

/** Started timers, ms. */
function delaysAmong(actions: readonly NamedAction[]): number[] {
  const raised = actions.filter(({ type }) => type === 'xstate.raise')
  return raised.map(({ params }) => Number(Object(params).delay))
}

/** Effects have no body: each action only carries the name of its effect. */
export function effectsAmong(actions: readonly NamedAction[]): string[] {
  const emitted = actions.filter(({ type }) => type === 'xstate.emit')
  return emitted.map(({ params }) => String(Object(Object(params).event).type))
}

/** A new actor, created at `NOW`, in words. */
export type ReadBeginning = { readonly state: string; readonly times: string }

/** @param times deadlines that start with it */
export function readBeginning(state: string, times: readonly string[]): ReadBeginning {
  return { state, times: times.join(', ') || '-' }
}

/** The timer events of the deadlines that run in a state. */
export function timersIn(state: AnyMachineSnapshot): `xstate.after.${string}`[] {
  return getNextTransitions(state).flatMap(({ eventType }) => (isTimer(eventType) ? [eventType] : []))
}

/** The deadline that `word` names, if it has changed. */
export function begun(word: string, before: number | null, after: number | null): string[] {
  return after === null || after === before ? [] : [`${word} ${(after - NOW) / 1_000} s`]
}
