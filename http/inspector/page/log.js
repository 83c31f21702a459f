/** The events as they come, the newest first. @module */
import { byId, element } from './dom.js'
import { eventName, factText, moveText, shortName, timeText } from './words.js'

/** The most rows; older ones go. */
const MAX_ROWS = 300

export class Log {
  #isPaused = false
  /** @type {HTMLElement[]} */
  #waiting = []

  /** @param {(id: string) => void} choose */
  constructor(choose) {
    byId('log').addEventListener('click', ({ target }) => {
      const from = target.closest('[data-id]')
      if (from) choose(from.dataset.id)
    })
    byId('pause').addEventListener('click', ({ currentTarget }) => {
      this.#isPaused = !this.#isPaused
      currentTarget.setAttribute('aria-pressed', String(this.#isPaused))
      currentTarget.textContent = this.#isPaused ? 'Go on' : 'Pause'
    })
  }

  /** @param {import('./words.js').Step} step */
  add(step) {
    if (this.#isPaused) return
    this.#waiting.push(rowOf(step))
    if (this.#waiting.length > MAX_ROWS) this.#waiting.shift()
  }

  /** @param {string} only id of the one whose events are shown; empty: of all */
  show(only) {
    const log = byId('log')
    log.prepend(...this.#waiting.splice(0).reverse())
    while (log.childElementCount > MAX_ROWS) log.lastElementChild.remove()
    for (const row of log.children) row.hidden = only !== '' && row.dataset.of !== only
  }
}

function rowOf(step) {
  const { chart, id, event } = step
  const { at, ...fields } = event.fields
  const told = Object.entries(fields).map(([name, value]) => `${name} ${factText(name, value)}`)
  return element(
    'li',
    { class: 'entry', 'data-of': id },
    element('span', { class: 'time' }, timeText(at)),
    element(
      'button',
      { type: 'button', class: 'plain', 'data-id': id, title: `Show this ${chart}` },
      shortName(id),
    ),
    element('strong', {}, eventName(event.type)),
    element('span', { class: 'move' }, moveText(step)),
    told.length > 0 && element('span', { class: 'soft' }, told.join(', ')),
  )
}
