/** The formats of a chart for other programs contain the whole chart. */
import * as assert from 'uvu/assert'
import { type AnyStateMachine, createMachine } from 'xstate'
import { type Chart, conditionText } from '../../charts/chart.ts'
import { describeChart } from '../../charts/describe.ts'
import { machineJson } from '../../charts/formats/machine-json.ts'
import { mermaidText } from '../../charts/formats/mermaid.ts'
import { transitionText } from '../../charts/formats/transition-text.ts'
import { WORDS } from '../../charts/words/all-words.ts'
import { deliveryChart } from '../../machines/delivery.ts'
import { loginChart } from '../../machines/keyshare-login.ts'
import { sessionChart } from '../../machines/session.ts'
import { suite } from '../suite.ts'
import { ALL_CHARTS } from './generated.ts'

const MACHINES: Readonly<Record<string, AnyStateMachine>> = {
  session: sessionChart,
  delivery: deliveryChart,
  login: loginChart,
}

const Formats = suite('charts: for other programs')

/** The chart with each guard as one name. */
function withNamedGuards(chart: Chart): Chart {
  const transitions = chart.transitions.map(each => ({
    ...each,
    guard: each.guard && ({ kind: 'name', name: conditionText(each.guard) } as const),
  }))
  return { ...chart, transitions }
}

/** The chart that XState reads from the JSON. */
function readBack(chart: Chart): Chart {
  const actions = MACHINES[chart.name]?.implementations.actions ?? {}
  const machine = createMachine(JSON.parse(machineJson(chart, WORDS[chart.name])))
  return describeChart(chart.name, machine.provide({ actions }))
}

/** Sorted by state and cause; branches of one cause are in the order in which they are tried. */
function inOrder({ transitions }: Chart): readonly Chart['transitions'][number][] {
  const keyOf = ({ source, cause }: Chart['transitions'][number]): string => `${source} ${cause.name}`
  return transitions.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}

for (const chart of ALL_CHARTS) {
  const { name } = chart

  Formats(
    `${name}: the machine that XState reads from the JSON equals the chart, with branches in their order`,
    () => {
      assert.equal({ ...readBack(chart), transitions: [] }, { ...withNamedGuards(chart), transitions: [] })
      assert.equal(inOrder(readBack(chart)), inOrder(withNamedGuards(chart)))
    },
  )

  Formats(`${name}: the text for mermaid has every state and every transition once`, () => {
    const lines = mermaidText(chart)
      .split('\n')
      .map(line => line.trim())
    const moves = lines.filter(line => line.includes(' --> ') && !line.includes('[*]'))
    const moving = chart.transitions.filter(({ target }) => target !== null)
    assert.equal(
      moves.toSorted(),
      moving
        .map(each => `${alias(each.source)} --> ${alias(each.target)} : ${transitionText(each)}`)
        .toSorted(),
    )
    const staying = chart.transitions.filter(({ target }) => target === null).map(transitionText)
    const inBoxes = lines.filter(line => !line.includes('-->')).map(line => line.replace(/^\w+ : /, ''))
    for (const text of staying) assert.ok(inBoxes.includes(text), text)
    for (const { id, name: label } of chart.states)
      assert.is(lines.filter(line => line.startsWith(`state "${label}" as ${alias(id)}`)).length, 1, id)
  })

  Formats(
    `${name}: the text for mermaid has an initial state for each compound state, and a line between regions`,
    () => {
      const text = mermaidText(chart)
      const begun = chart.states.filter(({ initial }) => initial !== null).length + 1
      assert.is(text.split('[*] --> ').length - 1, begun)
      const regions = chart.states.filter(({ parent }) =>
        chart.states.some(({ id, kind }) => id === parent && kind === 'parallel'),
      ).length
      assert.is(text.split('\n').filter(line => line.trim() === '--').length, Math.max(0, regions - 1))
    },
  )
}

function alias(id: string | null): string {
  return String(id).replaceAll('.', '_')
}

Formats.run()
