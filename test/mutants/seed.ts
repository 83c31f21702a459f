/** Choosing by a seed, so that what is chosen changes little when the list does. @module */
import { createHash } from 'node:crypto'

/** The items in an order that the seed gives to their names. */
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
