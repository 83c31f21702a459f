/** The parts of a session result that a login is made of. @module */
import type { JsonValue } from '../../protocol/json.ts'
import type { PlannedAlternative } from './plan.ts'

/** An attribute of a session result, as `DisclosedAttribute` has it. Secret. */
export type ResultAttribute = {
  readonly id: string
  readonly rawvalue: string | null
  readonly issuancetime: number
  readonly notrevoked?: boolean | undefined
  readonly notrevokedbefore?: number | undefined
}

/** The result of the session: an outcome of the embedded server, or the answer of another one. Secret. */
export type LoginResult = {
  readonly proofStatus?: string | undefined
  /** by outer item; then perhaps a list of attributes that were not asked for, which is ignored */
  readonly disclosed?: readonly (readonly ResultAttribute[] | null)[] | undefined
}

export type Claims = { readonly [name: string]: JsonValue }

/** The disclosed attributes of an item. */
export type UsedAlternative = {
  readonly alternative: PlannedAlternative
  readonly attributes: readonly ResultAttribute[]
}
