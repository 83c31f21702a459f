/** The situations that a script has reached. They show if a run was useful. @module */
import type { World } from './world.ts'

export function metIn(world: World): ReadonlySet<string> {
  const { history, calls, works, posted, store } = world
  const met = new Set<string>()
  for (const [index, { row }] of history.entries()) {
    const before = history[index - 1]?.row
    if (!before || !row) continue
    if (before.status !== row.status) met.add(`${before.status} > ${row.status}`)
    else if (before.claim && !row.claim) met.add('a claim that ends without an outcome')
  }
  const nodes = new Map<string, Set<unknown>>()
  for (const { answer, title, view, ask } of calls)
    if (ask.claims && Object(answer).status === 200)
      nodes.set(title, (nodes.get(title) ?? new Set()).add(view))
  if ([...nodes.values()].some(({ size }) => size > 1)) met.add('the same answer at both nodes')
  if (works.some(({ view, end }) => end === null && view.fate === 'gone'))
    met.add('work of a process that is killed')
  if (posted.length > 1) met.add('a callback that is posted twice')
  if (new Set(store.committed.map(({ id }) => id)).size > 1) met.add('a session that follows')
  return met
}
