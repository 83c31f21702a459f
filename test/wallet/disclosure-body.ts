/** Body of the proofs POST in a disclosure session without a keyshare server. @module */

import type { Candidate } from '../../libraries/wallet/candidates.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { disclosureMessage } from '../../protocol/disclosure-message.ts'
import { writeJson } from '../../protocol/json.ts'
import type { NonRevocationRequest } from '../../protocol/request-members.ts'

/** @throws {RangeError} if a chosen instance is no longer in the wallet */
export function disclosureBody(
  wallet: Wallet,
  chosen: readonly Candidate[],
  {
    context,
    nonce,
    nonRevocation = [],
  }: {
    readonly context: bigint
    readonly nonce: bigint
    readonly nonRevocation?: readonly NonRevocationRequest[]
  },
): string {
  const draft = wallet.draft({ chosen, nonRevocation, offers: [], context, isSignature: false })
  return writeJson(
    disclosureMessage(
      draft.bind(nonce, { disclosures: [], commitments: [] }).respond().disclosures,
      draft.indices,
    ),
  )
}
