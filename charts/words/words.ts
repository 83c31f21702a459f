/** The names of a chart in words, for its page and for the readers of its drawing. A name without words fails the tests. @module */

export type ChartWords = {
  /** the subject of the chart */
  readonly subject: string
  readonly states: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
  readonly delays: Readonly<Record<string, string>>
  readonly guards: Readonly<Record<string, string>>
  readonly effects: Readonly<Record<string, string>>
  /** by the names of the assignments that change them */
  readonly facts: Readonly<Record<string, string>>
}
