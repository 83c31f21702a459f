/** The drawing of a chart of the product. @module */
import { CHARTS } from '../all-charts.ts'
import type { ChartName } from '../chart.ts'
import { LAYOUTS } from '../layouts/all-layouts.ts'
import { WORDS } from '../words/all-words.ts'
import { drawChart } from './draw.ts'

/** @param style '' for a page that has a style of its own; by default that of a drawing that stands alone
 *  @returns SVG */
export function pictureOf(name: ChartName, style?: string): string {
  return drawChart({ chart: CHARTS[name], layout: LAYOUTS[name], words: WORDS[name] }, style)
}
