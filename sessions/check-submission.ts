/** Reads and judges the submission of the wallet app (spec/interface#2.9, #4.3), by the type of its session. An error in it becomes a judgement, or a remote
 *  error that cancels the session (spec/decisions#d16, #d23). Pure except for the services in its arguments. @module */
import { parseCommitmentMessage } from '../protocol/commitment-message.ts'
import { parseDisclosureMessage } from '../protocol/disclosure-message.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { hasChains } from '../protocol/server-versions.ts'
import { parseSignedMessage } from '../protocol/signed-message.ts'
import type { ProtocolVersion } from '../protocol/versions.ts'
import type { Schemes } from '../schemes/types.ts'
import { checkCommitments } from './check-commitments.ts'
import { checkDisclosure } from './check-disclosure.ts'
import { checkSignature } from './check-signature.ts'
import type { CheckedSubmission, CheckServices } from './checked-submission.ts'
import type { KeyshareV1 } from './first-version.ts'
import type { LongValues } from './hashed-values.ts'
import { boundsOf } from './most-proofs.ts'
import type { NonRevocationFacts } from './non-revocation.ts'

export type SubmissionToCheck = {
  readonly extended: ExtendedRequest
  /** the text that the app posted; secret */
  readonly body: string
  /** the nonce of the session */
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
  /** the context base of the session's profile */
  readonly contextBase: string
  /** the version that the session uses */
  readonly protocolVersion: ProtocolVersion
  readonly nonRevocation: NonRevocationFacts
  readonly longValues: LongValues
  readonly keyshareV1: KeyshareV1
}

/** @throws {RemoteError} if the session must be cancelled
 *  @throws errors of the services, unchanged */
export async function checkSubmission(
  { extended, body, contextBase, protocolVersion, ...facts }: SubmissionToCheck,
  services: CheckServices,
): Promise<CheckedSubmission> {
  const { request } = extended
  const disclose = [...request.disclose, ...extended.implicitDisclose]
  const bounds = boundsOf(extended)
  switch (request.type) {
    case 'disclosing': {
      const input = {
        ...facts,
        request: { ...request, disclose },
        message: parseDisclosureMessage(body, bounds),
      }
      return { judgement: await checkDisclosure(input, services.verify), commitments: null }
    }
    case 'signing': {
      const message = parseSignedMessage(body, contextBase, bounds)
      const input = { ...facts, request: { ...request, disclose }, message, contextBase }
      return { judgement: await checkSignature(input, services), commitments: null }
    }
    case 'issuing': {
      const message = parseCommitmentMessage(body, bounds)
      const hasProofStatus = hasChains(protocolVersion)
      const input = { ...facts, request: { ...request, disclose }, message, hasProofStatus }
      return checkCommitments(input, services)
    }
  }
}
