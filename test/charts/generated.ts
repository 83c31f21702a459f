/** The files that are generated from the charts, by their paths in the project. @module */
import { CHARTS } from '../../charts/all-charts.ts'
import type { Chart } from '../../charts/chart.ts'
import { drawChart } from '../../charts/drawing/draw.ts'
import type { Layout } from '../../charts/layouts/layout.ts'
import { WORDS } from '../../charts/words/all-words.ts'
import { chartPage } from './page.ts'

export const ALL_CHARTS: readonly Chart[] = Object.values(CHARTS)

export function layoutFile({ name }: Chart): string {
  return `charts/layouts/${name}.ts`
}

/** The source of a layout, before formatting. */
export function layoutSource({ name }: Chart, layout: Layout): string {
  return `/** The positions of the parts of the drawing of a ${name}. \`npm run docs\` writes this file. @module */
import type { Layout } from './layout.ts'

export const ${name.toUpperCase()}_LAYOUT: Layout = ${JSON.stringify(layout)}
`
}

/** @returns texts by their files */
export function pagesOf(chart: Chart, layout: Layout): readonly (readonly [file: string, text: string])[] {
  const { name } = chart
  return [
    [`docs/charts/${name}.svg`, drawChart({ chart, layout, words: WORDS[name] })],
    [`docs/charts/${name}.md`, chartPage(chart, WORDS[name])],
  ]
}
