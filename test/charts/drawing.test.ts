/** A drawing shows the whole chart, and no parts of it overlap. */
import { XMLParser } from 'fast-xml-parser'
import * as assert from 'uvu/assert'
import { CHARTS } from '../../charts/all-charts.ts'
import type { Chart } from '../../charts/chart.ts'
import { arrowsOf, blockId, blocksInside } from '../../charts/drawing/blocks.ts'
import { drawChart } from '../../charts/drawing/draw.ts'
import { sizeOfBlocks } from '../../charts/drawing/measure.ts'
import { pictureOf } from '../../charts/drawing/picture.ts'
import { LAYOUTS } from '../../charts/layouts/all-layouts.ts'
import { WORDS } from '../../charts/words/all-words.ts'
import { suite } from '../suite.ts'
import { ALL_CHARTS } from './generated.ts'

type Box = {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
}

const Drawing = suite('charts: the drawing')

function boxOf(id: string, [x = 0, y = 0]: readonly number[] = [], width = 0, height = 0): Box {
  return { id, x, y, right: x + width, bottom: y + height }
}

function labelsOf(chart: Chart): readonly Box[] {
  return arrowsOf(chart).map(({ id, blocks }) => {
    const { width, height } = sizeOfBlocks(blocks)
    return boxOf(id, LAYOUTS[chart.name].blocks[id], width, height)
  })
}

function leavesOf({ name, states }: Chart): readonly Box[] {
  return states
    .filter(({ kind }) => kind === 'atomic' || kind === 'final')
    .map(({ id }) => {
      const [x = 0, y = 0, width = 0, height = 0] = LAYOUTS[name].states[id] ?? []
      return boxOf(id, [x, y], width, height)
    })
}

/** The straight pieces of a line, as thin boxes. */
function piecesOf({ name }: Chart, id: string): readonly Box[] {
  const points = LAYOUTS[name].lines[id] ?? []
  return points.flatMap((x, i) => {
    const [y = 0, nextX, nextY = 0] = points.slice(i + 1, i + 4)
    if (i % 2 === 1 || nextX === undefined) return []
    return {
      id,
      x: Math.min(x, nextX),
      y: Math.min(y, nextY),
      right: Math.max(x, nextX),
      bottom: Math.max(y, nextY),
    }
  })
}

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom

function pairsThatOverlap(boxes: readonly Box[], others: readonly Box[]): readonly string[] {
  return boxes.flatMap(one =>
    others.flatMap(other => (one.id !== other.id && overlap(one, other) ? `${one.id} on ${other.id}` : [])),
  )
}

for (const chart of ALL_CHARTS) {
  const { name } = chart
  const svg = pictureOf(name)
  const lines = arrowsOf(chart).flatMap(({ id }) => piecesOf(chart, id))

  Drawing(`${name}: no text lies on another text or on a state`, () => {
    const boxes = [...labelsOf(chart), ...leavesOf(chart)]
    assert.ok(boxes.length > 8)
    assert.equal(pairsThatOverlap(boxes, boxes), [])
  })

  Drawing(`${name}: no line runs through the text of another arrow or through a state`, () => {
    assert.ok(lines.length > 8)
    assert.equal(pairsThatOverlap(lines, [...labelsOf(chart), ...leavesOf(chart)]), [])
  })

  Drawing(
    `${name}: lines are level or upright, from the border of their source to the border of their target`,
    () => {
      const { states } = LAYOUTS[name]
      for (const { id, x, y, right, bottom } of lines) assert.ok(x === right || y === bottom, id)
      for (const { id, source, target } of arrowsOf(chart)) {
        const points = LAYOUTS[name].lines[id] ?? []
        assert.ok(isOnBorder(points.slice(0, 2), states[source]), `${id}: begins at its source`)
        assert.ok(isOnBorder(points.slice(-2), states[target]), `${id}: ends at its target`)
      }
    },
  )

  Drawing(`${name}: every state, every transition and every arrow is an element with its id`, () => {
    const ids = (attribute: string): readonly string[] =>
      [...svg.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, id = '']) => id)
    assert.equal(ids('data-state').toSorted(), chart.states.map(({ id }) => id).toSorted())
    assert.equal(
      ids('data-arrow'),
      arrowsOf(chart).map(({ id }) => id),
    )
    const edges = chart.transitions.map(({ source, cause, target }) => blockId(source, cause.name, target))
    assert.equal(ids('data-edge').toSorted(), [...new Set(edges)].toSorted())
  })

  Drawing(`${name}: a transition is found by its source, its cause and its place among the branches`, () => {
    const blocks = [...svg.matchAll(/ data-edge="(\S+ \S+) (\S+)" data-places="([^"]*)"/g)]
    for (const each of chart.transitions) {
      const { source, cause, target } = each
      const tried = chart.transitions.filter(
        other => other.source === source && other.cause.name === cause.name,
      )
      const place = String(tried.indexOf(each))
      const found = blocks.filter(
        ([, head, , places = '']) => head === `${source} ${cause.name}` && places.split(' ').includes(place),
      )
      assert.equal(
        found.map(([, , to]) => to),
        [target ?? source],
      )
    }
  })

  Drawing(`${name}: every guard and every effect is in the block of its transition`, () => {
    const blocks = [
      ...arrowsOf(chart),
      ...chart.states.map(({ id }) => ({ blocks: blocksInside(chart, id) })),
    ]
      .flatMap(each => each.blocks)
      .map(({ id, title, lines }) => ({ id, text: [title, ...lines].join(' ') }))
    for (const { source, cause, target, effects, guard } of chart.transitions) {
      const text = blocks.find(({ id }) => id === blockId(source, cause.name, target))?.text ?? ''
      const names = [cause.name, ...effects, ...(JSON.stringify(guard).match(/(?<="name":")\w+/g) ?? [])]
      for (const each of names) assert.ok(text.includes(each), `${source} ${text}: ${each}`)
    }
  })

  Drawing(`${name}: it is well-formed XML without scripts and without links to other files`, () => {
    new XMLParser({ ignoreAttributes: false }).parse(svg, true)
    assert.not.match(svg, /<script|<image|<foreignObject|\bon\w+=|href|url\(|@import/)
  })
}

Drawing('words with characters of the markup are escaped', () => {
  const [chart, layout] = [CHARTS.delivery, LAYOUTS.delivery]
  const words = { ...WORDS.delivery, states: { waiting: 'a < b & c > d </title><script>' } }
  const svg = drawChart({ chart, layout, words })
  new XMLParser().parse(svg, true)
  assert.not.match(svg, '<script')
})

function isOnBorder(
  [x = 0, y = 0]: readonly number[],
  [left = 0, top = 0, width = 0, height = 0]: readonly number[] = [],
): boolean {
  const isAcross = (at: number, from: number, length: number): boolean =>
    at >= from - 1 && at <= from + length + 1
  const isEnd = (at: number, from: number, length: number): boolean =>
    Math.abs(at - from) <= 1 || Math.abs(at - from - length) <= 1
  return (
    (isEnd(x, left, width) && isAcross(y, top, height)) || (isEnd(y, top, height) && isAcross(x, left, width))
  )
}

Drawing.run()
