/** The drawing of a chart: the states that an actor is in are lit, and the last edge is marked. The drawings come from the server, as its charts are. @module */
import { byId } from './dom.js'
import { View } from './view.js'

/** @type {Map<string, Element>} */
const drawings = new Map()
const view = new View(byId('drawing'))
/** The boxes of the map, each with its state.
 *  @type {(readonly [box: Element, state: Element])[]} */
let boxes = []
let shown = ''

/** @param {readonly string[]} charts
 *  @returns {Promise<void>} */
export async function loadDrawings(charts) {
  for (const chart of charts) {
    if (drawings.has(chart)) continue
    const response = await fetch(`charts/${chart}.svg`)
    const text = await response.text()
    const { documentElement: svg } = new DOMParser().parseFromString(text, 'image/svg+xml')
    drawings.set(chart, document.importNode(svg, true))
  }
}

/** The states at the top of a chart, which are the statuses of its actors.
 *  @param {string} chart */
export function statusesOf(chart) {
  const states = [...(drawings.get(chart)?.querySelectorAll('[data-state]') ?? [])]
  return states.map(({ dataset }) => dataset.state).filter(state => !state.includes('.'))
}

/** @param {string} chart
 *  @param {readonly string[]} states leaves; none: nothing is lit
 *  @param {readonly import('./words.js').Edge[]} edges */
export function light(chart, states, edges) {
  const svg = drawings.get(chart)
  const wanted = JSON.stringify([chart, states, edges])
  if (!svg || wanted === shown) return // keeps the user's scroll position
  if (!svg.isConnected) view.show(svg, svg.viewBox.baseVal, thumbnailOf(svg), startOf(svg))
  shown = wanted
  for (const lit of svg.querySelectorAll('.now, .around, .last'))
    lit.classList.remove('now', 'around', 'last')
  for (const edge of edges) mark(svg, edge)
  for (const state of states) lightState(svg, state)
  for (const [box, state] of boxes) box.classList.toggle('lit', state.classList.contains('now'))
  view.keepInSight(svg.querySelector('.now'))
}

/** The dot before the initial state. */
function startOf(svg) {
  const { cx, cy } = svg.querySelector('.dot')
  return { x: cx.baseVal.value, y: cy.baseVal.value }
}

function lightState(svg, state) {
  const names = state.split('.')
  for (const i of names.keys()) {
    const node = svg.querySelector(`[data-state="${CSS.escape(names.slice(0, i + 1).join('.'))}"]`)
    node?.classList.add(i === names.length - 1 ? 'now' : 'around')
  }
}

function mark(svg, { source, cause, place }) {
  for (const block of svg.querySelectorAll('[data-edge]')) {
    const [from, by, to] = block.dataset.edge.split(' ')
    if (from !== source || by !== cause || !block.dataset.places.split(' ').includes(String(place))) continue
    block.classList.add('last')
    svg.querySelector(`[data-arrow="${CSS.escape(`${from} ${to}`)}"]`)?.classList.add('last')
  }
}

/** The boxes of a drawing without its words. */
function thumbnailOf(svg) {
  const small = svg.cloneNode(false)
  small.removeAttribute('aria-label')
  small.setAttribute('class', 'thumbnail')
  boxes = [...svg.querySelectorAll('[data-state] > .box')].map(box => [
    box.cloneNode(false),
    box.parentElement,
  ])
  small.append(...boxes.map(([box]) => box))
  return small
}
