/** A mail that is owed, as it waits in the store: sealed, because its links let whoever has them act for a user, and because it says whose account
 *  has which address. @module */
import { type StorageKeys, seal, unseal } from '../storage-keys.ts'
import type { MailAddress } from './address.ts'
import type { MailText } from './texts.ts'

/** Secret. */
export type WrittenMail = MailText & { readonly to: MailAddress }

/** @param id of the delivery: for no other can it be opened
 *  @param nonce 12 fresh random bytes
 *  @returns Base64 */
export function sealMail(mail: WrittenMail, id: string, keys: StorageKeys, nonce: Uint8Array): string {
  const { to, subject, text, html } = mail
  const plain = Buffer.from(JSON.stringify({ to, subject, text, html }))
  return Buffer.from(seal(plain, keys, nonce, purposeOf(id))).toString('base64')
}

/** @throws {RecordError} */
export function openMail(sealed: string, id: string, keys: StorageKeys): WrittenMail {
  const { plain } = unseal(Buffer.from(sealed, 'base64'), keys, purposeOf(id))
  return JSON.parse(Buffer.from(plain).toString()) as WrittenMail // what was sealed is what `sealMail` wrote
}

function purposeOf(id: string): string {
  return `mail ${id}`
}
