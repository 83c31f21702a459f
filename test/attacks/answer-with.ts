/** Proofs about several credentials of the holder, under one challenge. @module */
import { draftDisclosure } from '../../crypto/disclosure.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import type { Credential } from '../../libraries/wallet/credential.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'
import { arithmetic, ask, bytes, hidden, isAccepted, prove } from './forge.ts'

export type Shown = { readonly credential: Credential; readonly disclosed: readonly number[] }

/** Answers the request with right proofs about these credentials.
 *  @returns true if the result says `VALID` */
export async function isAnsweredWith(
  service: Service,
  members: object,
  { secretKey, shown, indices }: { secretKey: bigint; shown: readonly Shown[]; indices: DisclosureIndices },
): Promise<boolean> {
  const asked = await ask(service, service.disclosure(members))
  const secret = hidden(secretKey)
  const drafts = shown.map(choice => draftDisclosure(arithmetic, choice, secret, bytes))
  return isAccepted(service, asked, prove(asked, drafts), indices)
}
