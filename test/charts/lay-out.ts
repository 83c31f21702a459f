/** Lays out the drawing of a chart with elkjs, which gives the same coordinates for the same chart in every run. @module */
import elkjs, { type ElkExtendedEdge, type ElkNode } from 'elkjs'
import { type Chart, type ChartState, statesBelow } from '../../charts/chart.ts'
import { arrowsOf, blocksInside } from '../../charts/drawing/blocks.ts'
import {
  DOT,
  PADDING,
  type Size,
  sizeOfBlocks,
  TITLE_FONT,
  TITLE_HEIGHT,
} from '../../charts/drawing/measure.ts'
import { beginningId, type Layout } from '../../charts/layouts/layout.ts'

/** Options of the layout. Coordinates are those of the whole drawing. */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '16',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '20',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '6',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
}

const DIRECTIONS = { session: 'DOWN', delivery: 'RIGHT', login: 'RIGHT' } as const

/** The width of the widest letter, a capital, in a wide bold font. */
const TITLE_LETTER = 0.78 * TITLE_FONT

/** The size for the name of a state and for the transitions inside it. */
function sizeOfHead(chart: Chart, { id, name }: ChartState): Size {
  const inside = sizeOfBlocks(blocksInside(chart, id))
  return {
    width: Math.ceil(Math.max(name.length * TITLE_LETTER, inside.width)) + 2 * PADDING,
    height: TITLE_HEIGHT + (inside.height > 0 ? inside.height + PADDING : 0),
  }
}

function nodeOf(chart: Chart, state: ChartState): ElkNode {
  const head = sizeOfHead(chart, state)
  const children = childrenBelow(chart, state.id, state.initial)
  if (children.length === 0) return { id: state.id, ...head }
  const padding = `[top=${head.height + 4},left=${PADDING + 8},bottom=${PADDING + 8},right=${PADDING + 8}]`
  return {
    id: state.id,
    children: [...children],
    layoutOptions: {
      'elk.padding': padding,
      'elk.direction': DIRECTIONS[chart.name],
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${head.width},${head.height})`,
    },
  }
}

function childrenBelow(chart: Chart, parent: string | null, initial: string | null): readonly ElkNode[] {
  const dot = { id: beginningId(parent), width: DOT, height: DOT }
  const children = statesBelow(chart, parent).map(state => nodeOf(chart, state))
  return initial === null ? children : [dot, ...children]
}

/** Arrows that lead back are laid out in reverse, so that every chart reads from its first state to its last. */
function isBackwards({ states }: Chart, source: string, target: string): boolean {
  const order = states.map(({ id }) => id)
  return order.indexOf(source) > order.indexOf(target)
}

function edgesOf(chart: Chart): readonly ElkExtendedEdge[] {
  const arrows = arrowsOf(chart).map(({ id, source, target, blocks }) => ({
    id,
    ...(isBackwards(chart, source, target)
      ? { sources: [target], targets: [source] }
      : { sources: [source], targets: [target] }),
    labels: [
      {
        id: `${id} blocks`,
        text: id,
        ...sizeOfBlocks(blocks),
        layoutOptions: { 'elk.edgeLabels.inline': 'true' },
      },
    ],
  }))
  const beginnings = [{ id: null, initial: chart.initial }, ...chart.states].flatMap(({ id, initial }) =>
    initial === null
      ? []
      : [{ id: `${beginningId(id)} line`, sources: [beginningId(id)], targets: [initial] }],
  )
  return [...beginnings, ...arrows]
}

export async function layOut(chart: Chart): Promise<Layout> {
  const graph: ElkNode = {
    id: chart.name,
    layoutOptions: { ...OPTIONS, 'elk.direction': DIRECTIONS[chart.name] },
    children: [...childrenBelow(chart, null, chart.initial)],
    edges: [...edgesOf(chart)],
  }
  const laidOut = await new elkjs.default().layout(graph)
  const edges = laidOut.edges ?? []
  const backwards = new Set(
    arrowsOf(chart).flatMap(({ id, source, target }) => (isBackwards(chart, source, target) ? id : [])),
  )
  return {
    width: Math.ceil(laidOut.width ?? 0),
    height: Math.ceil(laidOut.height ?? 0),
    states: Object.fromEntries(
      nodesIn(laidOut).map(({ id, x, y, width, height }) => [id, rounded([x, y, width, height])]),
    ),
    lines: Object.fromEntries(edges.map(edge => [edge.id, pointsOf(edge, backwards.has(edge.id))])),
    blocks: Object.fromEntries(
      edges.flatMap(({ id, labels = [] }) => labels.map(({ x, y }) => [id, rounded([x, y])])),
    ),
  }
}

function nodesIn({ children = [] }: ElkNode): readonly ElkNode[] {
  return children.flatMap(child => [child, ...nodesIn(child)])
}

function pointsOf({ sections = [] }: ElkExtendedEdge, isReversed: boolean): readonly number[] {
  const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
  return (isReversed ? points.toReversed() : points).flatMap(({ x, y }) => rounded([x, y]))
}

function rounded(numbers: readonly (number | undefined)[]): readonly number[] {
  return numbers.map(number => Math.round(number ?? 0))
}
