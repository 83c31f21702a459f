/** The mutants of a built file, one change each:
 *  * A condition never holds or is negated, or a part of it is left out.
 *  * A bound is off by one, or a limit is raised.
 *  * The call of a check is left out, or a call of `can` returns true.
 *  * A limit of time or a timer is removed. @module */
import { type AnyNode, type BinaryExpression, type CallExpression, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import type { Edit } from './mutant.ts'

/** A change in one place, before it gets a file and a unique name. */
export type CodeChange = {
  /** the enclosing function, and the change in words */
  readonly words: string
  readonly edit: Edit
  readonly node: { readonly start: number; readonly end: number } | null
}

type Found = { readonly node: AnyNode; readonly ancestors: readonly AnyNode[]; readonly text: string }
type Operator = (found: Found) => readonly Change[]
type Change = {
  readonly verb: string
  readonly node: Range
  readonly put: string
  readonly at?: Range | null
}
type Range = { readonly start: number; readonly end: number }

const CLOSER: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const EQUALITY: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' }
/** Functions that refuse by throwing, by the first word of their names. */
const CHECK = /^(?:assert|require|check|verify|refuse|reject|forbid|expect|reserve|orThrow)(?![a-z])/
const TIME = /(?:_MS|_SEC|Ms|Sec)$/
const LIMIT = /^(?:MAX|MIN|max|min)(?=[_A-Z])|(?:_BYTES|_BITS|Bytes)$/
/** Code that the compiler generates for `using`. */
const LOWERED = /^(?:result|env)_\d/
const MAX_WORDS = 110

/** @param text of a built file */
export function changesOf(text: string): CodeChange[] {
  const changes: CodeChange[] = []
  const visit = (node: AnyNode, _state: unknown, ancestors: readonly AnyNode[]): void => {
    if (isOfCompiler(ancestors, text)) return
    for (const operator of OPERATORS)
      for (const { verb, node: place, put, at = node } of operator({ node, ancestors, text }))
        changes.push({
          words: `${placeOf(ancestors)}: ${verb} ${shown(text, node)}`,
          edit: { start: place.start, end: place.end, text: put },
          node: at,
        })
  }
  const visitors = Object.fromEntries(VISITED.map(type => [type, visit]))
  ancestor(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), visitors)
  return changes.sort((a, b) => a.edit.start - b.edit.start)
}

const VISITED = [
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'BinaryExpression',
  'ExpressionStatement',
  'CallExpression',
  'VariableDeclarator',
  'Property',
] as const satisfies readonly AnyNode['type'][]

/** Nodes that return a comparison. */
const ANSWERS: ReadonlySet<AnyNode['type'] | undefined> = new Set([
  'ReturnStatement',
  'ArrowFunctionExpression',
  'VariableDeclarator',
])

