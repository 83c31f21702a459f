/** The steps of the chosen actor, each lit for a moment: states that pass within milliseconds are seen, too. @module */
import { statesAfter } from './words.js'

/** How long each state is lit at least, in ms. */
const BEAT_MS = 250
/** The most steps that wait; when more come, the oldest are not lit. */
const MAX_WAITING = 20

/** @typedef {{ states: readonly string[], edges: readonly import('./words.js').Edge[] }} Lit */

export class Beats {
  #changed
  /** @type {Lit[]} */
  #waiting = []
  /** @type {Lit | null} */
  #lit = null
  #timer = 0

  /** @param {() => void} changed something else is to be lit */
  constructor(changed) {
    this.#changed = changed
  }

  /** @returns {Lit | null} null: nothing is known of the actor */
  get lit() {
    return this.#lit
  }

  /** Another actor is chosen, or it was read again.
   *  @param {readonly string[] | null} states its current states */
  begin(states) {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.#light(states && { states, edges: [] })
  }

  /** @param {import('./words.js').Step} step */
  add(step) {
    this.#waiting.push({ states: statesAfter(step), edges: step.edges })
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    if (this.#timer === 0) this.#next()
  }

  #next() {
    const next = this.#waiting.shift()
    if (next) this.#light(next)
    else this.#timer = 0
  }

  #light(lit) {
    this.#lit = lit
    this.#timer = setTimeout(() => this.#next(), BEAT_MS)
    this.#changed()
  }
}
