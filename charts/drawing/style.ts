/** Colours and fonts of a standalone drawing, in light and dark. @module */
import { BLOCK_FONT, TITLE_FONT } from './measure.ts'

function colours(names: {
  readonly ground: string
  readonly state: string
  readonly inner: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly accent: string
}): string {
  const { ground, state, inner, ink, soft, line, accent } = names
  return `.chart .ground { fill: ${ground}; }
.chart .box { fill: ${state}; stroke: ${line}; }
.chart .compound-ground { fill: ${inner}; }
.chart .parallel-ground { fill: ${state}; }
.chart .name, .chart .cause { fill: ${ink}; }
.chart .more { fill: ${soft}; }
.chart .cause.delay { fill: ${accent}; }
.chart .line { stroke: ${line}; }
.chart .head, .chart .dot { fill: ${line}; }`
}

const LIGHT = {
  ground: '#faf8f4',
  state: '#ffffff',
  inner: '#f3f0e8',
  ink: '#1a2230',
  soft: '#525c6d',
  line: '#6d6a60',
  accent: '#0b595e',
}
const DARK = {
  ground: '#10141b',
  state: '#1d2530',
  inner: '#161c26',
  ink: '#e8ebf0',
  soft: '#a9b3c2',
  line: '#8d98a8',
  accent: '#74d3cd',
}

export const DRAWING_STYLE = `.chart text { white-space: pre; }
.chart .name { font: 700 ${TITLE_FONT}px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
.chart .cause, .chart .more { font: ${BLOCK_FONT}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.chart .cause { font-weight: 700; }
.chart .box { stroke-width: 1.5; }
.chart .line { fill: none; stroke-width: 1.5; }
${colours(LIGHT)}
@media (prefers-color-scheme: dark) {
${colours(DARK)}
}`
