/** Signed messages of the attacker's making, without a timestamp. @module */
import { draftDisclosure } from '../../crypto/disclosure.ts'
import { signatureNonce } from '../../crypto/timestamp.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import { writeJson } from '../../protocol/json.ts'
import { signedMessage } from '../../protocol/signed-message.ts'
import { arithmetic, bytes, type ConnectedSession, hidden, prove } from './forge.ts'
import { holderOf, subjectOf } from './holder.ts'

export type Signed = {
  readonly message: string
  /** false: the challenge is that of a disclosure */
  readonly isSignature?: boolean
}

/** @returns the body of the submission */
export function signWith(
  service: Service,
  asked: ConnectedSession,
  { message, isSignature = true }: Signed,
): string {
  const holder = holderOf(service)
  const { credential, index } = subjectOf(service, holder)
  const choice = { credential, disclosed: [index] }
  const draft = draftDisclosure(arithmetic, choice, hidden(holder.secretKey), bytes)
  const nonce = signatureNonce(asked.nonce, message, null)
  const proofs = prove({ ...asked, nonce }, [draft], isSignature)
  const { nonce: sent, context, contextBase } = asked
  const indices = [[{ cred: 0, attr: index }]]
  const signed = { version: 2, proofs, indices, nonce: sent, context, message, timestamp: null } as const
  return writeJson(signedMessage(signed, contextBase))
}
