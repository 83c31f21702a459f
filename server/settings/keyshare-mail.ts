/** The mail server of a keyshare server, and how long accounts are kept (spec/keyshare-server#13, #14, #16): their options, and the settings that are made of
 *  them. @module */
import { needsUtf8, parseMailAddress } from '../../accounts/mails/address.ts'
import { MAIL_LANGUAGES } from '../../accounts/mails/words/languages.ts'
import type { AccountTimes, MailSettings } from '../../actors/mails/settings.ts'
import { MailError, type MailPort, type MailSender } from '../../ports/mail.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import { refuse, textOrFile } from './checks.ts'
import { type MailWordOptions, mailWordsOf, warningsAboutLanguages } from './keyshare-mail-words.ts'
import { choice, integer, text } from './kinds.ts'

export const mail = {
  email_server: text('', {
    placeholder: 'HOST:PORT',
    defaultWords: 'none: addresses that users give are dropped, and there is no account page',
    description: 'SMTP server that sends the mails to users',
  }),
  email_hostname: text('', {
    placeholder: 'NAME',
    defaultWords: 'none: TLS is used if the server offers it',
    description: 'name in the certificate of that server; with this name, TLS is required',
  }),
  email_username: text('', { placeholder: 'NAME', description: 'user name at that server' }),
  email_password: text('', { placeholder: 'TEXT', isSecret: true, description: 'password at that server' }),
  email_password_file: text('', { placeholder: 'FILE', description: 'file with that password' }),
  email_from: text('', {
    placeholder: 'ADDRESS',
    defaultWords: 'none, must be given with "email_server"',
    description:
      'sender of the mails: an address, or a name and the address in angle brackets; a name with punctuation needs quotes',
  }),
  email_token_validity: integer(168, [1, 8_760], {
    unit: 'hours',
    description: 'how long the link in a mail that confirms an address can be followed',
  }),
  mails_per_caller: integer(200, [0, 1_000_000], {
    description: 'requests for a mail an hour from one address, or from one /64 network of IPv6; 0: no bound',
  }),
  mails_per_domain: integer(1_000, [0, 1_000_000], {
    description: 'mails an hour to the addresses of one domain, of each purpose; 0: no bound',
  }),
  mails_per_mailbox: integer(10, [0, 1_000_000], {
    description:
      'mails a day to one mailbox, of each purpose; letter case, and the part of the name after a plus sign, are ignored; 0: no bound',
  }),
  default_language: choice(MAIL_LANGUAGES, {
    description: 'language of mails to users whose own language this server does not support',
  }),
}

export const accountTimes = {
  expiry_delay: integer(365, [1, 36_500], {
    unit: 'days',
    description: 'how long an account that has an address may be unused before its owner is warned',
  }),
  delete_delay: integer(30, [1, 3_650], {
    unit: 'days',
    description: 'how long an account is kept after that warning, or after its owner has deleted it',
  }),
}

type Numbers = 'email_token_validity' | 'mails_per_caller' | 'mails_per_domain' | 'mails_per_mailbox'

type MailOptions = {
  readonly [Name in Exclude<keyof typeof mail, Numbers | 'default_language'>]: string
} & {
  readonly [Name in Numbers]: number
} & {
  readonly default_language: MailSettings['defaultLanguage']
} & MailWordOptions

type TimeOptions = { readonly [Name in keyof typeof accountTimes]: number }

/** The pause before the second attempt, and the longest pause between two attempts. */
const BACKOFF = { firstMs: 10_000, maxMs: 900_000 } as const

export function accountTimesOf({ expiry_delay, delete_delay }: TimeOptions): AccountTimes {
  return { expiryDays: expiry_delay, deleteDays: delete_delay }
}

const NEEDS_SERVER = [
  'email_hostname',
  'email_username',
  'email_password',
  'email_password_file',
  'email_from',
] as const

/** Warns about mail options without `email_server`: the operator seems to expect mails, and none is sent. */
export function warningsAboutMail(options: MailOptions): readonly string[] {
  if (options.email_server !== '') return warningsAboutLanguages(options)
  return NEEDS_SERVER.filter(option => options[option] !== '').map(
    option => `${option}: without effect, because "email_server" names no server: no mail is sent`,
  )
}

/** @param url at which wallet apps, and so users, reach this server
 *  @returns null: no mail is sent
 *  @throws {SettingsError} */
