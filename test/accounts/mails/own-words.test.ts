/** Mail templates of operators may contain variables and no other actions; values are escaped (spec/keyshare-server#13). */
import * as assert from 'uvu/assert'
import {
  inOwnWords,
  MAIL_VARIABLES,
  parseMailTemplate,
  TemplateError,
} from '../../../accounts/mails/own-words.ts'
import { confirmationMail, expiryMail, MAIL_KINDS } from '../../../accounts/mails/texts.ts'
import { suite } from '../../suite.ts'

const Templates = suite('templates of mails')

const BUILT = expiryMail('en', 'name', 30)
const VALUES = { Username: 'name', Email: 'a@x.example, b@x.example', Delay: 30 }

function filled(template: string, values: typeof VALUES = VALUES): string {
  const html = parseMailTemplate(template, 'expiry')
  return inOwnWords<'expiry'>({ html, subject: null }, values, BUILT).html
}

for (const [template, html] of [
  ['no variable', 'no variable'],
  ['', ''],
  ['{{.Delay}}', '30'],
  ['{{ .Username }} in {{.Delay}} days, {{  .Username}}', 'name in 30 days, name'],
  ['a \n{{- .Delay -}}\n b', 'a30b'],
  ['a {{- .Delay }} b', 'a30 b'],
  ['a {{ .Delay -}} {{- .Username -}} b', 'a 30nameb'],
  ['{ {.Delay} } }}', '{ {.Delay} } }}'],
  ['<script>1</script>{{.Delay}}<style></style>{{.Delay}}', '<script>1</script>30<style></style>30'],
] as const)
  Templates(`${JSON.stringify(template)} becomes ${JSON.stringify(html)}`, () =>
    assert.is(filled(template), html),
  )

Templates('values are escaped, also for attributes without quotes', () => {
  const values = { ...VALUES, Email: `<b onload='x' a="y">&\`@x` }
  assert.is(
    filled('<i title={{.Email}}>', values),
    '<i title=&#60;b&#32;onload&#61;&#39;x&#39;&#32;a&#61;&#34;y&#34;&#62;&#38;&#96;@x>',
  )
})

const ALL = 'one of {{.Username}}, {{.Email}}, {{.Delay}}'
for (const [template, reason] of [
  ['a\n\n{{.VerificationURL}}', `line 3: expected ${ALL}, got {{.VerificationURL}}`],
  ['{{.username}}', `line 1: expected ${ALL}, got {{.username}}`],
  ['{{.__proto__}}', `line 1: expected ${ALL}, got {{.__proto__}}`],
  ['{{.Delay}}\n{{if .Delay}}', `line 2: expected ${ALL}, got another action`],
  ['{{.Delay', `line 1: expected ${ALL}, got another action`],
  ['{{/* words */}}', `line 1: expected ${ALL}, got another action`],
  ['{{.Email.Name}}', `line 1: expected ${ALL}, got another action`],
  ['{{-.Email}}', `line 1: expected ${ALL}, got another action`],
  ['<SCRIPT>\nlet a = {{.Email}}', 'line 2: expected {{.Email}} outside of script and style, got it inside'],
  [
    '<style a="b">{{.Email}}</style>',
    'line 1: expected {{.Email}} outside of script and style, got it inside',
  ],
] as const)
  Templates(`refused: ${JSON.stringify(template)}`, () => {
    assert.throws(
      () => parseMailTemplate(template, 'expiry'),
      (error: unknown) => error instanceof TemplateError && error.message === reason,
    )
  })

Templates('the template of each mail may use the variables of this mail, and no others', () => {
  for (const kind of MAIL_KINDS)
    for (const name of ['VerificationURL', 'TokenURL', 'Username', 'Email', 'Delay']) {
      const known: readonly string[] = MAIL_VARIABLES[kind]
      const parse = () => parseMailTemplate(`{{.${name}}}`, kind)
      if (known.includes(name)) assert.equal(parse(), ['', { name }, ''])
      else assert.throws(parse, (error: unknown) => error instanceof TemplateError)
    }
})

Templates('a text or subject that the operator does not replace stays the built-in one', () => {
  const built = confirmationMail('en', 'https://a.example/x', 1)
  const values = { VerificationURL: 'https://a.example/x' }
  const none = { html: null, subject: null }
  assert.equal(inOwnWords<'confirmation'>(none, values, built), built)
  assert.equal(inOwnWords<'confirmation'>({ ...none, subject: 'Hi' }, values, built), {
    ...built,
    subject: 'Hi',
  })
  const html = parseMailTemplate('<a href="{{.VerificationURL}}">', 'confirmation')
  assert.equal(inOwnWords<'confirmation'>({ html, subject: 'Hi' }, values, built), {
    subject: 'Hi',
    text: '',
    html: '<a href="https://a.example/x">',
  })
})

Templates.run()
