/** The figures of a server with their labels, compared with the guide, the dashboard and the alert rules. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import type { FigureDescription, Meter } from '../../ports/meter.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { snapshot } from '../../schemes/snapshot.ts'
import { expiryFigures } from '../../server/metrics/expiry-figures.ts'
import { countStored, metricsOn } from '../../server/metrics/metrics.ts'
import { updateFigures } from '../../server/schemes/figures.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { deployed } from './tools.ts'

/** The labels that Prometheus adds to each figure, and to the buckets of durations. */
const ADDED = ['instance', 'job', 'le']

/** @returns the labels of each figure of both kinds of servers, by its name */
function labelsByFigure(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const note = ({ name, labels }: FigureDescription<string>) => {
    found.set(name, labels)
    return () => {}
  }
  const meter: Meter = { now: () => 0, counter: note, durations: note, gauge: note }
  const metrics = metricsOn(meter, { requestors: [], hasAccounts: true, clients: [] })
  metrics.http.watchReadiness({ now: async () => ({ reasons: {}, warnings: {}, namedWarnings: {} }) })
  metrics.http.watchStreams(() => ({ session: 0, revocation: 0 }))
  metrics.actors.arithmetic.watch(() => ({ pieces: 0, estimatedMs: 0 }))
  metrics.actors.signIns?.watchKeys(() => [])
  expiryFigures(
    meter,
    () => snapshot([], []),
    () => null,
    null,
  )
  updateFigures(meter, createSimulatedClock(0), [])
  const stored = { count: async () => 0 }
  for (const name of ['svc_sessions_stored', 'svc_keyshare_accounts_stored'])
    countStored(metrics, { name, help: '' }, stored)
  return found
}

const FIGURES = labelsByFigure()

/** The words between backquotes. */
const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

/** @returns each figure of a row of the guide with its labels; labels after a semicolon belong only to the last figure */
function rowOf(row: string): readonly (readonly [string, readonly string[]])[] {
  const [, figures = '', labels = ''] = row.split('|')
  const [ofAll = '', ofLast = ''] = labels.split(';')
  const names = quoted(figures)
  return names.map((name, i) => [
    name,
    [...quoted(ofAll), ...(i === names.length - 1 ? quoted(ofLast) : [])].toSorted(),
  ])
}

const SERIES = /\bsvc_[a-z0-9_]+/g
const figureOf = (series: string): string => series.replace(/_(bucket|sum|count)$/, '')

/** @param legend of a dashboard, or the text of an alert
 *  @returns the labels in a query or its texts that none of its figures has */
function strangersIn(query: string, legend: string): readonly string[] {
  const series = [...query.matchAll(SERIES)].map(([name]) => figureOf(name))
  const known = [...ADDED, ...series.flatMap(name => FIGURES.get(name) ?? [])]
  const grouped = [...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(', '),
  )
  const selected = [...query.matchAll(/[{,](\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label)
  const shown = [...legend.matchAll(/(?:\$labels\.|\{\{)(\w+)/g)].map(([, label = '']) => label)
  return [...grouped, ...selected, ...shown].filter(label => !known.includes(label))
}

const Labels = suite('deploy: figures and their labels')

Labels('the guide names each figure with the labels that it has', () => {
  const guide = readFileSync(join(PROJECT, 'docs/operating.md'), 'utf8')
  const rows = new Map(guide.split('\n').flatMap(line => (line.startsWith('| `svc_') ? rowOf(line) : [])))
  for (const [name, labels] of FIGURES)
    assert.equal(rows.get(name), labels.toSorted(), `${name}: its labels in a row of docs/operating.md`)
  for (const name of rows.keys()) assert.ok(FIGURES.has(name), `${name} of docs/operating.md is a figure`)
})

type Target = { readonly expr: string; readonly legendFormat?: string }

/** @returns the queries of all panels of the dashboard */
function targetsOf(): readonly Target[] {
  const { panels } = JSON.parse(deployed('grafana-dashboard.json'))
  return panels.flatMap(({ targets = [] }: { readonly targets?: readonly Target[] }) => targets)
}

Labels('each figure is in a query of the dashboard', () => {
  const queried = targetsOf().flatMap(({ expr }) =>
    [...expr.matchAll(SERIES)].map(([name]) => figureOf(name)),
  )
  for (const name of FIGURES.keys())
    assert.ok(queried.includes(name), `${name} is in a query of deploy/grafana-dashboard.json`)
})

Labels('each query of the dashboard, and its legend, has labels that its figures have', () => {
  const targets = targetsOf()
  assert.ok(targets.length > 20)
  for (const { expr, legendFormat = '' } of targets) assert.equal(strangersIn(expr, legendFormat), [], expr)
})

Labels('each alert rule has labels that its figures have', () => {
  type Rule = { readonly expr: string; readonly annotations: { readonly summary: string } }
  const rules: readonly Rule[] = parse(deployed('alerts.yml')).groups[0].rules
  for (const { expr, annotations } of rules) assert.equal(strangersIn(expr, annotations.summary), [], expr)
})

Labels.run()
