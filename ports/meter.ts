/** Counters and measurements of a running server, as an argument. The caller chooses names, texts and labels, and does not depend on the way the
 *  figures are read (http/metrics). A label has few values; none is secret or comes from outside. @module */

/** The labels of one figure, by name. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

export type FigureDescription<Name extends string> = {
  /** in snake case, with its unit; the name of a counter ends in `_total` */
  readonly name: string
  readonly help: string
  readonly labels: readonly Name[]
}

/** The current value of a figure. */
export type Sample<Name extends string> = { readonly labels: Labels<Name>; readonly value: number }

export interface Meter {
  /** Milliseconds with fractions, by a monotonic clock. Only the difference of two readings has a meaning. */
  now(): number
  /** A counter, which only grows.
   *  @param known labels that are shown as 0 from the start, so that an alert on an increase also sees the first event
   *  @returns adds 1 */
  counter<Name extends string>(
    described: FigureDescription<Name>,
    known: readonly Labels<Name>[],
  ): (labels: Labels<Name>) => void
  /** A histogram of durations.
   *  @param bucketsSec the upper bounds of its buckets, ascending
   *  @returns adds one duration in seconds */
  durations<Name extends string>(
    described: FigureDescription<Name>,
    bucketsSec: readonly number[],
  ): (labels: Labels<Name>, seconds: number) => void
  /** A value that is read for each report.
   *  @param read its errors are reported, and the figure is left out of that report */
  gauge<Name extends string>(
    described: FigureDescription<Name>,
    read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
  ): void
}
