/** The form of a table that is typed by hand from the specification, and its differences from the edges of a chart, as rows. A state is written in words:
 *  the state of the chart, then the facts that decide the next step. @module */

/** @property from `*`: any word; `a|b`: one of them
 *  @property to `=`: the same word as before
 *  @property effects in their order; `-`: none
 *  @property times the deadlines that restart, and their distance from the event; `-`: none */
export type Row = readonly [
  section: string,
  trigger: string,
  from: string,
  to: string,
  effects: string,
  times: string,
]

/** The first state of an actor (`(none)` of the specification). Only its creation leads there.
 *  @property times as in a row */
export type Beginning = readonly [section: string, state: string, times: string]

/** The reaction of a chart to an event in a state; `to` is null if it refuses the event. */
export type Edge = {
  readonly from: string
  readonly trigger: string
  readonly to: string | null
  readonly effects: string
  readonly times: string
}

/** The differences between a table and the edges of a chart, each as a row. Empty if both agree. */
export function differences(table: readonly Row[], edges: readonly Edge[]): string[] {
  const states = [...new Set(edges.map(({ from }) => from))]
  const wanted = new Map<string, Edge>()
  const odd: string[] = []
  for (const row of table) {
    const meant = states.filter(state => matches(row[2], state)).map(state => edgeOf(row, state))
    if (meant.length === 0) odd.push(`no such state: ${row.join(' | ')}`)
    for (const edge of meant) {
      if (wanted.has(keyOf(edge))) odd.push(`two rows: ${keyOf(edge)}`)
      wanted.set(keyOf(edge), edge)
    }
  }
  odd.push(...undecided(edges))
  const found = new Map(edges.filter(({ to }) => to !== null).map(edge => [keyOf(edge), edge]))
  for (const [key, edge] of wanted) odd.push(...oddOf(edge, found.get(key)))
  for (const [key, edge] of found) if (!wanted.has(key)) odd.push(`too many: ${textOf(edge)}`)
  return odd
}

/** Different edges with the same state and trigger: the words lack the fact that decides. */
function undecided(edges: readonly Edge[]): string[] {
  const first = new Map<string, string>()
  const odd = new Set<string>()
  for (const edge of edges) {
    const text = textOf(edge)
    const known = first.get(keyOf(edge))
    if (known === undefined) first.set(keyOf(edge), text)
    else if (known !== text) odd.add(`two edges: ${known} and ${text}`)
  }
  return [...odd]
}

function oddOf(wanted: Edge, found: Edge | undefined): string[] {
  if (found === undefined) return [`missing: ${textOf(wanted)}`]
  return (['to', 'effects', 'times'] as const)
    .filter(column => wanted[column] !== found[column])
    .map(column => `other ${column}: ${keyOf(wanted)}: expected ${wanted[column]}, got ${found[column]}`)
}

function edgeOf([, trigger, , to, effects, times]: Row, from: string): Edge {
  const words = from.split(' ')
  const moved = to.split(' ').map((word, i) => (word === '=' ? (words[i] ?? '') : word))
  return { from, trigger, to: moved.join(' '), effects, times }
}

/** True if `pattern` matches a state in words. */
export function matches(pattern: string, state: string): boolean {
  const [wanted, words] = [pattern.split(' '), state.split(' ')]
  return wanted.length === words.length && wanted.every((word, i) => isMeant(word, words[i] ?? ''))
}

function isMeant(pattern: string, word: string): boolean {
  return pattern.split('|').some(each => {
    const [before = '', ...after] = each.split('*')
    if (after.length === 0) return each === word
    return word.startsWith(before) && word.endsWith(after.join('*'))
  })
}

function keyOf({ from, trigger }: Edge): string {
  return `${from} | ${trigger}`
}

function textOf({ from, trigger, to, effects, times }: Edge): string {
  return [from, trigger, to, effects, times].join(' | ')
}
