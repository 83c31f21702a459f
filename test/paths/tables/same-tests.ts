/** The checks that the tables of all charts have in common. @module */
import * as assert from 'uvu/assert'
import type { Suite } from '../../suite.ts'
import type { ReadBeginning, ReadEdge } from './read-chart.ts'
import { type Beginning, differences, type Row } from './rows.ts'

/** @param edges of the chart, from every state with every event
 *  @param begun new actors of every kind
 *  @param atLeast the least number of refused edges; with fewer, the events were not tried */
export function testTable(
  Table: Suite,
  chart: {
    readonly states: readonly string[]
    readonly begins: readonly Beginning[]
    readonly rows: readonly Row[]
    readonly begun: readonly ReadBeginning[]
    readonly edges: readonly ReadEdge[]
    readonly atLeast: number
  },
): void {
  const { states, begins, rows, begun, edges, atLeast } = chart

  Table('the chart has exactly the states of the table', () => {
    assert.equal([...new Set(edges.map(({ from }) => from))].sort(), [...states].sort())
  })

  Table('new actors have the states and the deadlines of the table', () => {
    const wanted = begins.map(([, state, times]) => `${state} | ${times}`)
    assert.equal(begun.map(({ state, times }) => `${state} | ${times}`).sort(), wanted.sort())
  })

  Table('the edges are those of the table: triggers, targets, effects and deadlines', () => {
    assert.equal(differences(rows, edges), [])
  })

  Table('each started timer fires at its deadline', () => {
    assert.ok(edges.every(({ isTimedRightly }) => isTimedRightly))
  })

  Table('a refused event changes nothing', () => {
    const refused = edges.filter(({ to }) => to === null)
    assert.ok(refused.length > atLeast)
    for (const { from, after } of refused) assert.is(after, from)
  })
}
