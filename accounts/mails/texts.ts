/** Texts of the keyshare server's mails (spec/keyshare-server#13 to #15): as plain text, and as HTML in which all inserted values are escaped. Subjects are
 *  constant, so that no outside text gets into a header. @module */
import { MAIL_LANGUAGES, MAIL_WORDS, type MailLanguage } from './words/languages.ts'
import type { Part } from './words/words.ts'

export const MAIL_KINDS = ['confirmation', 'login', 'expiry', 'deletion'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

export function isMailKind(text: string): text is MailKind {
  return MAIL_KINDS.some(kind => kind === text)
}

/** The language of a user's mails.
 *  @param preferred as the user registered it, any text; only the first part of `nl-NL` counts
 *  @param otherwise used for unsupported languages */
export function mailLanguage(preferred: string, otherwise: MailLanguage): MailLanguage {
  const [language = ''] = preferred.toLowerCase().split(/[-_]/)
  return MAIL_LANGUAGES.find(each => each === language) ?? otherwise
}

/** Asks the user to confirm an address of the registration, or one that was added later.
 *  @param link secret */
export function confirmationMail(language: MailLanguage, link: string, hours: number): MailText {
  return written(language, MAIL_WORDS[language].confirmation(link, hours))
}

/** Sends a user the login link of the account page.
 *  @param link secret */
export function loginMail(language: MailLanguage, link: string, minutes: number): MailText {
  return written(language, MAIL_WORDS[language].login(link, minutes))
}

/** Warns that an unused account will be deleted in `days` days. */
export function expiryMail(language: MailLanguage, userName: string, days: number): MailText {
  return written(language, MAIL_WORDS[language].expiry(userName, days))
}

/** Tells the owner that the account was deleted, and that its row will be erased in `days` days. */
export function deletionMail(language: MailLanguage, userName: string, days: number): MailText {
  return written(language, MAIL_WORDS[language].deletion(userName, days))
}

function written(language: MailLanguage, [subject, ...parts]: readonly [string, ...Part[]]): MailText {
  const text = parts.map(part => (typeof part === 'string' ? part : part.link)).join('\n\n')
  const html = parts.map(part => `<p>${typeof part === 'string' ? escaped(part) : anchor(part.link)}</p>\n`)
  const head = `<meta charset="utf-8"><title>${escaped(subject)}</title>`
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>\n${html.join('')}</body></html>\n`,
  }
}

function anchor(link: string): string {
  return `<a href="${escaped(link)}">${escaped(link)}</a>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
}
