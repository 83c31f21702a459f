/** Draws a chart as SVG from the coordinates of its layout. Text stays text, and the SVG has no scripts. Each state has `data-state`. Each block of text has
 *  `data-edge` (source, cause, target) and `data-places` (which branches of that cause). The line of an arrow has `data-arrow` (source, target). A viewer uses
 *  these attributes to highlight parts and to show their words. @module */
import { type Chart, type ChartState, statesBelow } from '../chart.ts'
import { beginningId, type Layout } from '../layouts/layout.ts'
import type { ChartWords } from '../words/words.ts'
import { type Arrow, arrowsOf, type Block, blocksInside } from './blocks.ts'
import { BLOCK_FONT, BLOCK_GAP, DOT, LINE_HEIGHT, PADDING, sizeOfBlocks, TITLE_HEIGHT } from './measure.ts'
import { DRAWING_STYLE } from './style.ts'

export type DrawingInput = { readonly chart: Chart; readonly layout: Layout; readonly words: ChartWords }

/** The corner radius of states and lines. */
const CORNER = 8
/** The length of an arrowhead. */
const HEAD = 9

/** @param style '' for a page with its own style */
export function drawChart(drawn: DrawingInput, style = DRAWING_STYLE): string {
  const { chart, layout } = drawn
  const { width, height } = layout
  const arrows = arrowsOf(chart)
  const label = `Statechart of a ${chart.name}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    ...(style === '' ? [] : [`<style>${style}</style>`]),
    `<rect class="ground" width="${width}" height="${height}" rx="${CORNER}"/>`,
    ...drawStates(drawn, null),
    ...beginningsOf(chart).flatMap(id => drawBeginning(layout, id)),
    ...arrows.map(({ id }) => drawLine(layout, id)),
    ...arrows.map(arrow => drawLabel(drawn, arrow)),
    '</svg>\n',
  ].join('\n')
}

function drawStates(drawn: DrawingInput, parent: string | null): readonly string[] {
  return statesBelow(drawn.chart, parent).flatMap(state => drawState(drawn, state))
}

function drawState(drawn: DrawingInput, state: ChartState): readonly string[] {
  const { chart, layout, words } = drawn
  const [x = 0, y = 0, width = 0, height = 0] = layout.states[state.id] ?? []
  const isRegion = chart.states.some(({ id, kind }) => id === state.parent && kind === 'parallel')
  const ground = state.kind === 'compound' ? ' compound-ground' : ''
  const dashes = isRegion ? ' stroke-dasharray="6 5"' : ''
  const box = (inset: number): string =>
    `<rect class="box${ground}" x="${x + inset}" y="${y + inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${CORNER - inset / 2}"${dashes}/>`
  return [
    `<g class="${state.kind}" data-state="${state.id}">`,
    `<title>${escaped(words.states[state.id] ?? '')}</title>`,
    ...(state.kind === 'final' ? [box(0), box(4)] : [box(0)]),
    `<text class="name" x="${x + PADDING}" y="${y + TITLE_HEIGHT - PADDING}">${state.name}</text>`,
    ...drawBlocks(drawn, blocksInside(chart, state.id), x + PADDING, y + TITLE_HEIGHT),
    ...drawStates(drawn, state.id),
    '</g>',
  ]
}

function beginningsOf({ states }: Chart): readonly string[] {
  return [null, ...states.filter(({ initial }) => initial !== null).map(({ id }) => id)].map(beginningId)
}

function drawBeginning(layout: Layout, id: string): readonly string[] {
  const [x = 0, y = 0] = layout.states[id] ?? []
  const points = layout.lines[`${id} line`] ?? []
  return [
    `<circle class="dot" cx="${x + DOT / 2}" cy="${y + DOT / 2}" r="${DOT / 2}"/>`,
    `<g class="arrow"><path class="line" d="${pathOf(points)}"/>${headOf(points)}</g>`,
  ]
}

function drawLine(layout: Layout, id: string): string {
  const points = layout.lines[id] ?? []
  return `<g class="arrow" data-arrow="${id}"><path class="line" d="${pathOf(points)}"/>${headOf(points)}</g>`
}

/** A patch of background behind the blocks keeps lines out of the text. */
function drawLabel(drawn: DrawingInput, { id, blocks }: Arrow): string {
  const { chart, layout } = drawn
  const [x = 0, y = 0] = layout.blocks[id] ?? []
  const { width, height } = sizeOfBlocks(blocks)
  const around = chart.states.findLast(
    ({ id: state, kind }) =>
      (kind === 'compound' || kind === 'parallel') && isWithin(layout.states[state], x, y),
  )
  const ground = around ? ` ${around.kind}-ground` : ''
  const halo = `<rect class="ground${ground}" x="${x - 4}" y="${y - 2}" width="${width + 8}" height="${height + 4}"/>`
  return [halo, ...drawBlocks(drawn, blocks, x, y)].join('\n')
}

function isWithin(
  [left = 0, top = 0, width = 0, height = 0]: readonly number[] = [],
  x: number,
  y: number,
): boolean {
  return x > left && x < left + width && y > top && y < top + height
}

function drawBlocks(
  { words }: DrawingInput,
  blocks: readonly Block[],
  x: number,
  y: number,
): readonly string[] {
  let top = y
  return blocks.map(block => {
    const drawn = drawBlock(words, block, x, top)
    top += sizeOfBlocks([block]).height + BLOCK_GAP
    return drawn
  })
}

function drawBlock(words: ChartWords, block: Block, x: number, y: number): string {
  const { id, cause, title, lines, places } = block
  const kind = cause.kind === 'delay' ? 'cause delay' : 'cause'
  const meaning = cause.kind === 'delay' ? `At ${words.delays[cause.name]}` : words.events[cause.name]
  const line = (text: string, i: number): string =>
    `<text class="${i === 0 ? kind : 'more'}" x="${x}" y="${y + i * LINE_HEIGHT + BLOCK_FONT}">${escaped(text)}</text>`
  const texts = [title, ...lines].map(line).join('')
  return `<g class="block" data-edge="${id}" data-places="${places.join(' ')}"><title>${escaped(meaning ?? '')}</title>${texts}</g>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

type Point = readonly [x: number, y: number]

function pairsOf(numbers: readonly number[]): readonly Point[] {
  return numbers.flatMap((x, i) => (i % 2 === 0 ? [[x, numbers[i + 1] ?? 0] as const] : []))
}

/** A line with rounded corners. */
function pathOf(numbers: readonly number[]): string {
  const points = pairsOf(numbers)
  return points
    .map((at, i) => {
      const [before, after] = [points[i - 1], points[i + 1]]
      if (!before) return `M${at.join(' ')}`
      if (!after) return `L${towards(at, before, HEAD - 1).join(' ')}`
      const radius = Math.min(CORNER, distance(at, before) / 2, distance(at, after) / 2)
      return `L${towards(at, before, radius).join(' ')}Q${at.join(' ')} ${towards(at, after, radius).join(' ')}`
    })
    .join('')
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.abs(x - otherX) + Math.abs(y - otherY)
}

/** The point at distance `length` from the first point towards the second. Lines are horizontal or vertical. */
function towards([x, y]: Point, [otherX, otherY]: Point, length: number): Point {
  return [x + Math.sign(otherX - x) * length, y + Math.sign(otherY - y) * length]
}

function headOf(numbers: readonly number[]): string {
  const points = pairsOf(numbers)
  const [before, tip] = points.slice(-2)
  if (!before || !tip) return ''
  const [baseX, baseY] = towards(tip, before, HEAD)
  const isLevel = before[1] === tip[1]
  const side = HEAD / 2
  const [dx, dy] = isLevel ? [0, side] : [side, 0]
  return `<path class="head" d="M${tip.join(' ')}L${baseX + dx} ${baseY + dy}L${baseX - dx} ${baseY - dy}Z"/>`
}
