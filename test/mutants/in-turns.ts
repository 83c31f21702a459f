/** Does many pieces of work, a few at a time. @module */
export async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, slot: number) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const slots = Array.from({ length: atOnce }, async (_, slot) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, slot)
  })
  await Promise.all(slots)
}
