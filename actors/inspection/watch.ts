/** How a gate reports its steps. Nothing is created for it while no viewer is connected. @module */
import type { AnyTransitionDefinition } from 'xstate'
import type { ChartName } from '../../charts/chart.ts'
import type { KindTypes } from '../kind.ts'
import { edgesOf } from './edges.ts'
import type { Inspection } from './inspection.ts'
import { shownEvent } from './shown.ts'
import type { ShownActor, View } from './views.ts'

/** A committed step. */
export type CommittedStep<T extends KindTypes> = {
  readonly event: T['stamped']
  /** the transitions of the chart that were taken */
  readonly taken: readonly AnyTransitionDefinition[]
  readonly before: T['row']
  /** null: the row was deleted */
  readonly after: T['row'] | null
  /** true if the actor is in memory after the step */
  readonly isAwake: boolean
  readonly inserts: T['inserts']
}

export interface Watch<T extends KindTypes> {
  /** True if the steps of that row are wanted. */
  isOn(id: string): boolean
  stepped(step: CommittedStep<T>): void
  /** A commit without a step of the chart: the row is new, it was closed, or (null) it was closed before and is now deleted. Also a step that was not watched
   *  at its beginning. */
  changed(id: string, row: T['row'] | null, inserts: T['inserts']): void
}

/** @param view makes the view of a row of that kind
 *  @param inserted makes the views of the other actors that a commit creates */
export function watchOf<T extends KindTypes>(
  inspection: Inspection,
  chart: ChartName,
  view: View<T['row']>,
  inserted: (inserts: T['inserts']) => readonly ShownActor[] = () => [],
): Watch<T> {
  return {
    isOn: id => inspection.isFollowed(id),
    stepped: ({ event, taken, before, after, isAwake, inserts }) =>
      inspection.safely(() => {
        inspection.stepped({
          chart,
          id: before.id,
          event: shownEvent(chart, event),
          edges: taken.flatMap(edgesOf),
          before: view(before, true).states,
          actor: after && view(after, isAwake),
        })
        for (const actor of inserted(inserts)) inspection.changed(actor.chart, actor.id, actor)
      }),
    changed: (id, row, inserts) =>
      inspection.safely(() => {
        if (!inspection.isFollowed(id)) return
        inspection.changed(chart, id, row && view(row, false))
        for (const actor of inserted(inserts)) inspection.changed(actor.chart, actor.id, actor)
      }),
  }
}
