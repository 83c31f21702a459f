/** The text on the arrows of a drawing and inside its states. Branches with the same cause and the same target form one block of text. All transitions between
 *  two states share one arrow. @module */
import { type Chart, conditionsOf, conditionText, type Transition } from '../chart.ts'

export type Block = {
  /** the id by which a viewer highlights it: source, cause and target */
  readonly id: string
  /** positions of its branches, from 0, among those with the same source and cause */
  readonly places: readonly number[]
  readonly cause: Transition['cause']
  readonly title: string
  /** conditions and effects, as short lines */
  readonly lines: readonly string[]
}

export type Arrow = {
  /** source and target */
  readonly id: string
  readonly source: string
  readonly target: string
  readonly blocks: readonly Block[]
}

/** The most characters of a line in a block. A longer word is not broken. */
const LINE_LENGTH = 30

function arrowId(source: string, target: string): string {
  return `${source} ${target}`
}

export function blockId(source: string, cause: string, target: string | null): string {
  return `${source} ${cause} ${target ?? source}`
}

export function arrowsOf(chart: Chart): readonly Arrow[] {
  const moving = chart.transitions.filter(({ target }) => target !== null)
  return groupedBy(moving, ({ source, target }) => arrowId(source, String(target))).flatMap(among => {
    const [first] = among
    if (first === undefined || first.target === null) return []
    const { source, target } = first
    return [{ id: arrowId(source, target), source, target, blocks: blocksOf(chart, among) }]
  })
}

/** The transitions of a state that do not leave it. */
export function blocksInside(chart: Chart, state: string): readonly Block[] {
  return blocksOf(
    chart,
    chart.transitions.filter(({ source, target }) => source === state && target === null),
  )
}

/** The blocks of transitions between one source and one target. */
function blocksOf(chart: Chart, among: readonly Transition[]): readonly Block[] {
  return groupedBy(among, ({ cause }) => cause.name).flatMap(branches => {
    const [first] = branches
    if (first === undefined) return []
    const { source, cause, target } = first
    const title = cause.kind === 'delay' ? `after ${cause.name}` : cause.name
    const tried = chart.transitions.filter(each => isOfSameCause(each, first))
    const places = branches.map(each => tried.indexOf(each))
    const lines = linesOf(branches, tried.indexOf(first) > 0)
    return [{ id: blockId(source, cause.name, target), places, cause, title, lines }]
  })
}

function isOfSameCause(one: Transition, other: Transition): boolean {
  return one.source === other.source && one.cause.name === other.cause.name
}

function linesOf(branches: readonly Transition[], isLater: boolean): readonly string[] {
  const short = inShort(branches, isLater)
  if (short !== null) return short
  return branches.flatMap(({ guard, effects }, i) => [
    ...conditionLines(conditionsOf(guard).map(conditionText), i > 0 || isLater),
    ...wrapped('/', effects),
  ])
}

/** The short form of one branch, or of two branches of which the first has further conditions and further effects.
 *  @returns null if the branches have another form */
function inShort(branches: readonly Transition[], isLater: boolean): readonly string[] | null {
  const [first, last = first, ...more] = branches
  if (!first || !last || more.length > 0) return null
  const [all, common] = [first, last].map(({ guard }) => conditionsOf(guard).map(conditionText))
  if (!all || !common?.every(each => all.includes(each))) return null
  if (!last.effects.every(each => first.effects.includes(each))) return null
  const further = first.effects.filter(each => !last.effects.includes(each))
  const only = all.filter(each => !common.includes(each))
  return [
    ...conditionLines(common, isLater),
    ...wrapped('/', last.effects),
    ...(further.length > 0 ? [...wrapped('/', further), ...wrapped('  if', only)] : []),
  ]
}

/** @param isLater true: another branch with the same cause is tried before this one */
function conditionLines(conditions: readonly string[], isLater: boolean): readonly string[] {
  if (conditions.length === 0) return isLater ? ['else'] : []
  return wrapped(isLater ? 'else if' : 'if', conditions)
}

/** Joins words into lines; later lines are indented to the first word. */
function wrapped(lead: string, words: readonly string[]): readonly string[] {
  const joint = lead.endsWith('if') ? ' and' : ','
  const lines: string[] = []
  for (const [i, word] of words.entries()) {
    const text = i < words.length - 1 ? `${word}${joint}` : word
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${text}`.length <= LINE_LENGTH)
      lines[lines.length - 1] = `${last} ${text}`
    else lines.push(`${last === undefined ? lead : ' '.repeat(lead.length)} ${text}`)
  }
  return lines
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}
