/** The options of mail, the settings made from them, and the check of the mail server before the start (spec/keyshare-server#13.1, #16). @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMailPort, MailError } from '../../../ports/mail.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { SettingsError } from '../../../server/settings/errors.ts'
import { accountTimesOf, checkMailServer, mailSettingsOf } from '../../../server/settings/keyshare-mail.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { MAIL_CA, startMailServer } from '../../mail-server.ts'
import { scriptedMailServer } from '../../scripted-mail-server.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const URL = 'https://keyshare.example/'
const NO_WORDS = { html: null, subject: null }
const BUILT_IN = { en: NO_WORDS, nl: NO_WORDS, de: NO_WORDS, fr: NO_WORDS }
const GIVEN = { email_server: 'mail.example:587', email_from: 'accounts@svc.example' }

/** @param values as in a settings file */
function settingsOf(values: Readonly<Record<string, unknown>>) {
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } })
  return mailSettingsOf(options, URL)
}

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'nothing was refused'
}

const Settings = suite('settings of mail')

Settings('without a mail server there are no settings of mail', () => {
  assert.is(settingsOf({}), null)
  assert.is(settingsOf({ ...GIVEN, email_server: '' }), null)
})

Settings('a host with its port, and a sender, are enough', () => {
  assert.equal(settingsOf(GIVEN), {
    server: { host: 'mail.example', port: 587, tlsName: null, credentials: null },
    from: { name: '', address: 'accounts@svc.example' },
    backoff: { firstMs: 10_000, maxMs: 900_000 },
    pageUrl: 'https://keyshare.example/account',
    defaultLanguage: 'en',
    confirmationHours: 168,
    rates: { perCaller: 200, perDomain: 1_000, perMailbox: 10 },
    ownMails: { confirmation: BUILT_IN, login: BUILT_IN, expiry: BUILT_IN, deletion: BUILT_IN },
    verificationUrls: { en: null, nl: null, de: null, fr: null },
  })
})

Settings(
  'the options have precedence over the defaults: TLS name, credentials, sender, language, times',
  () => {
    const settings = settingsOf({
      ...GIVEN,
      email_server: '[2001:db8::1]:25',
      email_hostname: 'mx.example',
      email_username: 'svc',
      email_password: 'secret',
      email_from: 'Keyshare service <accounts@svc.example>',
      default_language: 'nl',
      email_token_validity: 1,
    })
    assert.equal(settings?.server, {
      host: '2001:db8::1',
      port: 25,
      tlsName: 'mx.example',
      credentials: { user: 'svc', password: 'secret' },
    })
    assert.equal(settings?.from, { name: 'Keyshare service', address: 'accounts@svc.example' })
    assert.equal([settings?.defaultLanguage, settings?.confirmationHours], ['nl', 1])
  },
)

/** @returns a new file with this text */
function fileWith(text: string | Buffer): string {
  const file = join(temporaryFolder(), 'mail.password')
  writeFileSync(file, text)
  return file
}

Settings('the password may be in a file; the last line break of the file is not part of it', () => {
  for (const [text, password] of [
    ['secret', 'secret'],
    [' se cret \n', ' se cret '],
    ['secret\r\n', 'secret'],
  ] as const) {
    const file = { email_username: 'svc', email_password_file: fileWith(text) }
    assert.equal(settingsOf({ ...GIVEN, ...file })?.server.credentials, { user: 'svc', password })
  }
})

Settings('by default, an account is unused after a year, and is kept for 30 days after that', () => {
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file: undefined })
  assert.equal(accountTimesOf(options), { expiryDays: 365, deleteDays: 30 })
})

for (const [given, name] of [
  ['"Key Desk" <desk@svc.example>', 'Key Desk'],
  ['"Desk, Keys" <desk@svc.example>', 'Desk, Keys'],
  ['"The \\"Desk\\" \\\\" <desk@svc.example>', 'The "Desk" \\'],
  ['"Key" Desk <desk@svc.example>', 'Key Desk'],
  ['Key Desk Inc. <desk@svc.example>', 'Key Desk Inc.'],
  ['Sleutel-dienst café<desk@svc.example>', 'Sleutel-dienst café'],
  ['"" <desk@svc.example>', ''],
  [' <desk@svc.example> ', ''],
] as const)
  Settings(`the name of the sender ${given} is ${name || 'empty'}`, () => {
    assert.equal(settingsOf({ ...GIVEN, email_from: given })?.from, { name, address: 'desk@svc.example' })
  })

Settings('a long address without a name is read at once', () => {
  const address = `${'accounts-of-a-long-name'.repeat(2)}@svc.example`
  assert.equal(settingsOf({ ...GIVEN, email_from: address })?.from, { name: '', address })
})

