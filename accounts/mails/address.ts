/** Mail addresses: a name and a domain that need no quoting. An address therefore cannot add anything else to a mail header. A domain has one spelling, in lower-case
 *  ASCII (punycode), so that all spellings of a mailbox count as the same one. A name may have letters beyond ASCII (RFC 6531), normalised to NFC.
 *  Two names that still differ count as two mailboxes. This file does not check that the domain exists. @module */
import { domainToASCII, domainToUnicode } from 'node:url'
import { InvalidRequestError } from '../../protocol/errors.ts'

declare const brand: unique symbol
export type MailAddress = string & { readonly [brand]: 'MailAddress' }

/** The maximum length of an address, and of the name in it, in bytes (RFC 5321). */
const MAX_LENGTH = 254
const MAX_NAME = 64
/** Words of characters that need no quoting (RFC 5322), or of letters and digits beyond ASCII, separated by dots. */
const NAME = /^[\w\p{L}\p{M}\p{Nd}!#$%&'*+/=?^`{|}~-]+(?:\.[\w\p{L}\p{M}\p{Nd}!#$%&'*+/=?^`{|}~-]+)*$/u
const BEYOND_ASCII = /[^\0-\x7f]/
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

/** @throws {InvalidRequestError} without quoting the text, which is outside input */
export function parseMailAddress(text: string): MailAddress {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0)).normalize('NFC')
  const domain = asciiOf(text.slice(at + 1))
  const address = `${name}@${domain}`
  const isShort = Buffer.byteLength(address) <= MAX_LENGTH && Buffer.byteLength(name) <= MAX_NAME
  if (!isShort || !NAME.test(name) || !domain.split('.').every(label => LABEL.test(label)))
    throw new InvalidRequestError('invalid email address: expected <name>@<domain>, got something else')
  return address as MailAddress
}

/** @returns an empty text if punycode cannot represent the domain, or would represent another one */
function asciiOf(domain: string): string {
  const small = domain.normalize('NFC').toLowerCase()
  if (!BEYOND_ASCII.test(domain)) return small
  const ascii = domainToASCII(small)
  return domainToUnicode(ascii) === small ? ascii : ''
}

/** True for a name with letters beyond ASCII, which some mail servers do not accept. */
export function needsUtf8(address: MailAddress): boolean {
  return BEYOND_ASCII.test(address)
}

/** The domain that must exist so that a mail can arrive. */
export function domainOf(address: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** The mailbox behind an address: its name without the tag after `+`, in small letters. Most mail servers deliver all these addresses to one person. */
export function mailboxOf(address: MailAddress): string {
  const name = address.slice(0, address.lastIndexOf('@')).toLowerCase()
  return `${/^.[^+]*/su.exec(name)?.[0] ?? name}@${domainOf(address)}`
}
