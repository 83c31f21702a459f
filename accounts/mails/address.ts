/** Addresses of mailboxes: a name and a domain in ASCII, as they stand in a mail without any quoting, so that nothing but an address can get into a
 *  header. A domain has one spelling, in small letters, so that a mailbox is counted and found as the same one whichever letters somebody types; what the
 *  letters of a name mean, only its domain knows. Whether the domain exists is another question. @module */
import { InvalidRequest } from '../../protocol/errors.ts'

declare const brand: unique symbol
export type MailAddress = string & { readonly [brand]: 'MailAddress' }

/** The longest address, and the longest name in one (RFC 5321). */
const MAX_LENGTH = 254
const MAX_NAME = 64
/** Words of the characters that need no quoting (RFC 5322), with dots between them. */
const NAME = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

/** @throws {InvalidRequest} without quoting the text, which came from anybody */
export function parseMailAddress(text: string): MailAddress {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0))
  const isShort = text.length <= MAX_LENGTH && name.length <= MAX_NAME
  const domain = text.slice(at + 1)
  const labels = domain.split('.')
  if (!isShort || !NAME.test(name) || !labels.every(label => LABEL.test(label)))
    throw new InvalidRequest('invalid email address: expected <name>@<domain> in ASCII, got something else')
  return `${name}@${domain.toLowerCase()}` as MailAddress
}

/** What must exist, for a mail to arrive. */
export function domainOf(address: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
