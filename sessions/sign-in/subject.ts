/** Subjects (`sub`) of OpenID Connect Core 8. A login has a seed, which is secret. Each sector gets another subject of it, so that two sites cannot link their
 *  users. @module */
import { createHmac } from 'node:crypto'
import type { AttributeTypeId } from '../../protocol/ids.ts'

const [SEED, SUBJECT] = ['svc sign-in seed 1', 'svc sign-in subject 1']

/** The seed of a login with pairwise subjects: the same for the same value of the attribute. Secret: with it, subjects of all sectors can be calculated.
 *  @param salt secret
 *  @param value of the attribute, secret */
export function attributeSeed(salt: Uint8Array, attribute: AttributeTypeId, value: string): string {
  return keyed(salt, [SEED, attribute, value])
}

/** @param seed `attributeSeed`, or at least 16 random bytes as text for a subject of one login */
export function subjectOf(seed: string, sector: string): string {
  return keyed(Buffer.from(seed), [SUBJECT, sector])
}

/** HMAC-SHA-256 over texts. Each has its length in bytes in front, so that two lists of texts never give the same input. */
function keyed(key: Uint8Array, texts: readonly string[]): string {
  const hmac = createHmac('sha256', key)
  for (const text of texts) {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hmac.update(length).update(bytes)
  }
  return hmac.digest('base64url')
}
