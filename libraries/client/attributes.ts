/** The disclosed attributes of a valid result, by their identifiers. @module */
import type { AttributeId, Disjunction, SessionRequest } from './messages.ts'
import type { DisjunctionsOf, IdOf, ValidResult, ValueOf } from './results.ts'

type MembersOf<D extends Disjunction> = Extract<D[number], readonly unknown[]>[number]

/** The attribute requests of a disjunction without a choice; `never` for one with a choice. */
type Certain<D> = D extends readonly [infer C extends readonly [unknown, ...unknown[]]] ? C[number] : never

type Known<D extends readonly Disjunction[]> = {
  readonly [A in Certain<D[number]> as IdOf<A>]: ValueOf<A>
} & { readonly [A in MembersOf<D[number]> as IdOf<A>]?: ValueOf<A> }

/** The values by identifier. A member is optional if the user could choose not to disclose it. */
export type AttributesOf<R extends SessionRequest> = [DisjunctionsOf<R>] extends [never]
  ? { readonly [id: AttributeId]: string | null | undefined }
  : Known<Extract<DisjunctionsOf<R>, readonly Disjunction[]>>

/** Reads the requested attributes of a valid result, in either form. Attributes that were not requested are left out. If an identifier occurs twice, the first one
 *  counts; `result.disclosed` has both.
 *  @returns values by identifier, null for an attribute without a value. They are secret.
 *  @throws {TypeError} for a result that is not valid
 *  @example
 *  const result = await requestor.result(token)
 *  if (result.status === 'DONE' && result.proofStatus === 'VALID') {
 *    const isAdult = attributes(result)['svc-demo.gov.idcard.over18'] === 'yes'
 *  } */
export function attributes<R extends SessionRequest = SessionRequest>(
  result: ValidResult<R>,
): AttributesOf<R> {
  const { status, proofStatus, disclosed = [] } = result as ValidResult // any request has such a result
  if (status !== 'DONE' || proofStatus !== 'VALID')
    throw new TypeError('result: expected the status DONE and the proofStatus VALID, got another')
  const requested = [disclosed]
    .flat(2)
    .filter(attribute => attribute !== null)
    .filter(({ status }) => status !== 'EXTRA')
    .reverse() // of two entries, `Object.fromEntries` takes the last one
  return Object.fromEntries(requested.map(({ id, rawvalue }) => [id, rawvalue])) as AttributesOf<R> // the server has compared them with the request
}
