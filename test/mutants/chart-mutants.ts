/** The mutants of a chart, one change each: a transition dropped or led to another state, a guard negated or a part of it left out, an effect or an assignment
 *  removed, a deadline moved. The conditions of guards are mutated like any other code. The mutants are found in the unchanged chart. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyNode, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import { deliveryChart } from '../../machines/delivery.ts'
import { loginChart } from '../../machines/keyshare-login.ts'
import { sessionChart } from '../../machines/session.ts'
import {
  actionsOf,
  type ChartChange,
  guardParts,
  nameOf,
  type StateConfig,
  type Transition,
  type TransitionChange,
  type TransitionPlace,
  transitionsOf,
} from './chart-config.ts'
import { changesOf } from './code-mutants.ts'
import { type Edit, type Mutant, withUniqueNames } from './mutant.ts'
import { chosenBySeed } from './seed.ts'

/** The charts, with the file that makes each. */
export const CHARTS: Readonly<Record<string, { readonly file: string; readonly config: StateConfig }>> = {
  session: { file: 'machines/session.js', config: sessionChart.config },
  delivery: { file: 'machines/delivery.js', config: deliveryChart.config },
  login: { file: 'machines/keyshare-login.js', config: loginChart.config },
}

/** The folder of the charts that the server of a mutant imports; tests still import `machines/`. */
export const SERVER_MACHINES = 'machines-of-server'

const CHANGED_CONFIG = '../test/mutants/chart-config.js'

/** @param dist the built program
 *  @param seed chooses the new target of each transition */
export function chartMutants(dist: string, chart: string, seed: number): Mutant[] {
  const { file, config } = CHARTS[chart] ?? {}
  if (!file || !config) throw new Error(`expected a chart (${Object.keys(CHARTS).join(', ')}), got ${chart}`)
  const text = readFileSync(join(dist, file), 'utf8')
  const made = { group: `${chart} chart`, file: file.replace('machines', SERVER_MACHINES) }
  const inConfig = changesIn(chart, config, seed).map(change => ({
    ...made,
    name: `${chart}: ${wordsOf(config, change)}`,
    line: null,
    edits: configEdits(text, change),
    site: null,
  }))
  const inCode = [...deadlinesIn(text), ...changesOf(text)].map(({ words, edit, node }) => ({
    ...made,
    name: `${chart}: ${words}`,
    line: null,
    edits: [edit],
    site: node,
  }))
  return withUniqueNames([...inConfig, ...inCode])
}

function changesIn(chart: string, config: StateConfig, seed: number): ChartChange[] {
  const leaves = leavesOf(config, `#${chart}`)
  return transitionsOf(config).flatMap(({ place, transition }) => {
    const elsewhere = leaves.filter(leaf => !isTarget(chart, place, transition, leaf))
    const target = chosenBySeed(elsewhere, leaf => `${JSON.stringify(place)} ${leaf}`, seed)
    const guards = guardParts(transition.guard)
    const changes: TransitionChange[] = [
      { type: 'dropped' },
      ...(target === undefined ? [] : [{ type: 'retargeted' as const, target }]),
      ...(guards.length > 0 ? [{ type: 'negated' as const }] : []),
      ...guards.map((_, index) => ({ type: 'without guard' as const, index })),
      ...actionsOf(transition).map((_, index) => ({ type: 'without action' as const, index })),
    ]
    return changes.map(change => ({ place, change }))
  })
}

/** The states without inner states, as absolute targets. */
function leavesOf({ states }: StateConfig, name: string): readonly string[] {
  const inner = Object.entries(states ?? {})
  return inner.length === 0 ? [name] : inner.flatMap(([key, state]) => leavesOf(state, `${name}.${key}`))
}

/** True if the transition already leads to that state. A transition without a target stays in its own state. */
function isTarget(chart: string, { path }: TransitionPlace, { target }: Transition, leaf: string): boolean {
  if (target === undefined) return leaf === `#${[chart, ...path].join('.')}`
  if (target.startsWith('#')) return leaf === target
  const whole = `#${[chart, ...path.slice(0, -1), target].join('.')}`
  return leaf === whole || leaf.startsWith(`${whole}.`)
}

function wordsOf(config: StateConfig, { place, change }: ChartChange): string {
  const { path, by, event, index } = place
  const all = transitionsOf(config).filter(
    other => other.place.event === event && other.place.by === by && other.place.path.join() === path.join(),
  )
  const number = all.length > 1 ? ` [${index}]` : ''
  const transition = all[index]?.transition ?? {}
  return `${path.join('.') || 'root'} ${event}${number}: ${verbOf(transition, change)}`
}

function verbOf(transition: Transition, change: TransitionChange): string {
  switch (change.type) {
    case 'dropped':
      return 'dropped'
    case 'retargeted':
      return `led to ${change.target}`
    case 'negated':
      return 'guard negated'
    case 'without guard':
      return `without the guard ${nameOf(guardParts(transition.guard)[change.index])}`
    case 'without action':
      return `without ${nameOf(actionsOf(transition)[change.index])}`
  }
}

/** Passes the changed configuration to `createMachine`. */
function configEdits(text: string, change: ChartChange): Edit[] {
  const [start, end] = argumentOfCreateMachine(text)
  const config = `changedConfig(${text.slice(start, end)}, ${JSON.stringify(change)})`
  const line = `import { changedConfig } from ${JSON.stringify(CHANGED_CONFIG)};\n`
  return [
    { start: 0, end: 0, text: line },
    { start, end, text: config },
  ]
}

function argumentOfCreateMachine(text: string): readonly [number, number] {
  const found: (readonly [number, number])[] = []
  ancestor(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), {
    CallExpression({ callee, arguments: [config] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.property.name === 'createMachine' && config) found.push([config.start, config.end])
    },
  })
  const [range] = found
  if (!range || found.length > 1) throw new Error(`expected one call of createMachine, got ${found.length}`)
  return range
}

/** Each sum of a time and a stay, and each delay, becomes one millisecond longer. */
function deadlinesIn(text: string) {
  const found: { words: string; edit: Edit; node: null }[] = []
  const later = (node: AnyNode): void => {
    const words = text.slice(node.start, node.end).replace(/\s+/g, ' ')
    const edit = { start: node.start, end: node.end, text: `((${text.slice(node.start, node.end)}) + 1)` }
    found.push({ words: `1 ms later: ${words}`, edit, node: null })
  }
  ancestor(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), {
    BinaryExpression(node) {
      if (node.operator === '+' && /(?:^|\.)at$/.test(text.slice(node.left.start, node.left.end))) later(node)
    },
    Property(node) {
      const isList = node.key.type === 'Identifier' && node.key.name === 'delays'
      if (!isList || node.value.type !== 'ObjectExpression') return
      for (const delay of node.value.properties) {
        if (delay.type !== 'Property') continue
        later(delay.value.type === 'ArrowFunctionExpression' ? delay.value.body : delay.value)
      }
    },
  })
  return found
}
