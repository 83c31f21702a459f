/** Options for the texts of mails, and mails with these texts (spec/keyshare-server#13, #16). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMailPort } from '../../../ports/mail.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { mailSettingsOf, warningsAboutMail } from '../../../server/settings/keyshare-mail.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { ADDRESS, CALLER, createMailWorld, MAIL_SETTINGS } from '../../actors/mails/world.ts'
import { DAY, started } from '../../actors/tasks/started.ts'
import { startMailServer } from '../../mail-server.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refused } from '../refused.ts'

const folder = temporaryFolder()
const GIVEN = { email_server: 'mail.example:587', email_from: 'accounts@svc.example' }

function fileOf(name: string, html: string): string {
  const path = join(folder, name)
  writeFileSync(path, html)
  return path
}

function optionsOf(values: Readonly<Record<string, unknown>>, flags: Readonly<Record<string, string>> = {}) {
  const file = { name: 'f.yml', values: { ...GIVEN, ...values } }
  return keyshareServer.resolve({ flags, variables: {}, file }).options
}

function settingsOf(...given: Parameters<typeof optionsOf>) {
  const settings = mailSettingsOf(optionsOf(...given), 'https://keyshare.example/')
  if (settings === null) throw new Error('expected settings of mails, got none')
  return settings
}

const EN = fileOf('en.html', 'Confirm: {{.VerificationURL}}')
const NL = fileOf('nl.html', 'Bevestig: <a href="{{.VerificationURL}}">')

const Words = suite('texts of mails that the operator chooses')

Words('an object in a file, and pairs or JSON in a flag, have the same meaning', () => {
  const files = { en: EN, nl: NL }
  const subjects = { en: 'Hello, you', nl: 'Hallo' }
  const wanted = settingsOf({ registration_email_files: files, registration_email_subjects: subjects })
  assert.equal(wanted.ownMails.confirmation.en, {
    html: ['Confirm: ', { name: 'VerificationURL' }, ''],
    subject: 'Hello, you',
  })
  const pairs = {
    registration_email_files: `en=${EN},nl=${NL}`,
    registration_email_subjects: 'en=Hello, you, nl=Hallo',
  }
  assert.equal(settingsOf({}, pairs), wanted)
  const json = {
    registration_email_files: JSON.stringify(files),
    registration_email_subjects: JSON.stringify(subjects),
  }
  assert.equal(settingsOf({}, json), wanted)
  assert.equal(settingsOf(pairs), wanted)
})

Words('a missing language falls back to the default language, which each map must have', () => {
  const { ownMails } = settingsOf({
    registration_email_files: { en: EN },
    registration_email_subjects: { en: 'Hi', nl: 'Hoi' },
  })
  assert.equal(ownMails.confirmation.nl, { ...ownMails.confirmation.en, subject: 'Hoi' })
  for (const option of ['registration_email_files', 'expired_email_subjects', 'verification_url'])
    refused(
      () => settingsOf({ default_language: 'nl', [option]: { en: EN } }),
      `${option}: expected a value for the default language, nl, got none`,
    )
})

for (const [option, variable] of [
  ['registration_email_files', 'VerificationURL'],
  ['login_email_files', 'TokenURL'],
  ['expired_email_files', 'Delay'],
  ['delete_account_files', 'Delay'],
] as const)
  Words(`${option}: a template with an unknown variable, and a missing file, stop the start`, () => {
    const wrong = fileOf(`${option}.html`, 'a\n{{.Nothing}}')
    assert.throws(
      () => settingsOf({ [option]: { en: wrong } }),
      (error: Error) => error.message.startsWith(`${option}.en: ${wrong}, line 2: expected one of {{.`),
    )
    const right = fileOf(`right-${option}.html`, `{{.${variable}}}`)
    assert.ok(settingsOf({ [option]: { en: right } }))
    refused(
      () => settingsOf({ [option]: { en: '/no/where' } }),
      `${option}.en: expected an existing file, got /no/where`,
    )
  })

Words('a template that is not UTF-8 stops the start', () => {
  const file = fileOf('latin.html', '')
  writeFileSync(file, Buffer.from('caf\xe9 {{.VerificationURL}}', 'latin1'))
  refused(
    () => settingsOf({ registration_email_files: { en: file } }),
    `registration_email_files.en: expected text in UTF-8 in ${file}, got other bytes`,
  )
})

Words('a subject of two lines, and a text that is no address, stop the start', () => {
  refused(
    () => settingsOf({ expired_email_subjects: { en: 'a\r\nBcc: b@c.example' } }),
    'expired_email_subjects.en: expected one line of text, got control characters',
  )
  for (const address of ['nowhere', 'javascript:alert(1)#', 'https://a b'])
    refused(
      () => settingsOf({ verification_url: { en: address } }),
      `verification_url.en: expected an http or https address, got ${JSON.stringify(address)}`,
    )
})

Words('a text in an unsupported language has no effect, and a line says so', () => {
  const options = optionsOf({ registration_email_subjects: { en: 'Hi', de: 'Hallo', sv: 'Hej' } })
  assert.equal(warningsAboutMail(options), [
    'registration_email_subjects.sv: without effect, because accounts have one of the languages en, nl, de, fr',
  ])
})

const Sent = suite('mails with the texts of the operator')

const DELAY = '{{.Username}}|{{.Email}}|{{.Delay}}'
const OWN = settingsOf({
  registration_email_files: { en: EN, nl: NL },
  registration_email_subjects: { en: 'Confirm, please' },
  verification_url: { en: 'https://my.example/en/#verify=', nl: 'https://my.example/nl/#verify=' },
  login_email_files: { en: fileOf('login.html', '<a href="{{.TokenURL}}">') },
  expired_email_files: { en: fileOf('expired.html', DELAY) },
  delete_account_files: { en: fileOf('deleted.html', DELAY) },
  delete_account_subjects: { en: 'Gone' },
})

Sent('a registration leads to the page of the operator, whose token confirms the address', async () => {
  const { ownMails, verificationUrls } = OWN
  const world = createMailWorld({}, undefined, undefined, { ownMails, verificationUrls })
  const { id } = await world.register()
  await world.settled()
  const [mail] = world.sent
  assert.equal([mail?.subject, mail?.text], ['Confirm, please', ''])
  const [, token = ''] =
    /^Bevestig: <a href="https:\/\/my\.example\/nl\/#verify&#61;(\w{20})">$/.exec(mail?.html ?? '') ?? []
  await world.owners.confirm(token)
  assert.equal((await world.store.accounts.addressesOf(id)).length, 1)
  world.loginMails.ask(ADDRESS, 'en', CALLER)
  await world.settled()
  const login = world.sent.at(-1)
  assert.match(login?.html ?? '', /^<a href="https:\/\/keyshare\.example\/account\/en\/login\/\w{20}">$/)
  assert.is(login?.subject, 'Log in to manage your account')
  await world.close()
})

Sent('a warning, and the mail about a deletion, have the name, the addresses and the days', async () => {
  const ownMails = { ...OWN.ownMails, confirmation: MAIL_SETTINGS.ownMails.confirmation }
  const world = createMailWorld({}, undefined, undefined, { ownMails })
  const { userName } = await world.confirmed()
  const tasks = await started(world)
  await world.settled()
  world.clock.advance(366 * DAY)
  await world.settled()
  await world.settled()
  assert.is(world.sent.at(-1)?.html, `${userName}|${ADDRESS}|30`)
  await tasks.close()
  const other = await world.confirmed('b@home.example')
  assert.ok(await world.owners.disable(other.id))
  await world.settled()
  const { subject, html } = world.sent.at(-1) ?? {}
  assert.equal([subject, html], ['Gone', `${other.userName}|b@home.example|30`])
  await world.close()
})

Sent('a mail with a template is HTML alone, as from existing servers', async () => {
  const server = await startMailServer()
  const target = { host: '127.0.0.1', port: server.port, tlsName: null, credentials: null }
  const port = createMailPort(target, { clock: createSimulatedClock(1_000) })
  const words = { subject: 'Ünlocked', text: '', html: '<p>Hello</p>' }
  const from = { name: '', address: 'a@svc.example' }
  await port.send({ ...words, id: 'mail-1', from, to: ADDRESS }, new AbortController().signal)
  const { content } = await server.next()
  assert.match(content, /^Content-Type: text\/html; charset=utf-8\r$/im)
  assert.not.match(content, /text\/plain|multipart/)
  await server.close()
})

Words.run()
Sent.run()
