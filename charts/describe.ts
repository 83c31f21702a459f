/** Reads a chart from its XState definition. A construct that it cannot show is an error, so no drawing silently omits a part. @module */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import type { Chart, ChartName, ChartState, Guard, Transition } from './chart.ts'

const TIMER = 'xstate.after.'

export function describeChart(name: ChartName, machine: AnyStateMachine): Chart {
  const nodes = nodesBelow(machine.root)
  return {
    name,
    initial: initialOf(machine.root) ?? fail(`${name}: expected a state to begin in, got none`),
    states: nodes.map(describeState),
    transitions: nodes.flatMap(node => transitionsOf(machine, node)),
  }
}

function fail(message: string): never {
  throw new Error(`chart ${message}`)
}

function nodesBelow(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).flatMap(child => [child, ...nodesBelow(child)])
}

function idOf(node: AnyStateNode): string {
  return node.path.join('.')
}

function initialOf(node: AnyStateNode): string | null {
  const first = node.type === 'compound' ? node.initial.target[0] : undefined
  return first ? idOf(first) : null
}

function describeState(node: AnyStateNode): ChartState {
  const { key: name, type: kind, parent, config } = node
  const id = idOf(node)
  if (kind === 'history') fail(`state ${id}: expected a kind that is drawn, got history`)
  for (const part of ['entry', 'exit', 'invoke', 'always', 'onDone'])
    if (part in config) fail(`state ${id}: expected after and on alone, got ${part}`)
  return {
    id,
    name,
    parent: parent && parent.path.length > 0 ? idOf(parent) : null,
    kind,
    initial: initialOf(node),
  }
}

function transitionsOf(machine: AnyStateMachine, node: AnyStateNode): readonly Transition[] {
  const source = idOf(node)
  return [...node.transitions.values()].flat().map(({ eventType, guard, target, actions }) => {
    const [to, ...more] = (target ?? []).map(idOf)
    if (more.length > 0) fail(`state ${source}: expected one target, got ${more.length + 1}`)
    return {
      source,
      cause: causeOf(eventType, node),
      guard: guard === undefined ? null : guardOf(guard),
      target: to === undefined || to === source ? null : to,
      ...actionsOf(machine, actions.map(nameOfAction)),
    }
  })
}

/** The event of a timer contains the name of its delay and the id of its state. */
function causeOf(eventType: string, node: AnyStateNode): Transition['cause'] {
  const end = `.${node.id}`
  if (!eventType.startsWith(TIMER)) return { kind: 'event', name: eventType }
  return { kind: 'delay', name: eventType.slice(TIMER.length, -end.length) }
}

function nameOfAction(action: unknown): string {
  if (typeof action === 'string') return action
  if (typeof action === 'object' && action !== null && 'type' in action) return String(action.type)
  return fail(`expected actions by their names, got ${String(action)}`)
}

/** An emitted action is an effect, an assigning action is a fact. */
function actionsOf(
  machine: AnyStateMachine,
  names: readonly string[],
): Pick<Transition, 'effects' | 'facts'> {
  const kindOf = (name: string): unknown => Object(machine.implementations.actions[name]).type
  const unknown = names.find(name => kindOf(name) !== 'xstate.emit' && kindOf(name) !== 'xstate.assign')
  if (unknown !== undefined) fail(`action ${unknown}: expected one that emits or assigns, got another`)
  return {
    effects: names.filter(name => kindOf(name) === 'xstate.emit'),
    facts: names.filter(name => kindOf(name) === 'xstate.assign'),
  }
}

function guardOf(guard: unknown): Guard {
  if (typeof guard === 'string') return { kind: 'name', name: guard }
  if (typeof guard === 'object' && guard !== null && 'type' in guard)
    return { kind: 'name', name: String(guard.type) }
  if (typeof guard === 'function') {
    if ('stateValue' in guard) return { kind: 'in', state: pathIn(guard.stateValue).join('.') }
    const parts = 'guards' in guard && Array.isArray(guard.guards) ? guard.guards.map(guardOf) : []
    const [only] = parts
    if (guard.name === 'and') return { kind: 'and', guards: parts }
    if (guard.name === 'not' && only) return { kind: 'not', guard: only }
  }
  return fail(`expected a guard by its name, or and, not or stateIn of some, got ${String(guard)}`)
}

/** The path in `{ active: { challenge: 'pending' } }`. */
function pathIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split('.')
  return Object.entries(Object(value)).flatMap(([name, below]) => [name, ...pathIn(below)])
}
