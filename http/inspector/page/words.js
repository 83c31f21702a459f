/** Actors, steps and times in words.
 *
 *  @typedef {{ chart: string, id: string, version: number, states: string[], status: string, sinceAt: number | null, dueAt: number | null,
 *    requestor: string | null, cause: string | null, isAwake: boolean, facts: Record<string, unknown> }} Actor
 *  @typedef {{ source: string, cause: string, place: number }} Edge
 *  @typedef {{ chart: string, id: string, event: { type: string, fields: Record<string, unknown> }, edges: Edge[], before: string[], actor: Actor | null }} Step
 *  @module */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FORGOTTEN = 'forgotten'

/** @param {string} id the first letters, which tell actors apart on a list */
export function shortName(id) {
  return id.slice(0, 8)
}

/** @param {number} ms */
export function lengthText(ms) {
  const length = Math.max(0, ms)
  if (length < MINUTE_MS) return `${Math.floor(length / SECOND_MS)} s`
  if (length < HOUR_MS) return `${Math.floor(length / MINUTE_MS)} min`
  if (length < 2 * DAY_MS) return `${Math.floor(length / HOUR_MS)} h`
  return `${Math.floor(length / DAY_MS)} days`
}

/** @param {Actor} actor
 *  @param {number} now */
export function ageText({ chart, sinceAt }, now) {
  if (sinceAt === null) return ''
  const length = lengthText(now - sinceAt)
  if (chart === 'login') return `used ${length} ago`
  return chart === 'delivery' ? `owed for ${length}` : `for ${length}`
}

/** @param {Actor} actor
 *  @param {number} now */
export function dueText({ dueAt }, now) {
  if (dueAt === null) return 'no deadline'
  return dueAt <= now ? 'due now' : `due in ${lengthText(dueAt - now)}`
}

/** @param {string[]} states leaves */
export function statesText(states) {
  if (states.length === 0) return 'closed'
  return states.map(state => state.replace(/^active\./, '').replaceAll('.', ' · ')).join(', ')
}

/** @param {Step} step the leaves after it */
export function statesAfter({ actor }) {
  return actor === null ? [FORGOTTEN] : actor.states
}

/** How an actor is shown that is stored no longer.
 *  @param {Actor} actor as it was last seen
 *  @returns {Actor} */
export function forgotten(actor) {
  return { ...actor, states: [FORGOTTEN], status: FORGOTTEN, sinceAt: null, dueAt: null, isAwake: false }
}

/** @param {Actor} actor */
export function isForgotten({ status }) {
  return status === FORGOTTEN
}

/** @param {Actor} actor */
export function placeText(actor) {
  if (isForgotten(actor)) return 'stored no longer'
  return actor.isAwake ? 'in memory' : 'asleep in the store'
}

/** Only what has changed: of parallel regions, most stay.
 *  @param {Step} step */
export function moveText(step) {
  const after = statesAfter(step)
  const [left, entered] = [
    step.before.filter(state => !after.includes(state)),
    after.filter(state => !step.before.includes(state)),
  ]
  return left.length + entered.length === 0 ? 'stays' : `${statesText(left)} → ${statesText(entered)}`
}

/** In a line of the list: a status alone where nothing else is to be said.
 *  @param {Actor} actor */
export function standingText({ chart, status, states }) {
  if (chart !== 'login') return statesText(states)
  const unusual = states.filter(state => /\.(?:blocked|pending\w*)$/.test(state))
  return [status, ...unusual.map(state => statesText([state]))].join(', ')
}

/** The name of a timer's event is that of its delay.
 *  @param {string} type */
export function eventName(type) {
  const [, delay] = type.match(/^xstate\.after\.(\w+)\./) ?? []
  return delay === undefined ? type : `after ${delay}`
}

/** @param {unknown} at Unix ms */
export function timeText(at) {
  return typeof at === 'number' ? new Date(at).toTimeString().slice(0, 8) : ''
}

/** @param {string} name
 *  @param {unknown} value */
export function factText(name, value) {
  if (typeof value === 'number' && /(?:At|Until)$/.test(name)) return value > 0 ? timeText(value) : 'none'
  if (typeof value === 'number' && name.endsWith('Ms')) return lengthText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'none'
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value)
}