const OPERATORS: readonly Operator[] = [
  function neverHolds({ node, text }) {
    if (node.type !== 'IfStatement' || LOWERED.test(sliceOf(text, node.test))) return []
    return [{ verb: 'never', node: node.test, put: `(${sliceOf(text, node.test)}, false)`, at: node.test }]
  },
  function otherWay({ node, text }) {
    if (node.type !== 'ConditionalExpression') return []
    return [{ verb: 'other way', node: node.test, put: `!(${sliceOf(text, node.test)})` }]
  },
  function withoutPart({ node, ancestors, text }) {
    if (node.type !== 'LogicalExpression' || node.operator === '??') return []
    const parent = ancestors.at(-2)
    if (parent?.type === 'LogicalExpression' && parent.operator === node.operator) return []
    const parts = partsOf(node, node.operator)
    return parts.map((part, index) => {
      const rest = parts.filter((_, other) => other !== index).map(other => `(${sliceOf(text, other)})`)
      const verb = `without ${brief(sliceOf(text, part))} in`
      return { verb, node, put: `(${rest.join(` ${node.operator} `)})` }
    })
  },
  function offByOne({ node, ancestors, text }) {
    if (node.type !== 'BinaryExpression' || ancestors.at(-2)?.type === 'ForStatement') return []
    const closer = CLOSER[node.operator]
    return closer === undefined ? [] : [{ verb: 'off by one', ...otherOperator(node, text, closer) }]
  },
  /** Only for a comparison that is returned. In a condition, another mutant does the same: the condition that is false, or is left out. */
  function negated({ node, ancestors, text }) {
    if (node.type !== 'BinaryExpression' || !ANSWERS.has(ancestors.at(-2)?.type)) return []
    const opposite = EQUALITY[node.operator]
    return opposite === undefined ? [] : [{ verb: 'negated', ...otherOperator(node, text, opposite) }]
  },
  function withoutCheck({ node }) {
    if (node.type !== 'ExpressionStatement') return []
    const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
    if (call.type !== 'CallExpression' || !CHECK.test(calleeOf(call))) return []
    return [{ verb: 'left out', node: node.expression, put: 'undefined', at: node.expression }]
  },
  function allowed({ node, text }) {
    if (node.type !== 'CallExpression' || calleeOf(node) !== 'can') return []
    return [{ verb: 'always', node, put: `(${sliceOf(text, node)}, true)` }]
  },
  function unbounded({ node, text }) {
    const work = node.type === 'CallExpression' && calleeOf(node) === 'within' ? node.arguments.at(-1) : null
    return work ? [{ verb: 'without the limit of', node, put: `(${sliceOf(text, work)})` }] : []
  },
  function deadTimer({ node }) {
    if (node.type !== 'CallExpression' || calleeOf(node) !== 'setTimeout') return []
    const [fired] = node.arguments
    return fired ? [{ verb: 'nothing at the end of', node: fired, put: '() => {}' }] : []
  },
  function raisedLimit({ node, ancestors, text }) {
    const [key, value] = namedNumber(node, ancestors)
    if (value === null || !(TIME.test(key) || LIMIT.test(key))) return []
    const raised = TIME.test(key) ? '* 2' : '+ 1'
    return [{ verb: `${raised} for`, node: value, put: `(${sliceOf(text, value)}) ${raised}`, at: null }]
  },
]

function otherOperator({ left, right, operator }: BinaryExpression, text: string, other: string) {
  const start = text.indexOf(operator, left.end)
  if (start > right.start) throw new Error(`expected ${operator} between two operands`)
  return { node: { start, end: start + operator.length }, put: other }
}

function sliceOf(text: string, { start, end }: Range): string {
  return text.slice(start, end)
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line
}

/** Shows a condition without its body. */
function shown(text: string, node: AnyNode): string {
  if (node.type === 'IfStatement') return `if (${brief(sliceOf(text, node.test))})`
  if (node.type === 'ConditionalExpression') return `${brief(sliceOf(text, node.test))} ?`
  return brief(sliceOf(text, node))
}

function partsOf(node: AnyNode, operator: string): readonly AnyNode[] {
  if (node.type !== 'LogicalExpression' || node.operator !== operator) return [node]
  return [...partsOf(node.left, operator), ...partsOf(node.right, operator)]
}

function calleeOf({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type !== 'MemberExpression') return ''
  const { property } = callee
  return property.type === 'Identifier' || property.type === 'PrivateIdentifier' ? property.name : ''
}

/** A named number: a constant of the file, or a member of such a constant. */
function namedNumber(node: AnyNode, ancestors: readonly AnyNode[]): readonly [string, AnyNode | null] {
  const isInside = ancestors.some(({ type }) => /Function/.test(type))
  if (isInside) return ['', null]
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init && isNumber(node.init))
    return [node.id.name, node.init]
  if (node.type === 'Property' && node.key.type === 'Identifier' && isNumber(node.value))
    return [node.key.name, node.value]
  return ['', null]
}

function isNumber(node: AnyNode): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number'
  if (node.type === 'Identifier') return /^[A-Z]+[A-Z_]*$/.test(node.name)
  return node.type === 'BinaryExpression' && isNumber(node.left) && isNumber(node.right)
}

/** The nearest function with a name. */
function placeOf(ancestors: readonly AnyNode[]): string {
  for (const node of [...ancestors].reverse()) {
    if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression')
      if (node.id) return node.id.name
    if (node.type === 'MethodDefinition' || node.type === 'Property')
      if (node.key.type === 'Identifier' || node.key.type === 'PrivateIdentifier') return node.key.name
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') return node.id.name
  }
  return 'file'
}

function isOfCompiler(ancestors: readonly AnyNode[], text: string): boolean {
  return ancestors.some(node => node.type === 'VariableDeclarator' && sliceOf(text, node.id).startsWith('__'))
}
