/** The list of actors: as many rows as a person can look at, the rest behind a button. @module */
import { byId, element, setText } from './dom.js'
import { ageText, dueText, shortName, standingText } from './words.js'

/** The rows that are shown at first, and with each press of the button. */
const ROWS = 100

export class List {
  #shown = ROWS
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map()

  /** @param {(id: string) => void} choose */
  constructor(choose) {
    byId('list').addEventListener('click', ({ target }) => {
      const row = target.closest('[data-id]')
      if (row) choose(row.dataset.id)
    })
    byId('list').addEventListener('keydown', event => this.#moveFocus(event))
    byId('more').addEventListener('click', () => {
      this.#shown += ROWS
    })
  }

  /** Filters have changed. */
  begin() {
    this.#shown = ROWS
  }

  /** @param {import('./words.js').Actor[]} actors
   *  @param {{ now: number, chosen: string, kept: ReadonlySet<string> }} facts
   *  @param {string} nobody what is said when the list is empty */
  show(actors, facts, nobody) {
    const list = byId('list')
    const visible = actors.slice(0, this.#shown)
    const ids = new Set(visible.map(({ id }) => id))
    for (const [id, row] of this.#rows) if (!ids.has(id)) this.#drop(id, row)
    for (const [i, actor] of visible.entries()) {
      const row = this.#rows.get(actor.id) ?? this.#add(actor.id)
      fill(row, actor, facts)
      if (list.children[i] !== row) list.insertBefore(row, list.children[i] ?? null)
    }
    byId('nobody').hidden = actors.length > 0
    setText(byId('nobody'), nobody)
    const rest = actors.length - visible.length
    byId('more').hidden = rest === 0
    setText(byId('more'), `Show more (${rest} left)`)
  }

  #add(id) {
    const names = ['kind', 'name', 'status', 'due', 'age', 'requestor', 'marks']
    const spans = names.map(name => element('span', { class: name }))
    const row = element(
      'li',
      {},
      element('button', { type: 'button', class: 'actor', 'data-id': id }, ...spans),
    )
    this.#rows.set(id, row)
    return row
  }

  #drop(id, row) {
    row.remove()
    this.#rows.delete(id)
  }

  /** Arrows go from row to row. */
  #moveFocus(event) {
    const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key]
    const row = step && document.activeElement.closest('li')?.[step]
    if (!row) return
    event.preventDefault()
    row.querySelector('button').focus()
  }
}

function fill(row, actor, { now, chosen, kept }) {
  const { chart, id, status, requestor, cause, isAwake } = actor
  const node = row.firstElementChild
  const [kind, name, state, due, age, from, marks] = node.children
  node.setAttribute('aria-current', String(id === chosen))
  kind.dataset.kind = chart
  state.dataset.status = status
  setText(kind, chart)
  setText(name, shortName(id))
  setText(state, standingText(actor))
  setText(due, dueText(actor, now))
  setText(age, ageText(actor, now))
  setText(from, requestor || cause || '')
  setText(marks, [isAwake ? '' : 'asleep', kept.has(id) ? 'kept' : ''].filter(Boolean).join(', '))
}
