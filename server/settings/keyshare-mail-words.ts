/** The operator's own texts of mails (spec/keyshare-server#13, #16): their options, and the settings that are made of them. @module */
import { type OwnMails, parseMailTemplate, TemplateError } from '../../accounts/mails/own-words.ts'
import { MAIL_KINDS, type MailKind } from '../../accounts/mails/texts.ts'
import { MAIL_LANGUAGES, type MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { MailSettings } from '../../actors/mails/settings.ts'
import { parseUrl } from '../../ports/parse-url.ts'
import { utf8Of } from '../../ports/utf8.ts'
import { contentOf, refuse } from './checks.ts'
import { Refusals } from './errors.ts'
import { textsByName } from './kinds.ts'

type Texts = Readonly<Record<string, string>>

const files = (mail: string, variables: string) =>
  textsByName({
    placeholder: 'LANGUAGE=FILE,...',
    description: `files with the HTML of the mail ${mail}, by language; variables: ${variables}`,
  })
const subjects = (mail: string) =>
  textsByName({ placeholder: 'LANGUAGE=TEXT,...', description: `subjects of the mail ${mail}, by language` })

const [CONFIRMS, WARNS] = ['that confirms an address', 'that warns of the deletion of an unused account']
const [LOGS_IN, DELETED] = ['with a login link', 'about a deleted account']

export const mailWords = {
  registration_email_files: files(CONFIRMS, '{{.VerificationURL}}'),
  registration_email_subjects: subjects(CONFIRMS),
  verification_url: textsByName({
    placeholder: 'LANGUAGE=URL,...',
    defaultWords: 'the account page of this server',
    description:
      'addresses of a page of the operator that confirms an address, by language: the token of the link is appended, and the page posts it to /verify',
  }),
  expired_email_files: files(WARNS, '{{.Username}}, {{.Email}}, {{.Delay}} (days)'),
  expired_email_subjects: subjects(WARNS),
  login_email_files: files(LOGS_IN, '{{.TokenURL}}'),
  login_email_subjects: subjects(LOGS_IN),
  delete_account_files: files(DELETED, '{{.Username}}, {{.Email}}, {{.Delay}} (days)'),
  delete_account_subjects: subjects(DELETED),
}

export type MailWordOptions = { readonly [Name in keyof typeof mailWords]: Texts } & {
  readonly default_language: MailLanguage
}

const OPTIONS = {
  confirmation: ['registration_email_files', 'registration_email_subjects'],
  login: ['login_email_files', 'login_email_subjects'],
  expiry: ['expired_email_files', 'expired_email_subjects'],
  deletion: ['delete_account_files', 'delete_account_subjects'],
} as const satisfies Readonly<Record<MailKind, readonly (keyof typeof mailWords)[]>>

type MailWords = Pick<MailSettings, 'ownMails' | 'verificationUrls'>

/** @throws {SettingsError} */
export function mailWordsOf(options: MailWordOptions): MailWords {
  const refusals = new Refusals()
  const own = MAIL_KINDS.map(kind => [kind, refusals.of(() => ownWordsOf(kind, options))] as const)
  const verificationUrls = refusals.of(() =>
    byLanguage('verification_url', options, (url, place) => addressIn(url, place)),
  )
  if (refusals.error || !verificationUrls) throw refusals.error
  return { ownMails: Object.fromEntries(own) as OwnMails, verificationUrls } // each kind was read
}

function ownWordsOf(kind: MailKind, options: MailWordOptions): OwnMails[MailKind] {
  const [filesOption, subjectsOption] = OPTIONS[kind]
  const html = byLanguage(filesOption, options, (file, place) => templateIn(file, place, kind))
  const subject = byLanguage(subjectsOption, options, subjectIn)
  return inEach(language => ({ html: html[language], subject: subject[language] }))
}

/** The values by language. A language without a value gets the value of the default language. */
function byLanguage<Value>(
  option: keyof typeof mailWords,
  options: MailWordOptions,
  read: (text: string, place: string) => Value,
): Readonly<Record<MailLanguage, Value | null>> {
  const texts = options[option]
  const fallback = options.default_language
  if (Object.keys(texts).length > 0 && !texts[fallback])
    refuse(option, `expected a value for the default language, ${fallback}, got none`)
  const valueIn = (language: MailLanguage): Value | null => {
    const text = texts[language]
    return text ? read(text, `${option}.${language}`) : null
  }
  const all = inEach(valueIn)
  return inEach(language => all[language] ?? all[fallback])
}

function inEach<Value>(of: (language: MailLanguage) => Value): Readonly<Record<MailLanguage, Value>> {
  return { en: of('en'), nl: of('nl'), de: of('de'), fr: of('fr') }
}

function templateIn(file: string, place: string, kind: MailKind) {
  try {
    const text = utf8Of(contentOf(place, file))
    return text === null
      ? refuse(place, `expected text in UTF-8 in ${file}, got other bytes`)
      : parseMailTemplate(text, kind)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return refuse(place, `${file}, ${error.message}`)
  }
}

function subjectIn(text: string, place: string): string {
  return /\p{Cc}/u.test(text) ? refuse(place, 'expected one line of text, got control characters') : text
}

/** Checks an address to which the token is appended, for instance after `#verify=`. */
function addressIn(text: string, place: string): string {
  if (/^https?:\/\/\S+$/.test(text) && parseUrl(`${text}token`) !== null) return text
  return refuse(place, `expected an http or https address, got ${JSON.stringify(text)}`)
}

/** Accounts have one of the languages of the account page. */
export function warningsAboutLanguages(options: MailWordOptions): readonly string[] {
  const languages: readonly string[] = MAIL_LANGUAGES
  const names = Object.keys(mailWords) as (keyof typeof mailWords)[] // the type of Object.keys loses the names
  return names.flatMap(option =>
    Object.keys(options[option])
      .filter(language => !languages.includes(language))
      .map(
        language =>
          `${option}.${language}: without effect, because accounts have one of the languages ${languages.join(', ')}`,
      ),
  )
}
