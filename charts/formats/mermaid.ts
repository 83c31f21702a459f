/** A chart as a mermaid state diagram. Transitions that do not leave a state are written in the box of the state. @module */
import { type Chart, type ChartState, statesBelow, type Transition } from '../chart.ts'
import { transitionText } from './transition-text.ts'

export function mermaidText(chart: Chart): string {
  const lines = [
    'stateDiagram-v2',
    ...indented([
      `[*] --> ${nameOf(chart.initial)}`,
      ...statesBelow(chart, null).flatMap(state => stateLines(chart, state)),
      ...movesBetween(chart, null).map(moveLine),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** A dot in a name would be parsed as mermaid syntax. */
function nameOf(state: string): string {
  return state.replaceAll('.', '_')
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map(line => `  ${line}`)
}

function stateLines(chart: Chart, state: ChartState): readonly string[] {
  const { id, name, kind, initial } = state
  const alias = nameOf(id)
  const inside = chart.transitions.filter(({ source, target }) => source === id && target === null)
  const below = statesBelow(chart, id)
  const label = `state "${name}" as ${alias}`
  if (kind === 'final') return [label, `${alias} --> [*]`]
  if (below.length === 0) return [label, ...inside.map(each => `${alias} : ${transitionText(each)}`)]
  const parts = below.map(child => stateLines(chart, child))
  return [
    `${label} {`,
    ...indented([
      ...(initial === null ? [] : [`[*] --> ${nameOf(initial)}`]),
      ...parts.flatMap((part, i) => (kind === 'parallel' && i > 0 ? ['--', ...part] : part)),
      ...movesBetween(chart, id).map(moveLine),
    ]),
    '}',
    ...(inside.length === 0
      ? []
      : [`note left of ${alias}`, ...indented(inside.map(transitionText)), 'end note']),
  ]
}

/** The transitions whose nearest common ancestor is `parent`. */
function movesBetween({ states, transitions }: Chart, parent: string | null): readonly Transition[] {
  const ancestorsOf = (id: string): readonly (string | null)[] => {
    const above = states.find(state => state.id === id)?.parent ?? null
    return above === null ? [null] : [above, ...ancestorsOf(above)]
  }
  return transitions.filter(({ source, target }) => {
    if (target === null) return false
    const common = ancestorsOf(source).find(each => ancestorsOf(target).includes(each))
    return common === parent
  })
}

function moveLine(move: Transition): string {
  return `${nameOf(move.source)} --> ${nameOf(String(move.target))} : ${transitionText(move)}`
}
