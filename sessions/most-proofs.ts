/** The maximum number of proofs in a submission (spec/decisions#d26), and so how much of it is read. A request can use a certain number; a few more are allowed. A
 *  longer submission is refused early. @module */
import { MAX_PROOFS } from '../crypto/proof-list.ts'
import type { Disjunction, InnerConjunction } from '../protocol/disjunction.ts'
import { MalformedInputError } from '../protocol/errors.ts'
import { credentialTypeOf } from '../protocol/ids.ts'
import { type MessageBounds, messageBounds, readProofMessage } from '../protocol/proofs-json.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { mapShapeErrors } from '../protocol/shape.ts'
import { batchSizesOf } from './sd-jwt-batches.ts'

/** The number of proofs above the number that the request can use: an app may prove one credential twice. */
const SPARE_PROOFS = 4
/** The number of SD-JWT keys above the requested number. Up to this number the submission is read, and gets the error for a wrong number (spec/session-server#18). */
const SPARE_KEYS = 4

/** For each outer item the option with the most credentials, one commitment for each credential to issue, and the spare proofs. */
export function mostProofs({ request, implicitDisclose }: ExtendedRequest): number {
  const items = [...request.disclose, ...implicitDisclose]
  const disclosed = items.reduce((sum, item) => sum + mostCredentials(item), 0)
  const issued = request.type === 'issuing' ? request.credentials.length : 0
  return Math.min(disclosed + issued + SPARE_PROOFS, MAX_PROOFS)
}

function mostCredentials(item: Disjunction): number {
  const typesOf = (inner: InnerConjunction) => new Set(inner.map(({ type }) => credentialTypeOf(type)))
  return item.reduce((most, inner) => Math.max(most, typesOf(inner).size), 0)
}

export function boundsOf(extended: ExtendedRequest): MessageBounds {
  const { request } = extended
  const message = request.type === 'signing' ? request.message : ''
  return messageBounds(mostProofs(extended), mostIndexValues(extended), message, mostKeys(extended))
}

function mostKeys({ request }: ExtendedRequest): number {
  return (request.type === 'issuing' ? batchSizesOf(request) : 0) + SPARE_KEYS
}

/** Counts one list for each outer item, and for each attribute of its longest option an object with two numbers. */
function mostIndexValues({ request, implicitDisclose }: ExtendedRequest): number {
  const items = [...request.disclose, ...implicitDisclose]
  const longest = (item: Disjunction) => item.reduce((most, inner) => Math.max(most, inner.length), 0)
  return items.reduce((sum, item) => sum + 1 + 3 * longest(item), 0)
}

/** To be called before a submission is stored. Reading stops at the first proof or value above the limit.
 *  @throws {MalformedInputError} also for a text that is not JSON */
export function refuseTooMuch(text: string, extended: ExtendedRequest): void {
  mapShapeErrors(MalformedInputError, () => readProofMessage(text, extended.request.type, boundsOf(extended)))
}
