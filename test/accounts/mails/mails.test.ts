import * as assert from 'uvu/assert'
import { domainOf, needsUtf8, parseMailAddress } from '../../../accounts/mails/address.ts'
import {
  confirmationMail,
  deletionMail,
  expiryMail,
  loginMail,
  mailLanguage,
} from '../../../accounts/mails/texts.ts'
import { MAIL_LANGUAGES, type MailLanguage } from '../../../accounts/mails/words/languages.ts'
import { InvalidRequestError } from '../../../protocol/errors.ts'
import { suite } from '../../suite.ts'

const Address = suite('addresses of mailboxes (spec/keyshare-server#13)')

Address('an address is a name and a domain, of which the domain must exist', () => {
  for (const [text, domain] of [
    ['someone@example.test', 'example.test'],
    ['a.b+tag@sub-domain.example.co', 'sub-domain.example.co'],
    ["o'neil!#$%&*/=?^_`{|}~-@x", 'x'],
    [`${'a'.repeat(64)}@${'b'.repeat(63)}.test`, `${'b'.repeat(63)}.test`],
    [
      `${'a'.repeat(64)}@${'bbbbbbbbb.'.repeat(18)}${'b'.repeat(9)}`,
      `${'bbbbbbbbb.'.repeat(18)}${'b'.repeat(9)}`,
    ],
  ] as const) {
    assert.is(parseMailAddress(text), text)
    assert.is(domainOf(parseMailAddress(text)), domain)
  }
})

Address('a domain is converted to one spelling, with lower case; the name before it stays as it is', () => {
  assert.is(parseMailAddress('Some.One@Home.EXAMPLE'), 'Some.One@home.example')
})

Address(
  'letters beyond ASCII: a domain is written in punycode, a name in one spelling that needs SMTPUTF8',
  () => {
    for (const [text, address, isBeyond] of [
      ['anna@Jõgeva.ee', 'anna@xn--jgeva-dua.ee', false],
      ['anna@xn--jgeva-dua.ee', 'anna@xn--jgeva-dua.ee', false],
      ['anna@jo\u0303geva.ee', 'anna@xn--jgeva-dua.ee', false],
      ['jürgen@home.example', 'jürgen@home.example', true],
      ['ju\u0308rgen@home.example', 'jürgen@home.example', true],
      ['用户@例子.测试', '用户@xn--fsqu00a.xn--0zwm56d', true],
      ['a@\u212a.test', 'a@k.test', false],
    ] as const) {
      assert.is(parseMailAddress(text), address)
      assert.is(needsUtf8(parseMailAddress(text)), isBeyond)
    }
  },
)

const MESSAGE = 'invalid email address: expected <name>@<domain>, got something else'
const WRONG = [
  '',
  '@',
  'a',
  'a@',
  '@b',
  'a@b@c.test',
  'a b@c.test',
  'a@b c.test',
  ' a@b.test',
  'a@b.test ',
  'a@b..test',
  '.a@b.test',
  'a.@b.test',
  'a..b@c.test',
  'a@.test',
  'a@b.test.',
  'a@-b.test',
  'a@b-.test',
  'a@b_c.test',
  'a@b.test\r\nBcc: c@d.test',
  'a@b.test\nx',
  'a\r\n@b.test',
  'a\u0000@b.test',
  'a@b.test\u0000',
  'a@b.test,c@d.test',
  'a@b.test;c@d.test',
  '<a@b.test>',
  'A <a@b.test>',
  '"a b"@c.test',
  'a(x)@b.test',
  'a@[127.0.0.1]',
  'a\\@b.test',
  'a:b@c.test',
  'a@\uff45x.test',
  'a@\uff11.\uff11.1.1',
  'a@b\u3002test',
  'a@ü%41.test',
  'a@ü/b',
  'a@xn--ü.test',
  'a@\u00ad.test',
  'a\u202eb@c.test',
  'a\u200bb@c.test',
  'ü\u2028@b.test',
  'ü\u00a0ü@b.test',
  'ü"@b.test',
  '.ü@b.test',
  `${'ü'.repeat(33)}@b.test`,
  `${'a'.repeat(65)}@b.test`,
  `a@${'b'.repeat(64)}.test`,
  `${'a'.repeat(64)}@${'bbbbbbbbb.'.repeat(18)}${'b'.repeat(10)}`,
]

Address('any other text is refused, above all one that could end a header or add a mailbox', () => {
  for (const text of WRONG)
    assert.throws(
      () => parseMailAddress(text),
      (error: Error) => error instanceof InvalidRequestError && error.message === MESSAGE,
      `accepted: ${JSON.stringify(text)}`,
    )
})