for (const [what, values, words] of [
  ...(
    [
      '"Key Desk <a@svc.example>',
      'Key" Desk <a@svc.example>',
      'Desk, Keys <a@svc.example>',
      'Desk (Keys) <a@svc.example>',
      'Desk\\ <a@svc.example>',
      '"Desk" "<a@svc.example>',
      '"Desk\nBcc: x" <a@svc.example>',
      '"Desk" a@svc.example',
      'Desk <a@svc.example> b',
      'b@svc.example <a@svc.example>',
      '<<a@svc.example>>',
      'Desk <büro@svc.example>',
    ] as const
  ).map(
    from => [`the sender ${JSON.stringify(from)}`, { email_from: from }, 'email_from: expected'] as const,
  ),
  ['a server without a port', { email_server: 'mail.example' }, 'email_server: expected HOST:PORT'],
  ['a port that is too high', { email_server: 'mail.example:70000' }, 'email_server: expected HOST:PORT'],
  ['a web address', { email_server: 'https://mail.example:25' }, 'email_server: expected HOST:PORT'],
  ['no sender', { email_from: '' }, 'email_from: expected an address'],
  ['a sender with a line break', { email_from: 'a\nb <a@svc.example>' }, 'email_from: expected an address'],
  ['two senders', { email_from: 'a@svc.example, b@svc.example' }, 'email_from: expected an address'],
  ['a password without a name', { email_password: 'top-secret' }, 'expected both of them or none'],
  [
    'a password in the settings and in a file',
    { email_username: 'svc', email_password: 'top-secret', email_password_file: fileWith('top-secret') },
    'email_password: expected either email_password or email_password_file, got both',
  ],
  [
    'an empty password file',
    { email_username: 'svc', email_password_file: fileWith('\n') },
    'email_password_file: expected a value in',
  ],
  [
    'a password file that is not UTF-8',
    { email_username: 'svc', email_password_file: fileWith(Buffer.from('top-s\u00e9cret', 'latin1')) },
    'email_password_file: expected text in UTF-8 in',
  ],
  ['a name without a password', { email_username: 'svc' }, 'expected both of them or none'],
  [
    'links that are valid for more than a year',
    { email_token_validity: 8_761 },
    'expected an integer from 1 to 8760, got 8761',
  ],
] as const)
  Settings(`refused: ${what}`, async () => {
    const refusal = await refusalOf(() => settingsOf({ ...GIVEN, ...values }))
    assert.ok(refusal.includes(words), refusal)
    assert.not.match(refusal, 'top-secret')
  })

const Looks = suite('the check of the mail server before the start')
const CREDENTIALS = { user: 'svc', password: 'top-secret' }

/** @param called changes of the settings of the mail server
 *  @returns the refusal or the warning */
async function lookOf(options: Parameters<typeof startMailServer>[0], called: object) {
  const server = await startMailServer(options)
  const settings = { host: '127.0.0.1', port: server.port, tlsName: null, credentials: null, ...called }
  const port = createMailPort(settings, { clock: createSimulatedClock(1_000), ca: MAIL_CA })
  let warning: string | null = null
  const refusal = await refusalOf(async () => {
    warning = await checkMailServer({ server: settings }, port)
  })
  await server.close()
  const withoutPort = (text: string | null) => (text ?? 'none').replace(`:${settings.port}:`, ':PORT:')
  return { refusal: withoutPort(refusal), warning: withoutPort(warning) }
}

Looks('a mail server that fits the settings: neither refusal nor warning', async () => {
  assert.equal(
    await lookOf(
      { hasTls: true, credentials: CREDENTIALS },
      { tlsName: 'localhost', credentials: CREDENTIALS },
    ),
    { refusal: 'nothing was refused', warning: 'none' },
  )
})

for (const [what, options, called, words] of [
  [
    'no TLS',
    {},
    { tlsName: 'localhost' },
    'email_hostname: 127.0.0.1:PORT: expected TLS with a certificate for the name of the server, got answer 500; ',
  ],
  [
    'another name',
    { hasTls: true },
    { tlsName: 'mx.example' },
    'email_hostname: 127.0.0.1:PORT: expected TLS with a certificate for the name of the server, got ERR_TLS_CERT_ALTNAME_INVALID; ',
  ],
  [
    'wrong credentials',
    { credentials: { ...CREDENTIALS, user: 'other' } },
    { credentials: CREDENTIALS },
    'email_username and email_password: 127.0.0.1:PORT: expected a server that takes the credentials, got answer 535; ',
  ],
] as const)
  Looks(`refused with the option to correct: ${what}`, async () => {
    const { refusal } = await lookOf(options, called)
    assert.ok(refusal.startsWith(words), refusal)
    assert.not.match(refusal, 'top-secret')
  })

Looks('an unreachable mail server causes a warning', async () => {
  const { refusal, warning } = await lookOf({}, { port: 1 })
  assert.is(refusal, 'nothing was refused')
  const words =
    'email_server: 127.0.0.1:PORT: expected a connection to an SMTP server, got ECONNREFUSED; mails wait'
  assert.ok(warning.startsWith(words), warning)
})

Looks('credentials for a server without AUTH cause a warning, and are not sent', async () => {
  const { server, port, heard } = await scriptedMailServer(line =>
    line.startsWith('EHLO') ? '250-here\r\n250 8BITMIME\r\n' : '250 ok\r\n',
  )
  const settings = { host: '127.0.0.1', port, tlsName: null, credentials: CREDENTIALS }
  const mail = createMailPort(settings, { clock: createSimulatedClock(1_000) })
  const warning = await checkMailServer({ server: settings }, mail)
  assert.match(
    String(warning),
    'email_username and email_password: 127.0.0.1:PORT: expected a server that offers AUTH, got none; mails are sent without a login'.replace(
      'PORT',
      String(port),
    ),
  )
  assert.is(await checkMailServer({ server: { ...settings, credentials: null } }, mail), null)
  assert.not.match(heard.join(), /AUTH|top-secret/)
  server.close()
})

Looks('an error that is no MailError is a bug, and is thrown', async () => {
  const check = async (): Promise<never> => {
    throw new TypeError('a bug')
  }
  const server = { host: 'localhost', port: 25, tlsName: null, credentials: null }
  try {
    await checkMailServer({ server }, { check })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, TypeError)
    assert.not.instance(error, MailError)
  }
})

Settings.run()
Looks.run()
