/** A cache of many entries. @module */
import { LRUCache } from 'lru-cache'

type Value = NonNullable<unknown>

/** A cache of the entries that were used last. Its memory grows with the number of entries. A cache with the option `max` would allocate
 *  lists of that length at its start: for 100,000 entries, this takes 25 ms.
 *  @param most number of entries
 *  @param dispose called for each entry that leaves */
export function recentEntries<K extends Value, V extends Value>(
  most: number,
  dispose?: LRUCache.Disposer<K, V>,
): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) })
}
