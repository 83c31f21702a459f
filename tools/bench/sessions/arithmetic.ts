/** The arithmetic of one session, as a worker thread calculates it, without other work: the check of the proofs, and in issuance sessions the signatures, with a
 *  given prime. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { type CredentialToSign, findSignaturePrime, signCommitment } from '../../../crypto/issuance.ts'
import { type ProofList, verifyProofs } from '../../../crypto/proof-list.ts'
import { randomInteger } from '../../../crypto/random.ts'
import { timestampNonce } from '../../../crypto/timestamp.ts'
import type { Profile } from '../../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../../protocol/request.ts'
import { parseVersion } from '../../../protocol/versions.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { checkSubmission, type SubmissionToCheck } from '../../../sessions/check-submission.ts'
import { credentialsToSign } from '../../../sessions/issue-credentials.ts'
import { NOTHING_KNOWN } from '../../../sessions/non-revocation.ts'
import { prepareRequest } from '../../../sessions/prepare-request.ts'

export type SessionFacts = {
  readonly schemes: Schemes
  readonly profile: Profile
  readonly nonce: bigint
  /** session request */
  readonly request: string
}

const OPTIONS = {
  augmentAllowed: false,
  maxClientReturnUrl: 2_000,
  canIssueRevocable: () => false,
  longValues: 'allow',
  sdJwtIssuers: null,
} as const

/** @param body of the app's submission
 *  @returns function that does all arithmetic once */
export async function arithmeticOf(
  body: string,
  { schemes, profile, nonce, request: text }: SessionFacts,
): Promise<() => void> {
  const arithmetic = chooseArithmetic('auto')
  const nowSec = Math.floor(Date.now() / 1_000)
  const extended = prepareRequest(parseSessionRequestText(text, profile), schemes, {
    ...OPTIONS,
    profile,
    nowSec,
  })
  const lists: ProofList[] = []
  const { contextBase } = profile
  const submission: SubmissionToCheck = {
    extended,
    body,
    nonce,
    nowSec,
    schemes,
    contextBase,
    protocolVersion: parseVersion('2.8'),
    nonRevocation: NOTHING_KNOWN,
    longValues: OPTIONS.longValues,
    keyshareV1: 'allow',
  }
  const verify = async (list: ProofList): Promise<boolean> => {
    lists.push(list)
    return true
  }
  const { commitments } = await checkSubmission(submission, {
    verify,
    isTrustedStamp: async () => false,
    timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
    noteFirstVersion: () => undefined,
  })
  const { request } = extended
  const toSign: readonly CredentialToSign[] =
    request.type === 'issuing' && commitments !== null
      ? credentialsToSign({ request, commitments, witnesses: [], schemes, nowSec }, bits =>
          randomInteger(bits, randomBytes),
        ).toSign
      : []
  const signings = toSign.map(each => ({ each, e: findSignaturePrime(arithmetic, each.key.n, randomBytes) }))
  return () => {
    if (!lists.every(list => verifyProofs(arithmetic, list)))
      throw new Error('benchmark: expected valid proofs')
    for (const { each, e } of signings) signCommitment(arithmetic, each, e, randomBytes)
  }
}
