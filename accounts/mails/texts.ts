/** Texts of the keyshare server's mails (spec/keyshare-server#13 to #15), in English and Dutch: as plain text, and as HTML in which all inserted
 *  values are escaped. Subjects are constant, so that no outside text gets into a header. @module */

export const MAIL_LANGUAGES = ['en', 'nl'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

export const MAIL_KINDS = ['confirmation', 'login', 'expiry', 'deletion'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

/** A paragraph, or a link to this server. A link is secret, because it authorises its holder. */
type Part = string | { readonly link: string }

type Words = {
  readonly days: (count: number) => string
  readonly hours: (count: number) => string
  readonly minutes: (count: number) => string
}

type Mails = Readonly<Record<MailKind, unknown>> & {
  readonly confirmation: (link: string, hours: number) => readonly [subject: string, ...parts: Part[]]
  readonly login: (link: string, minutes: number) => readonly [subject: string, ...parts: Part[]]
  readonly expiry: (userName: string, days: number) => readonly [subject: string, ...parts: Part[]]
  readonly deletion: (userName: string, days: number) => readonly [subject: string, ...parts: Part[]]
}

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  en: {
    days: count => (count === 1 ? '1 day' : `${count} days`),
    hours: count => (count === 1 ? '1 hour' : `${count} hours`),
    minutes: count => (count === 1 ? '1 minute' : `${count} minutes`),
  },
  nl: {
    days: count => (count === 1 ? '1 dag' : `${count} dagen`),
    hours: count => `${count} uur`,
    minutes: count => (count === 1 ? '1 minuut' : `${count} minuten`),
  },
}

const MAILS: Readonly<Record<MailLanguage, Mails>> = {
  en: {
    confirmation: (link, hours) => [
      'Confirm your e-mail address',
      'You have entered this e-mail address in your wallet app. Please confirm that it is yours:',
      { link },
      `The link can be used once, for ${WORDS.en.hours(hours)}. Until then your app works without a confirmed address.`,
      'If you have not entered this address yourself, you need not do anything.',
    ],
    login: (link, minutes) => [
      'Log in to manage your account',
      'With this link you can look at the account of your wallet app, and delete it:',
      { link },
      `The link can be used once, for ${WORDS.en.minutes(minutes)}. Give it to nobody.`,
      'If you have not asked for it, you need not do anything.',
    ],
    expiry: (userName, days) => [
      'Your account will be deleted',
      `The account ${userName} of your wallet app has not been used for a long time.`,
      `It will be deleted in ${WORDS.en.days(days)}. To keep it, open your wallet app before that and enter your PIN.`,
      'Once the account is deleted, the data in your wallet app can no longer be used.',
    ],
    deletion: (userName, days) => [
      'Your account has been deleted',
      `The account ${userName} of your wallet app has been deleted, as you asked. Your wallet app cannot use it any more.`,
      `What else is stored of it will be erased in ${WORDS.en.days(days)}.`,
    ],
  },
  nl: {
    confirmation: (link, hours) => [
      'Bevestig je e-mailadres',
      'Je hebt dit e-mailadres in je wallet-app ingevuld. Bevestig dat het van jou is:',
      { link },
      `De link kan één keer gebruikt worden, gedurende ${WORDS.nl.hours(hours)}. Tot die tijd werkt je app zonder bevestigd adres.`,
      'Heb je dit adres niet zelf ingevuld, dan hoef je niets te doen.',
    ],
    login: (link, minutes) => [
      'Log in om je account te beheren',
      'Met deze link kun je het account van je wallet-app bekijken en verwijderen:',
      { link },
      `De link kan één keer gebruikt worden, gedurende ${WORDS.nl.minutes(minutes)}. Geef hem aan niemand.`,
      'Heb je er niet om gevraagd, dan hoef je niets te doen.',
    ],
    expiry: (userName, days) => [
      'Je account wordt verwijderd',
      `Het account ${userName} van je wallet-app is lange tijd niet gebruikt.`,
      `Het wordt over ${WORDS.nl.days(days)} verwijderd. Wil je het houden, open dan voor die tijd je wallet-app en voer je pincode in.`,
      'Is het account verwijderd, dan zijn de gegevens in je wallet-app niet meer te gebruiken.',
    ],
    deletion: (userName, days) => [
      'Je account is verwijderd',
      `Het account ${userName} van je wallet-app is verwijderd, zoals je hebt gevraagd. Je wallet-app kan het niet meer gebruiken.`,
      `Wat er verder van is bewaard, wordt over ${WORDS.nl.days(days)} gewist.`,
    ],
  },
}

export function isMailKind(text: string): text is MailKind {
  return MAIL_KINDS.some(kind => kind === text)
}

/** The language of a user's mails.
 *  @param preferred as the user registered it, any text; only the first part of `nl-NL` counts
 *  @param otherwise used for unsupported languages */
export function mailLanguage(preferred: string, otherwise: MailLanguage): MailLanguage {
  const [language = ''] = preferred.toLowerCase().split(/[-_]/)
  return language === 'en' || language === 'nl' ? language : otherwise
}

/** Asks the user to confirm an address of the registration, or one that was added later.
 *  @param link secret */
export function confirmationMail(language: MailLanguage, link: string, hours: number): MailText {
  return written(language, MAILS[language].confirmation(link, hours))
}

/** Sends a user the login link of the account page.
 *  @param link secret */
export function loginMail(language: MailLanguage, link: string, minutes: number): MailText {
  return written(language, MAILS[language].login(link, minutes))
}

/** Warns that an unused account will be deleted in `days` days. */
export function expiryMail(language: MailLanguage, userName: string, days: number): MailText {
  return written(language, MAILS[language].expiry(userName, days))
}

/** Tells the owner that the account was deleted, and that its row will be erased in `days` days. */
export function deletionMail(language: MailLanguage, userName: string, days: number): MailText {
  return written(language, MAILS[language].deletion(userName, days))
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
