/** A chart as the JSON configuration of an XState machine, which Stately Studio and `createMachine` read. A composed guard becomes one name, because JSON has
 *  no functions. @module */
import { type Chart, type ChartState, conditionText, statesBelow, type Transition } from '../chart.ts'
import type { ChartWords } from '../words/words.ts'

type Described = { readonly chart: Chart; readonly words: ChartWords }
type Json = { readonly [name: string]: unknown }

export function machineJson(chart: Chart, words: ChartWords): string {
  const machine = {
    id: chart.name,
    description: words.subject,
    initial: chart.initial,
    states: statesJson({ chart, words }, null),
  }
  return `${JSON.stringify(machine, null, 2)}\n`
}

function statesJson(described: Described, parent: string | null): Json {
  const below = statesBelow(described.chart, parent)
  return Object.fromEntries(below.map(state => [state.name, stateJson(described, state)]))
}

function stateJson(described: Described, { id, kind, initial }: ChartState): Json {
  const { chart, words } = described
  const first = chart.states.find(state => state.id === initial)
  const below = statesJson(described, id)
  return {
    ...(words.states[id] !== undefined && { description: words.states[id] }),
    ...((kind === 'parallel' || kind === 'final') && { type: kind }),
    ...(first && { initial: first.name }),
    ...causesJson(described, id, 'delay'),
    ...causesJson(described, id, 'event'),
    ...(Object.keys(below).length > 0 && { states: below }),
  }
}

function causesJson({ chart, words }: Described, state: string, kind: Transition['cause']['kind']): Json {
  const own = chart.transitions.filter(({ source, cause }) => source === state && cause.kind === kind)
  const names = [...new Set(own.map(({ cause }) => cause.name))]
  if (names.length === 0) return {}
  const branches = names.map(name => [
    name,
    own.filter(({ cause }) => cause.name === name).map(each => transitionJson(chart, words, each)),
  ])
  return { [kind === 'delay' ? 'after' : 'on']: Object.fromEntries(branches) }
}

function transitionJson(chart: Chart, words: ChartWords, transition: Transition): Json {
  const { cause, guard, target, facts, effects } = transition
  const description = words.events[cause.name]
  const actions = [...facts, ...effects]
  return {
    ...(guard !== null && { guard: conditionText(guard) }),
    ...(target !== null && { target: `#${chart.name}.${target}` }),
    ...(actions.length > 0 && { actions }),
    ...(description !== undefined && { description }),
  }
}
