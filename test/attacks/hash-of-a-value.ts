/** The common part of the attacks that disclose the hash of a long value in its place. @module */

import { attributeExponent, encodeAttribute } from '../../crypto/attribute.ts'
import { toBase64 } from '../../crypto/bytes.ts'
import { callOf, type Service, wordsOf } from '../../libraries/conformance/service.ts'
import type { Candidate } from '../../libraries/wallet/candidates.ts'

const TYPE = 'svc-demo.fast.note'
const TEXT = `${TYPE}.text`
/** The size of an attribute under a key of 1024 or 2048 bits. */
const LM = 256

/** Gets a credential with this text, and discloses the hash of the text. The equations of the proof hold for the text and for its hash.
 *  @returns what was gained; null: nothing */
export async function discloseHashOf(text: string, service: Service): Promise<string | null> {
  const credentials = [service.credential({ credential: TYPE, attributes: { text } })]
  const issued = await service.answer(await service.create(service.request('issuing', { credentials })))
  if (issued.outcome.status !== 'success') throw new Error(`expected a note, got ${wordsOf(issued)}`)
  const value = encodeAttribute(text)
  const hash = attributeExponent(value, LM)
  const session = await service.create(service.disclosure({ disclose: [[[TEXT]]] }))
  const hasText = ({ attributes }: Candidate): boolean => attributes.some(shown => shown.value === text)
  const played = await service.answer(session, {
    consent: async ({ candidates: { items } }) => ({
      answer: 'disclose',
      choices: items.map(({ candidates }) => candidates.findIndex(hasText)),
    }),
    tamper: body =>
      JSON.parse(JSON.stringify(body).replaceAll(`"${toBase64(value)}"`, `"${toBase64(hash)}"`)),
  })
  const { sent } = callOf(played, 'POST', '/proofs')
  if (!JSON.stringify(sent).includes(toBase64(hash)))
    throw new Error('expected a submission with the hash, got another')
  const result = await service.result(session)
  return JSON.stringify(result).includes('"VALID"')
    ? 'a VALID result shows a value that no issuer signed'
    : null
}