const Texts = suite('texts of mails (spec/keyshare-server#13 to #15)')
const LINK = 'https://keyshare.example/confirm?a=1&b="<x>\'#t0ken'
const ESCAPED = 'https://keyshare.example/confirm?a=1&amp;b=&quot;&lt;x&gt;&#39;#t0ken'
const all = (language: MailLanguage) => [
  confirmationMail(language, LINK, 168),
  loginMail(language, LINK, 60),
  expiryMail(language, '<b>al&ce</b>', 30),
  deletionMail(language, '<b>al&ce</b>', 30),
]

Texts('each mail exists in every language, as text and as HTML of its language', () => {
  const mails = MAIL_LANGUAGES.flatMap(all)
  assert.is(new Set(mails.map(({ subject }) => subject)).size, 4 * MAIL_LANGUAGES.length)
  assert.is(new Set(mails.map(({ text }) => text)).size, 4 * MAIL_LANGUAGES.length)
  for (const language of MAIL_LANGUAGES)
    for (const { subject, html } of all(language))
      assert.ok(html.includes(`<html lang="${language}">`) && html.includes(subject))
})

Texts(
  'the plain text contains the link unchanged; the HTML contains it escaped, as the address of a link',
  () => {
    for (const language of MAIL_LANGUAGES)
      for (const { text, html } of all(language).slice(0, 2)) {
        assert.ok(text.split('\n').includes(LINK))
        assert.ok(html.includes(`<a href="${ESCAPED}">${ESCAPED}</a>`))
        assert.not.ok(html.includes('<x>'))
      }
  },
)

Texts('a name is escaped, and durations are given', () => {
  for (const language of MAIL_LANGUAGES)
    for (const { text, html } of all(language).slice(2)) {
      assert.ok(text.includes('<b>al&ce</b>'))
      assert.ok(html.includes('&lt;b&gt;al&amp;ce&lt;/b&gt;'))
      assert.not.ok(html.includes('<b>'))
      assert.match(text, /30 (days|dagen|Tagen|jours)/)
    }
  assert.match(confirmationMail('en', LINK, 168).text, /168 hours/)
  assert.match(confirmationMail('nl', LINK, 168).text, /168 uur/)
  assert.match(loginMail('en', LINK, 60).text, /60 minutes/)
  assert.match(loginMail('nl', LINK, 60).text, /60 minuten/)
})

Texts('a duration of one is written in the singular', () => {
  assert.match(deletionMail('en', 'x', 1).text, /in 1 day\./)
  assert.match(deletionMail('nl', 'x', 1).text, /over 1 dag /)
  assert.match(confirmationMail('en', LINK, 1).text, /for 1 hour\./)
  assert.match(loginMail('en', LINK, 1).text, /for 1 minute\./)
  assert.match(loginMail('nl', LINK, 1).text, /gedurende 1 minuut\./)
  assert.match(deletionMail('de', 'x', 1).text, /in 1 Tag gelöscht/)
  assert.match(confirmationMail('de', LINK, 1).text, /1 Stunde lang/)
  assert.match(loginMail('de', LINK, 1).text, /1 Minute lang/)
  assert.match(deletionMail('fr', 'x', 1).text, /dans 1 jour\./)
  assert.match(confirmationMail('fr', LINK, 1).text, /valable 1 heure\./)
  assert.match(loginMail('fr', LINK, 1).text, /valable 1 minute\./)
})

Texts('subjects are fixed texts: no name and no link is inserted into them', () => {
  for (const language of MAIL_LANGUAGES) {
    const subjects = all(language).map(({ subject }) => subject)
    const others = [
      confirmationMail(language, 'x', 1),
      loginMail(language, 'x', 1),
      expiryMail(language, 'a\r\nBcc: b@c', 1),
      deletionMail(language, 'a\r\nBcc: b@c', 1),
    ]
    assert.equal(
      others.map(({ subject }) => subject),
      subjects,
    )
    for (const subject of subjects) assert.match(subject, /^[ -~\u00c0-\u00ff]+$/)
  }
})

Texts('the language is that of the user, if a text in it exists', () => {
  for (const preferred of ['nl', 'NL', 'nl-NL', 'nl_BE']) assert.is(mailLanguage(preferred, 'en'), 'nl')
  for (const preferred of ['en', 'En', 'en-GB']) assert.is(mailLanguage(preferred, 'nl'), 'en')
  for (const preferred of ['de', 'de-AT', 'DE']) assert.is(mailLanguage(preferred, 'en'), 'de')
  for (const preferred of ['fr', 'fr-CA']) assert.is(mailLanguage(preferred, 'en'), 'fr')
  for (const preferred of ['', 'sv', 'nld', 'constructor']) assert.is(mailLanguage(preferred, 'nl'), 'nl')
  for (const preferred of ['', 'sv', 'enx']) assert.is(mailLanguage(preferred, 'en'), 'en')
})

Address.run()
Texts.run()
