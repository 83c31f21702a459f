/** The properties of a kind of actors that the gate needs: its chart, how its rows are written and stored, and the steps of a turn. Each kind is one file in
 *  `kinds/`. @module */
import type { ActorLogic, AnyMachineSnapshot } from 'xstate'
import type { RowChange } from '../stores/store.ts'

/** The columns that the gate itself reads, for any kind. */
export type GatedRow = {
  readonly id: string
  /** counts commits, from 1 */
  readonly version: number
  /** version number of the chart that wrote the row; null: closed without its chart */
  readonly chart: number | null
}

/** The types of a kind. */
export type KindTypes = {
  readonly row: GatedRow
  /** as sent */
  readonly event: { readonly type: string }
  /** as the chart receives it: with its time */
  readonly stamped: { readonly type: string }
  readonly snapshot: AnyMachineSnapshot
  /** names of the effects that are started after the commit */
  readonly effect: string
  /** data that a commit writes besides the step itself */
  readonly written: object
  /** rows of other tables that the commit inserts */
  readonly inserts: object
}

/** A chart whose actors can start in any of its snapshots. */
export type ChartOf<T extends KindTypes> = ActorLogic<T['snapshot'], T['stamped'], undefined>

/** The process that commits, and the time of the commit. */
export type Committer = { readonly bootId: string; readonly now: number }

/** The outcome of a step. */
export type StepOutcome<T extends KindTypes> = {
  readonly snapshot: T['snapshot']
  /** every effect that the chart named, in its order */
  readonly named: readonly string[]
  readonly written: Partial<T['written']>
}

export interface Kind<T extends KindTypes> {
  /** for messages */
  readonly name: string
  readonly chart: ChartOf<T>
  /** stored with every row */
  readonly number: number
  readonly effects: readonly T['effect'][]
  /** The snapshot that the row's actor starts in.
   *  @throws {Error} for a row that this chart cannot have written */
  wake(row: T['row']): T['snapshot']
  stamped(event: T['event'], row: T['row'], at: number): T['stamped']
  /** Unix ms at which the next event is due without any call */
  dueAt(row: T['row']): number
  /** True if only time can still change the row. No actor is kept in memory for such a row. */
  isOver(row: T['row']): boolean
  /** Boot id of the process that works on the row; null: none. If that process is gone, time causes an event before the row is due. */
  workerOf(row: T['row']): string | null
  /** The event that time alone has caused. Called for a row that is due, or whose worker is gone.
   *  @throws {Error} if the chart has no such event */
  timeEvent(row: T['row'], snapshot: T['snapshot'], now: number): T['stamped']
  /** @returns null: the row is to be deleted */
  rowAfter(before: T['row'], stepped: StepOutcome<T>, by: Committer): T['row'] | null
  /** @param after null: the row is deleted */
  insertsOf(before: T['row'], after: T['row'] | null, stepped: StepOutcome<T>, now: number): T['inserts']
  /** Ends a row that its chart cannot move, using its plain columns only (spec/laws#4). */
  closed(row: T['row'], now: number): { readonly row: T['row']; readonly inserts: T['inserts'] }
}

/** Where the rows of a kind are stored. */
export interface RowsOf<T extends KindTypes> {
  load(id: string): Promise<T['row'] | null>
  /** The row as this node last knew it, which may be outdated. Only a turn that commits may use it, because a commit on an outdated row fails. Left out, or null:
   *  unknown */
  recent?(id: string): T['row'] | null
  /** Writes the row and every insert in one `commit` of the store, with the same result and errors. */
  commit(change: RowChange<T['row']>, inserts: T['inserts']): Promise<boolean>
}

/** One turn.
 *  @template T the kind */
export type Step<T extends KindTypes> = {
  readonly event: T['event']
  /** Further data for the commit.
   *  @param asked the effects that the moved chart asks for; none: the work has ended */
  readonly written?: (asked: readonly T['effect'][]) => Partial<T['written']>
}

/** True if the chart accepts the event now. */
export type AcceptsEvent<T extends KindTypes> = (event: T['event']) => boolean

/** Decides on the committed row; null: do nothing. Pure, and may be called again after a lost race. A thrown error ends the turn without a change. */
export type DecideStep<T extends KindTypes> = (row: T['row'], can: AcceptsEvent<T>) => Step<T> | null

/** The row as committed (null: there is none), and whether the chart refused the event. */
export type TurnResult<T extends KindTypes> = {
  readonly row: T['row'] | null
  readonly isRefused: boolean
}

/** Receives each commit of this node, within its turn; must not throw.
 *  @param before null: the row is new */
export type CountCommit<T extends KindTypes> = (
  before: T['row'] | null,
  after: T['row'] | null,
  inserts: T['inserts'],
) => void
