/** The messages of `@statelyai/inspect` 0.7 (`@xstate.actor`, `@xstate.event`, `@xstate.snapshot`), one JSON object in each frame. The window of the Stately
 *  Inspector reads them, and so do `createWebSocketReceiver` and the bridge of the library. They contain only the fields that inspectors may see
 *  (actors/inspection/shown.ts). The library itself would send whole contexts, and would send them before a step is committed. @module */

import type { ShownEvent, ShownFields } from '../../actors/inspection/shown.ts'
import type { ShownActor, ShownStep } from '../../actors/inspection/views.ts'
import { CHARTS } from '../../charts/all-charts.ts'
import type { ChartName } from '../../charts/chart.ts'
import { machineJson } from '../../charts/formats/machine-json.ts'
import { WORDS } from '../../charts/words/all-words.ts'

/** The version of the library whose messages these are. */
const VERSION = '0.7.2'

/** A snapshot as the receiver reads it. */
type Snapshot = {
  readonly status: 'active' | 'done'
  readonly value?: unknown
  readonly context?: ShownFields
}

type Base = {
  readonly _version: string
  /** Unix ms in decimal digits */
  readonly createdAt: string
  readonly id: string
  /** id of the actor, the same in all of its messages */
  readonly sessionId: string
  /** each actor is the root of a tree of its own */
  readonly rootId: string
}

type EventObject = { readonly type: string } & { readonly [field: string]: unknown }

export type StatelyMessage = Base &
  (
    | {
        readonly type: '@xstate.actor'
        readonly name: string
        readonly parentId?: undefined
        /** the configuration of the chart, JSON */
        readonly definition: string
        readonly snapshot: Snapshot
      }
    | { readonly type: '@xstate.event'; readonly event: EventObject; readonly sourceId?: undefined }
    | { readonly type: '@xstate.snapshot'; readonly event: EventObject; readonly snapshot: Snapshot }
  )

/** Each chart as JSON. */
const DEFINITIONS: Readonly<Record<ChartName, string>> = {
  session: machineJson(CHARTS.session, WORDS.session),
  delivery: machineJson(CHARTS.delivery, WORDS.delivery),
  login: machineJson(CHARTS.login, WORDS.login),
}

/** The final state of every chart; the row is deleted. */
const FORGOTTEN: Snapshot = { status: 'done', value: 'forgotten' }

function baseOf(id: string, at: number, suffix: string): Base {
  return { _version: VERSION, createdAt: String(at), id: `${id}/${suffix}`, sessionId: id, rootId: id }
}

/** @param at Unix ms */
export function actorMessage(actor: ShownActor, at: number): StatelyMessage {
  const { chart, id, version } = actor
  return {
    type: '@xstate.actor',
    ...baseOf(id, at, `${version}/actor`),
    name: `${chart} ${id.slice(0, 8)}`,
    definition: DEFINITIONS[chart],
    snapshot: snapshotOf(actor),
  }
}

/** The event, then the snapshot after it. */
export function stepMessages({ id, event, actor }: ShownStep, at: number): readonly StatelyMessage[] {
  const version = actor?.version ?? 'end'
  const sent = eventObject(event)
  const snapshot = actor ? snapshotOf(actor) : FORGOTTEN
  return [
    { type: '@xstate.event', ...baseOf(id, at, `${version}/event`), event: sent },
    { type: '@xstate.snapshot', ...baseOf(id, at, `${version}/snapshot`), event: sent, snapshot },
  ]
}

function eventObject({ type, fields }: ShownEvent): EventObject {
  return { ...fields, type }
}

function snapshotOf({ states, facts }: ShownActor): Snapshot {
  return { status: 'active', value: nestedValue(states), context: facts }
}

/** The value of a state, from its leaves: `a.b` is `{a: 'b'}`. */
function nestedValue(leaves: readonly string[]): unknown {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined && !only.includes('.')) return only
  const below = new Map<string, string[]>()
  for (const leaf of leaves) {
    const dot = leaf.indexOf('.')
    const head = leaf.slice(0, dot)
    below.set(head, [...(below.get(head) ?? []), leaf.slice(dot + 1)])
  }
  return Object.fromEntries([...below].map(([head, paths]) => [head, nestedValue(paths)]))
}
