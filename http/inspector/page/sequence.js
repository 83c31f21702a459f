/** A path as a sequence diagram: the party, the time and the change of states of each event. @module */
import { eventName, moveText, timeText } from './words.js'

const SVG = 'http://www.w3.org/2000/svg'
/** Lengths in the units of the drawing. It fits a window of 360 px. */
const WIDTH = 320
const [FIRST_X, LAST_X] = [36, 284]
const HEAD = 30
const ROW = 56
/** Maximum number of characters of a change of states. The title has all of them. */
const MAX_MOVE = 48
/** Parties that name their events. */
const PARTIES = new Set(['app', 'frontend', 'server', 'owner', 'receiver', 'operator'])

/** @param {string} type of an event */
export function partyOf(type) {
  const [start] = type.split('.')
  if (PARTIES.has(start)) return start
  if (type.startsWith('xstate.after.')) return 'clock'
  return type.includes('.') ? 'server' : 'caller'
}

/** @param {{ first: import('./words.js').Actor, steps: import('./words.js').Step[] }} path
 *  @param {number} at the step to mark; 0: none
 *  @param {(step: number) => void} choose */
export function sequenceOf({ first, steps }, at, choose) {
  const parties = [...new Set(steps.map(({ event }) => partyOf(event.type)))]
  const columns = [...parties, first.chart]
  const gap = (LAST_X - FIRST_X) / Math.max(1, columns.length - 1)
  const xOf = name => FIRST_X + gap * columns.indexOf(name)
  const height = HEAD + ROW * steps.length + 12
  const svg = part('svg', { class: 'sequence', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img' })
  svg.setAttribute('aria-label', `Sequence of ${steps.length} steps`)
  for (const name of columns)
    svg.append(
      part('line', { class: 'life', x1: xOf(name), x2: xOf(name), y1: HEAD - 8, y2: height - 4 }),
      text(name, { class: 'party', x: xOf(name), y: 14, 'text-anchor': 'middle' }),
    )
  steps.forEach((step, i) => {
    const row = part('g', { class: i + 1 === at ? 'row current' : 'row' })
    row.append(...rowOf(step, HEAD + ROW * i, xOf(partyOf(step.event.type)), xOf(first.chart)))
    row.addEventListener('click', () => choose(i + 1))
    svg.append(row)
  })
  return svg
}

function rowOf(step, y, from, to) {
  const move = moveText(step)
  const { type, fields } = step.event
  const line = y + 26
  return [
    part('title', {}, move),
    part('rect', { class: 'ground', x: 0, y: y - 2, width: WIDTH, height: ROW - 2, rx: 4 }),
    text(timeText(fields.at), { class: 'time', x: 6, y: y + 14 }),
    text(eventName(type), { class: 'event', x: 62, y: y + 14 }),
    part('path', { class: 'call', d: `M${from} ${line}H${to - 2}m-7 -4l7 4l-7 4` }),
    text(move.length > MAX_MOVE ? `${move.slice(0, MAX_MOVE)}…` : move, {
      class: 'move',
      x: WIDTH - 6,
      y: y + 44,
      'text-anchor': 'end',
    }),
  ]
}

function part(name, attributes, words = '') {
  const made = document.createElementNS(SVG, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  made.textContent = words
  return made
}

function text(words, attributes) {
  return part('text', attributes, words)
}
