/** The parameter `claims` of an authorization request (OpenID Connect Core 5.5). */
import * as assert from 'uvu/assert'
import { ShapeError } from '../../../protocol/shape.ts'
import { askedClaims, NO_CLAIMS, readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { suite } from '../../suite.ts'
import { MAIL, mapping, OVER18, rules, WORDS, way } from './rules-of-test.ts'

const RULES = rules([
  mapping('email', [way([MAIL])]),
  mapping('over18', [way([OVER18], { conversion: WORDS })]),
])

function asked(json: unknown, scopes: readonly string[] = []) {
  const parameter = readClaimsParameter(JSON.stringify(json))
  return Object.fromEntries(askedClaims(RULES, { scopes, parameter }))
}

const Asked = suite('sign-in: the claims that a request asks for')

Asked('null asks for a voluntary claim; essential, value and values are read', () => {
  const any = { isEssential: false, values: null }
  assert.equal(asked({ userinfo: { email: null } }), { email: any })
  assert.equal(asked({ id_token: { email: {} } }), { email: any })
  assert.equal(asked({ id_token: { email: { essential: true } } }), { email: { ...any, isEssential: true } })
  assert.equal(asked({ userinfo: { over18: { value: true } } }), { over18: { ...any, values: [true] } })
  assert.equal(asked({ userinfo: { email: { values: ['a@b', 1.5] } } }), {
    email: { ...any, values: ['a@b', 1.5] },
  })
  assert.equal(asked({ userinfo: { email: { values: [{}, null, 'a@b'] } } }), {
    email: { ...any, values: ['a@b'] },
  })
})

Asked('an unknown claim and an unknown member are left out', () => {
  assert.equal(asked({ userinfo: { shoe_size: { essential: true } }, later: { email: null } }), {})
  assert.equal(readClaimsParameter(''), NO_CLAIMS)
})

Asked('a claim is essential if id_token or userinfo says so, and limited to values if both limit it', () => {
  const both = (idToken: object, userinfo: object) =>
    asked({ id_token: { email: idToken }, userinfo: { email: userinfo } }).email
  assert.equal(both({ essential: true }, {}), { isEssential: true, values: null })
  assert.equal(both({ value: 'a' }, { values: ['b'] }), { isEssential: false, values: ['a', 'b'] })
  assert.equal(both({ value: 'a' }, {}), { isEssential: false, values: null })
})

Asked('scopes ask for their claims; the parameter can make them essential or limit them', () => {
  assert.equal(asked({}, ['email', 'age', 'unknown']), {
    email: { isEssential: true, values: null },
    over18: { isEssential: false, values: null },
  })
  assert.equal(
    asked({ userinfo: { over18: { essential: true, value: true }, email: null } }, ['email', 'age']),
    {
      email: { isEssential: true, values: null },
      over18: { isEssential: true, values: [true] },
    },
  )
})

Asked('a parameter of another form is refused, without its values', () => {
  const wrong = [
    'no json',
    '[]',
    '{"id_token": 1}',
    '{"id_token": {"email": true}}',
    '{"id_token": {"email": {"essential": "yes"}}}',
    '{"id_token": {"email": {"values": "secret"}}}',
    JSON.stringify({ id_token: { email: { values: Array.from({ length: 21 }, (_, i) => `${i}`) } } }),
  ]
  for (const text of wrong)
    assert.throws(
      () => readClaimsParameter(text),
      (error: unknown) => error instanceof ShapeError && !error.message.includes('secret'),
      text,
    )
})
Asked.run()
