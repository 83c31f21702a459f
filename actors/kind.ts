/** What the gate has to know of a kind of actors: which chart they follow, how their rows are written, where they are stored, and what a turn of one does. Each kind is one file in `kinds/`.
 *  @module */
import type { ActorLogic, AnyMachineSnapshot } from 'xstate'
import type { RowChange } from '../stores/store.ts'

/** What the gate itself reads of a row, whatever its kind. */
export type GatedRow = {
  readonly id: string
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart that wrote the row; null: closed without its chart */
  readonly chart: number | null
}

/** The types of a kind. */
export type KindTypes = {
  readonly row: GatedRow
  /** as it is sent */
  readonly event: { readonly type: string }
  /** as the chart gets it: with its time */
  readonly stamped: { readonly type: string }
  readonly snapshot: AnyMachineSnapshot
  /** the effects that are started after the commit, by their names in the chart */
  readonly effect: string
  /** what a commit writes besides the step itself */
  readonly written: object
  /** rows of other tables that the commit inserts */
  readonly inserts: object
}

/** A chart whose actors can start in any of its snapshots. */
export type ChartOf<T extends KindTypes> = ActorLogic<T['snapshot'], T['stamped'], never>

/** Who commits, and when. */
export type Committer = { readonly bootId: string; readonly now: number }

/** The outcome of a step. */
export type Stepped<T extends KindTypes> = {
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
  /** Unix ms at which time alone next causes something */
  dueAt(row: T['row']): number
  /** Whether only time moves the row any more; its actor sleeps until then. */
  isOver(row: T['row']): boolean
  /** Boot id of the process that works on the row, null: nobody does. When it is gone, time has caused something before the row is due. */
  workerOf(row: T['row']): string | null
  /** What time alone has caused; asked for a row that is due, or whose worker is gone.
   *  @throws {Error} if the chart knows of nothing */
  timeEvent(row: T['row'], snapshot: T['snapshot'], now: number): T['stamped']
  /** @returns null: the row is to be deleted */
  rowAfter(before: T['row'], stepped: Stepped<T>, by: Committer): T['row'] | null
  /** @param after null: the row is deleted */
  insertsOf(before: T['row'], after: T['row'] | null, stepped: Stepped<T>, now: number): T['inserts']
  /** The end of a row that its chart cannot move, by plain columns alone (law 4). */
  closed(row: T['row'], now: number): { readonly row: T['row']; readonly inserts: T['inserts'] }
}

/** Where the rows of a kind are stored. */
export interface RowsOf<T extends KindTypes> {
  load(id: string): Promise<T['row'] | null>
  /** The row as this node last knew it, which may be stored no longer: a commit on it proves that it was, and nothing else may rest on it.
   *  Left out, or null: it is not known */
  recent?(id: string): T['row'] | null
  /** The row and every insert, as one `commit` of the store, which says what is returned and thrown. */
  commit(change: RowChange<T['row']>, inserts: T['inserts']): Promise<boolean>
}

/** What a turn does.
 *  @template T the kind */
export type Step<T extends KindTypes> = {
  readonly event: T['event']
  /** What the commit writes besides.
   *  @param asked the effects that the moved chart asks for; none: the work is over */
  readonly written?: (asked: readonly T['effect'][]) => Partial<T['written']>
}

/** Whether the chart takes that event now. */
export type Can<T extends KindTypes> = (event: T['event']) => boolean

/** What to do, seeing the committed row; null: nothing. Pure, may be called again after a lost race. What it throws ends the turn, and nothing changed. */
export type DecideStep<T extends KindTypes> = (row: T['row'], can: Can<T>) => Step<T> | null

/** The row as committed, null: there is none; and whether the chart refused the event. */
export type TurnResult<T extends KindTypes> = {
  readonly row: T['row'] | null
  readonly isRefused: boolean
}

/** Hears of each commit; must not throw.
 *  @param before null: the row is new */
export type CountCommit<T extends KindTypes> = (
  before: T['row'] | null,
  after: T['row'] | null,
  inserts: T['inserts'],
) => void
