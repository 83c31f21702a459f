/** The drawing of one of the product's charts. @module */
import { CHARTS } from '../all-charts.ts'
import type { ChartName } from '../chart.ts'
import { LAYOUTS } from '../layouts/all-layouts.ts'
import { WORDS } from '../words/all-words.ts'
import { drawChart } from './draw.ts'

/** @param style '' for a page with its own style; by default the style of a standalone drawing
 *  @returns SVG */
export function pictureOf(name: ChartName, style?: string): string {
  return drawChart({ chart: CHARTS[name], layout: LAYOUTS[name], words: WORDS[name] }, style)
}
