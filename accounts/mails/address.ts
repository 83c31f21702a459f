/** Addresses of mailboxes: a name and a domain as they stand in a mail without any quoting, so that nothing but an address can get into a
 *  header. A domain has one spelling, in small letters of ASCII (punycode), so that a mailbox is counted and found as the same one whichever letters
 *  somebody types. A name may have letters beyond ASCII (RFC 6531) in one spelling (NFC); only its domain knows more about it. Whether the domain exists is
 *  another question. @module */
import { domainToASCII, domainToUnicode } from 'node:url'
import { InvalidRequest } from '../../protocol/errors.ts'

declare const brand: unique symbol
export type MailAddress = string & { readonly [brand]: 'MailAddress' }

/** The longest address, and the longest name in one, in bytes (RFC 5321). */
const MAX_LENGTH = 254
const MAX_NAME = 64
/** Words of the characters that need no quoting (RFC 5322), and of letters and digits beyond ASCII, with dots between them. */
const NAME = /^[\w\p{L}\p{M}\p{Nd}!#$%&'*+/=?^`{|}~-]+(?:\.[\w\p{L}\p{M}\p{Nd}!#$%&'*+/=?^`{|}~-]+)*$/u
const BEYOND_ASCII = /[^\0-\x7f]/
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

/** @throws {InvalidRequest} without quoting the text, which came from anybody */
export function parseMailAddress(text: string): MailAddress {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0)).normalize('NFC')
  const domain = asciiOf(text.slice(at + 1))
  const address = `${name}@${domain}`
  const isShort = Buffer.byteLength(address) <= MAX_LENGTH && Buffer.byteLength(name) <= MAX_NAME
  if (!isShort || !NAME.test(name) || !domain.split('.').every(label => LABEL.test(label)))
    throw new InvalidRequest('invalid email address: expected <name>@<domain>, got something else')
  return address as MailAddress
}

/** @returns an empty text for a domain that punycode cannot write, or would write as another one */
function asciiOf(domain: string): string {
  const small = domain.normalize('NFC').toLowerCase()
  if (!BEYOND_ASCII.test(domain)) return small
  const ascii = domainToASCII(small)
  return domainToUnicode(ascii) === small ? ascii : ''
}

/** True for a name with letters beyond ASCII, which some mail servers cannot take. */
export function needsUtf8(address: MailAddress): boolean {
  return BEYOND_ASCII.test(address)
}

/** What must exist, for a mail to arrive. */
export function domainOf(address: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
