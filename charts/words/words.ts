/** The names of a chart in words, for its page and for whoever looks at a drawing of it. A name without words stops the tests. @module */

export type ChartWords = {
  /** what the chart is about */
  readonly subject: string
  readonly states: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
  readonly delays: Readonly<Record<string, string>>
  readonly guards: Readonly<Record<string, string>>
  readonly effects: Readonly<Record<string, string>>
  /** by the names of the assignments that change them */
  readonly facts: Readonly<Record<string, string>>
}
