/** Every text of the mails. @module */

/** A paragraph, or a link to this server. A link is secret, because it authorises its holder. */
export type Part = string | { readonly link: string }
type Mail = readonly [subject: string, ...parts: Part[]]

export type MailTexts = {
  readonly confirmation: (link: string, hours: number) => Mail
  readonly login: (link: string, minutes: number) => Mail
  readonly expiry: (userName: string, days: number) => Mail
  readonly deletion: (userName: string, days: number) => Mail
}
