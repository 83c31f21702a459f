/** A pending mail as it is stored. It is encrypted, because its links authorise actions for a user, and because it shows which address belongs to
 *  which account. @module */
import { type StorageKeys, seal, unseal } from '../storage-keys.ts'
import type { MailAddress } from './address.ts'
import type { MailText } from './texts.ts'

/** Secret. */
export type WrittenMail = MailText & { readonly to: MailAddress }

/** @param id of the delivery; the mail can be opened only with the same id
 *  @param nonce 12 fresh random bytes
 *  @returns Base64 */
export function sealMail(mail: WrittenMail, id: string, keys: StorageKeys, nonce: Uint8Array): string {
  const { to, subject, text, html } = mail
  const plain = Buffer.from(JSON.stringify({ to, subject, text, html }))
  return Buffer.from(seal(plain, keys, nonce, purposeOf(id))).toString('base64')
}

/** @throws {RecordError} */
export function openMail(sealed: string, id: string, keys: StorageKeys): WrittenMail {
  const plain = unseal(Buffer.from(sealed, 'base64'), keys, purposeOf(id))
  return JSON.parse(Buffer.from(plain).toString()) as WrittenMail // sealed by `sealMail`
}

function purposeOf(id: string): string {
  return `mail ${id}`
}
