/** The page of a chart in Markdown: its picture, its transitions as a table, and the words for every name. @module */
import { type Chart, conditionsOf, conditionText, type Transition } from '../../charts/chart.ts'
import { causeText } from '../../charts/formats/transition-text.ts'
import type { ChartWords } from '../../charts/words/words.ts'

export function chartPage(chart: Chart, words: ChartWords): string {
  const { name } = chart
  return [
    `# The chart of a ${name}`,
    `${words.subject} The chart is defined in \`machines/\`; \`npm run docs\` writes this page and its picture. \`svc chart ${name}\` prints the chart, also for Stately Studio and mermaid.`,
    `![The statechart of a ${name}](${name}.svg)`,
    'In the picture, `if` precedes guards, and `/` precedes effects. A transition in the box of a state does not leave that state. Facts are the data that a transition changes, stored with the state.',
    '## States',
    table(
      ['State', 'Meaning'],
      chart.states.map(({ id }) => [code(id), words.states[id] ?? '']),
    ),
    '## Transitions',
    'Branches of one event are tried from top to bottom. An event that is not in this table is refused.',
    table(['In', 'When', 'If', 'Then', 'Effects', 'Facts'], chart.transitions.map(rowOf)),
    ...section('Events', words.events, 'Meaning'),
    ...section('Delays', words.delays, 'Meaning'),
    ...section('Guards', words.guards, 'Holds if'),
    ...section('Effects', words.effects, 'Meaning'),
    ...section('Facts', words.facts, 'New value'),
  ]
    .join('\n\n')
    .concat('\n')
}

function section(title: string, words: Readonly<Record<string, string>>, column: string): readonly string[] {
  const rows = Object.entries(words).map(([name, text]) => [code(name), text])
  return [`## ${title}`, table(['Name', column], rows)]
}

function rowOf(transition: Transition): readonly string[] {
  const { source, guard, target, effects, facts } = transition
  return [
    code(source),
    code(causeText(transition)),
    conditionsOf(guard).map(conditionText).map(code).join(' and '),
    target === null ? 'stays' : code(target),
    effects.map(code).join(', '),
    facts.map(code).join(', '),
  ]
}

function code(text: string): string {
  return `\`${text}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
