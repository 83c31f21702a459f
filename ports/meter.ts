/** What is counted and measured of a running server, as an argument: names, words and labels are those of whoever counts. Nobody who counts depends on how the
 *  figures are read (http/metrics). A label has few values, none of which is a secret or chosen by somebody outside. @module */

/** The labels of one figure, by their names. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

export type Described<Name extends string> = {
  /** in snake case, with its unit, and `_total` at the end of what is counted */
  readonly name: string
  readonly help: string
  readonly labels: readonly Name[]
}

/** A figure as it is now. */
export type Sample<Name extends string> = { readonly labels: Labels<Name>; readonly value: number }

export interface Meter {
  /** Milliseconds with fractions, by a clock that nobody sets: of two readings the difference counts. */
  now(): number
  /** Something that only grows.
   *  @param known labels that are shown from the beginning, as 0: whoever is alerted by an increase hears of the first one too
   *  @returns adds 1 */
  counter<Name extends string>(
    described: Described<Name>,
    known: readonly Labels<Name>[],
  ): (labels: Labels<Name>) => void
  /** How long something takes.
   *  @param bucketsSec the upper ends of its buckets, ascending
   *  @returns adds one, of so many seconds */
  durations<Name extends string>(
    described: Described<Name>,
    bucketsSec: readonly number[],
  ): (labels: Labels<Name>, seconds: number) => void
  /** What is looked at whenever somebody asks.
   *  @param read what it throws is reported, and the figure is left out that time */
  gauge<Name extends string>(
    described: Described<Name>,
    read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
  ): void
}