export function mailSettingsOf(options: MailOptions, url: string): MailSettings | null {
  const { email_server, email_hostname: tlsName, email_username: user } = options
  if (email_server === '') return null
  const password = passwordIn(options)
  if ((user === '') !== (password === ''))
    refuse('email_username and email_password', 'expected both of them or none, got one')
  return {
    server: {
      ...hostAndPortIn(email_server),
      tlsName: tlsName || null,
      credentials: user === '' ? null : { user, password },
    },
    from: senderIn(options.email_from),
    backoff: BACKOFF,
    pageUrl: `${withoutSlashesAtEnd(url)}/account`,
    defaultLanguage: options.default_language,
    confirmationHours: options.email_token_validity,
    ...mailWordsOf(options),
    rates: {
      perCaller: options.mails_per_caller,
      perDomain: options.mails_per_domain,
      perMailbox: options.mails_per_mailbox,
    },
  }
}

/** The line break at the end of a file is not part of the password.
 *  @returns empty: none is given */
function passwordIn({ email_password, email_password_file }: MailOptions): string {
  const given = textOrFile('email_password', email_password, email_password_file)
  return given?.option === 'email_password_file' ? given.text.replace(/\r?\n$/, '') : email_password
}

function hostAndPortIn(server: string): { readonly host: string; readonly port: number } {
  const [, host = '', digits = ''] = /^(\[[\da-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(server) ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535)
    refuse('email_server', `expected HOST:PORT, such as mail.example.com:587, got ${JSON.stringify(server)}`)
  return { host: host.replace(/^\[|\]$/g, ''), port }
}

/** A word of a name (RFC 5322): a quoted string, or characters that need no quotes. */
const WORD = /"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s"()<>[\]:;@\\,\p{Cc}]+/gu
/** Words must be separated by blanks. Otherwise a long text could be split into words in so many ways that the match never ends. */
const SENDER = new RegExp(`^((?:(?:${WORD.source})(?: +|(?=<)))*)<([^<>]*)>$`, 'u')

/** The quotes and backslashes of a quoted word belong to its form and are no part of the name. */
function nameIn(words: string): string {
  const unquoted = (word: string): string =>
    word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/gu, '$1') : word
  return (words.match(WORD) ?? []).map(unquoted).join(' ').trim()
}

function senderIn(from: string): MailSender {
  const [, words = '', address = from] = SENDER.exec(from.trim()) ?? []
  try {
    const parsed = parseMailAddress(address.trim())
    if (needsUtf8(parsed)) refuse('email_from', 'expected an address with a name in ASCII, got other letters')
    return { name: nameIn(words), address: parsed }
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    return refuse(
      'email_from',
      `expected an address such as accounts@example.com, or a name and <accounts@example.com>, with the name in quotes if it has any of ()[]:;@\\,", got ${JSON.stringify(from)}`,
    )
  }
}

/** The options of the failed step, and advice. */
const REMEDIES: Readonly<Record<MailError['step'], readonly [option: string, remedy: string]>> = {
  connection: ['email_server', 'see that the name and the port are right, and that this machine may connect'],
  time: ['email_server', 'see that the port is one of SMTP: 25 or 587; implicit TLS (465) is not supported'],
  TLS: [
    'email_hostname',
    'write the name in the certificate of the server; this machine must trust that certificate: NODE_EXTRA_CA_CERTS names a file of further authorities',
  ],
  credentials: ['email_username and email_password', 'see that the server knows them'],
  address: ['email_server', 'use a server that offers SMTPUTF8'],
  message: ['email_server', 'see what the log of the server says'],
}

/** Tries connection, TLS and credentials before the server starts. A mail server that cannot be reached does not stop the start, because PINs must be checked without it.
 *  @returns a warning about a failure that may pass by itself, without secrets; null if the mail server is ready
 *  @throws {SettingsError} about a failure that lasts until an operator changes something */
export async function checkMailServer(
  { server }: Pick<MailSettings, 'server'>,
  port: Pick<MailPort, 'check'>,
): Promise<string | null> {
  const place = `${server.host}:${server.port}`
  try {
    const { offersLogin } = await port.check()
    if (server.credentials === null || offersLogin) return null
    return `email_username and email_password: ${place}: expected a server that offers AUTH, got none; mails are sent without a login; delete these options, or see that the port is the one for submission (587)`
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const [option, remedy] = REMEDIES[error.step]
    const words = `${place}: ${error.message}`
    if (error.needsOperator) refuse(option, `${words}; ${remedy}`)
    return `${option}: ${words}; mails wait and are retried for 24 h; ${remedy}`
  }
}
