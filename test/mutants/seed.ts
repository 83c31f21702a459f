/** Choices by a seed, which change little when the list changes. @module */
import { createHash } from 'node:crypto'

/** The items in an order that depends on the seed and their names. */
export function shuffledBySeed<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  seed: number,
): Item[] {
  const keyOf = (item: Item): string =>
    createHash('sha256')
      .update(`${seed} ${nameOf(item)}`)
      .digest('hex')
  return items
    .map(item => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item)
}

export function chosenBySeed<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  seed: number,
): Item | undefined {
  return shuffledBySeed(items, nameOf, seed)[0]
}
