/** Credential types that require others first (spec/schemes-and-cli#5.4). Every type must be reachable without a circle of dependencies. @module */
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { CredentialType } from './types.ts'

/** The maximum length of a chain of credential types in which each requires the one before. */
const MAX_CHAIN = 24

/** Returns the first type with wrong dependencies and the reason; null: all dependencies are right.
 *  Types are settled in rounds: first those without dependencies, then those that need only settled types. The types of a circle are never settled. */
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
