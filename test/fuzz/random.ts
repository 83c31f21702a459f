/** A random source for each input of a run. It depends on the seed of the run and the number of the input alone, so that a run is the same each time. @module */

export type Random = {
  /** an integer in [0, below) */
  int(below: number): number
  /** true with this probability */
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** @param seed of the run
 *  @param number of the input in the run */
export function randomOf(seed: number, number: number): Random {
  const next = mulberry(mixed(seed, number))
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    chance: probability => next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('pick: expected at least one item')
      return items[int(items.length)] as (typeof items)[number] // the index is below the length
    },
  }
}

/** A hash of two numbers, so that neighbours give unrelated sequences. */
function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The generator mulberry32. @returns a number in [0, 1) */
function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
