/** Credential types that need others first (spec/schemes-and-cli 5.4): every one must be reachable without going in a circle.
 *  @module */
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { CredentialType } from './types.ts'

/** The longest chain of credential types, each needed for the next. */
const MAX_CHAIN = 24

/** What is wrong with the dependencies of one type of a scheme; null: nothing is wrong with any.
 *  Types are settled in rounds: those without dependencies first, then those that need only settled ones; a circle settles nothing. */
export function findBrokenDependency(
  types: ReadonlyMap<CredentialTypeId, CredentialType>,
): { readonly type: CredentialTypeId; readonly reason: string } | null {
  for (const type of types.values()) {
    const foreign = type.dependencies.flat(2).find(id => !types.has(id))
    if (foreign) return { type: type.id, reason: `dependency ${foreign} is no credential type of the scheme` }
  }
  const settled = new Set<CredentialTypeId>()
  let waiting = [...types.values()]
  for (let round = 0; round < MAX_CHAIN && waiting.length > 0; round++) {
    const ready = waiting.filter(type =>
      type.dependencies.every(or => or.some(and => and.every(id => settled.has(id)))),
    )
    for (const type of ready) settled.add(type.id)
    waiting = waiting.filter(type => !settled.has(type.id))
  }
  const [first] = waiting
  if (!first) return null
  return { type: first.id, reason: `dependencies go in a circle, or are longer than ${MAX_CHAIN} types` }
}
