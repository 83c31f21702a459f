/** Random numbers from a seed. Every part of a simulation draws from its own stream, identified by its name. So a part that is left out does not change
 *  the draws of the others. @module */

export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, name: string) {
    this.#a = seed >>> 0
    this.#b = (seed / 2 ** 32) >>> 0
    this.#c = hashOf(name)
    for (let round = 0; round < 12; round++) this.next() // the first numbers of similar seeds are similar
  }

  /** The next number, from 0 and below 1: a step of sfc32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }

  /** An integer from 0 and below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0]
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
