/** The disclosure message (spec/interface#2.9): body of `POST /proofs` in a disclosure session. @module */
import type { DisclosureProof } from '../crypto/disclosure.ts'
import { MalformedInputError } from './errors.ts'
import {
  type DisclosureIndices,
  listProofs,
  readDisclosures,
  readIndices,
  readProofMessage,
  WIDEST_BOUNDS,
  writeDisclosure,
} from './proofs-json.ts'
import { mapShapeErrors, readMap } from './shape.ts'

export type DisclosureMessage = {
  readonly proofs: readonly DisclosureProof[]
  readonly indices: DisclosureIndices
  /** true if a proof also has a range proof, which is not checked */
  readonly hasUncheckedParts: boolean
}

/** Reads the message. An empty body is a message without proofs.
 *  @throws {MalformedInputError} if the form is wrong
 *  @throws {ExceptionError} for a commitment among the proofs */
export function parseDisclosureMessage(text: string, bounds = WIDEST_BOUNDS): DisclosureMessage {
  return mapShapeErrors(MalformedInputError, () => {
    const body = readMap(readProofMessage(text, 'disclosing', bounds), 'disclosure message')
    const objects = listProofs(body.proofs, 'proofs', bounds)
    const indices = readIndices(body.indices)
    return { ...readDisclosures(objects), indices }
  })
}

/** The message as an app writes it. Members are in the order of the wire. */
export function disclosureMessage(proofs: readonly DisclosureProof[], indices: DisclosureIndices): object {
  return { proofs: proofs.map(writeDisclosure), indices }
}
