/** The known actors: those of the lists, the newest first, and later changes. Their number is bounded, like that of the lists.
 *
 *  @typedef {import('./words.js').Actor} Actor
 *  @module */

export class Actors {
  /** @type {Map<string, { actor: Actor, order: number }>} */
  #known = new Map()
  /** @type {Map<string, number>} */
  #totals = new Map()
  #newest = 0
  #bound = 0

  /** @param {number} bound the most actors of a chart that are known */
  begin(bound) {
    this.#known.clear()
    this.#totals.clear()
    this.#bound = bound
  }

  /** @param {{ chart: string, total: number, actors: Actor[] }} list */
  setList({ chart, total, actors }) {
    for (const [id, { actor }] of this.#known) if (actor.chart === chart) this.#known.delete(id)
    this.#totals.set(chart, total)
    this.#newest += actors.length
    for (const [i, actor] of actors.entries()) this.#known.set(actor.id, { actor, order: this.#newest - i })
  }

  /** @param {Actor} actor in its current state
   *  @param {boolean} isNew no list has counted it */
  put(actor, isNew = false) {
    const known = this.#known.get(actor.id)
    if (known && known.actor.version > actor.version) return
    if (!known && isNew) this.#totals.set(actor.chart, (this.#totals.get(actor.chart) ?? 0) + 1)
    this.#known.set(actor.id, { actor, order: known?.order ?? ++this.#newest })
    if (!known) this.#keepBound(actor.chart)
  }

  /** @param {string} id */
  forget(id) {
    const known = this.#known.get(id)
    if (!known) return
    this.#known.delete(id)
    this.#totals.set(known.actor.chart, Math.max(0, (this.#totals.get(known.actor.chart) ?? 0) - 1))
  }

  /** @param {string} id */
  get(id) {
    return this.#known.get(id)?.actor
  }

  /** @param {string} chart */
  total(chart) {
    return this.#totals.get(chart) ?? 0
  }

  /** @param {string} chart */
  listed(chart) {
    return [...this.#known.values()].filter(({ actor }) => actor.chart === chart).length
  }

  /** The newest first.
   *  @param {{ chart: string, status: string, requestor: string }} filter */
  chosenBy(filter) {
    return [...this.#known.values()]
      .filter(({ actor }) => fits(actor, filter))
      .sort((one, other) => other.order - one.order)
      .map(({ actor }) => actor)
  }

  #keepBound(chart) {
    const ofChart = [...this.#known].filter(([, { actor }]) => actor.chart === chart)
    if (ofChart.length <= this.#bound) return
    const [[oldest]] = ofChart.sort(([, one], [, other]) => one.order - other.order)
    this.#known.delete(oldest)
  }
}

/** @param {Actor} actor
 *  @param {{ chart: string, status: string, requestor: string }} filter an empty member excludes nothing */
export function fits(actor, { chart, status, requestor }) {
  return (
    (chart === '' || actor.chart === chart) &&
    (status === '' || actor.status === status) &&
    (requestor === '' || actor.requestor === requestor)
  )
}
