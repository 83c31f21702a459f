/** The events that time alone causes in a chart: XState's own, one for each delay that elapses. An actor that starts in its first state raises them by itself. The
 *  gate asks the chart for the next one and sends it, because it keeps no timer for each actor. It also has to: XState starts a timer when a state is entered.
 *  An actor that is restored from `getPersistedSnapshot()` enters no state, so its active states have no timer until it leaves or enters them again. @module */
import { type AnyMachineSnapshot, getNextTransitions } from 'xstate'

type TimerType = `xstate.after.${string}`

/** The gate adds the time at which the delay elapsed (Unix ms), however late it is noticed. */
export type TimerEvent = { readonly type: TimerType; readonly at?: number }

/** A timer event of the gate. */
export type DueEvent = Required<TimerEvent>

/** Unix ms at which each delay of a chart elapses, by the name of the delay; null: its state is not active. */
export type Ends<Context> = Readonly<Record<string, (context: Context) => number | null>>

export function isTimer(eventType: string): eventType is TimerType {
  return eventType.startsWith('xstate.after.')
}

/** @param otherwise the time of an event without `at`: a timer of XState itself has none */
export function timeOf(event: { readonly type: string; readonly at?: number }, otherwise: number): number {
  return event.at ?? otherwise
}

/** The next event that time alone causes; of several, the earliest. Null: time alone moves nothing. */
export function nextDue<Snapshot extends AnyMachineSnapshot>(
  snapshot: Snapshot,
  ends: Ends<Snapshot['context']>,
): DueEvent | null {
  let next: DueEvent | null = null
  for (const { eventType: type } of getNextTransitions(snapshot)) {
    if (!isTimer(type)) continue
    const at = ends[delayOf(type)]?.(snapshot.context) ?? null
    if (at === null) throw new Error(`chart: expected the end of ${delayOf(type)}, got none`)
    if (next === null || at < next.at) next = { type, at }
  }
  return next
}

/** The name of the delay in the event of its timer. */
function delayOf(type: TimerType): string {
  return type.split('.')[2] ?? ''
}
