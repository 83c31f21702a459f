/** Prints a chart in the chosen format. @module */
import { CHARTS } from '../../charts/all-charts.ts'
import type { Chart, ChartName } from '../../charts/chart.ts'
import { pictureOf } from '../../charts/drawing/picture.ts'
import { machineJson } from '../../charts/formats/machine-json.ts'
import { mermaidText } from '../../charts/formats/mermaid.ts'
import { WORDS } from '../../charts/words/all-words.ts'
import type { Format } from './flags.ts'

const PRINTERS: Readonly<Record<Format, (chart: Chart) => string>> = {
  mermaid: mermaidText,
  json: chart => machineJson(chart, WORDS[chart.name]),
  svg: ({ name }) => pictureOf(name),
}

export function printChart(name: ChartName, format: Format): void {
  process.stdout.write(PRINTERS[format](CHARTS[name]))
}
