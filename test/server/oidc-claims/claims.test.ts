/** The options `claims`, `scopes` and `acr_values`. */
import * as assert from 'uvu/assert'
import type { ClaimMapping } from '../../../sessions/sign-in/rules.ts'
import { suite } from '../../suite.ts'
import { CARD, read, refused } from './values.ts'

const OVER18 = `${CARD}.over18`
const BADGE = 'svc-demo.fast.badge'

function mapped(value: unknown, acr_values: readonly string[] = []): ClaimMapping | undefined {
  return read({ claims: { it: value }, acr_values }).rules.claims.get('it')
}

const plain = { value: null, notNull: false }

const Claims = suite('settings of sign-in: claims')

Claims('a mapping may be a single attribute, written in three ways', () => {
  const expected = {
    name: 'it',
    alternatives: [
      {
        attributes: [{ type: OVER18, ...plain }],
        form: { type: 'text', indices: [0], separator: ' ' },
        conversion: { to: 'text' },
        acr: null,
        isNotRevoked: false,
      },
    ],
    unconvertible: 'omit',
  }
  assert.equal(mapped(OVER18), expected)
  assert.equal(mapped({ attribute: OVER18 }), expected)
  assert.equal(mapped({ any_of: [OVER18] }), expected)
})

Claims('conditions, conversions and levels are read', () => {
  const found = mapped(
    {
      any_of: [
        { attribute: OVER18, value: 'yes', notNull: true, acr: 'high' },
        { attribute: `${BADGE}.level`, not_revoked: true, convert: 'number' },
      ],
      convert: 'boolean',
      unconvertible: 'refuse',
    },
    ['low', 'high'],
  )
  assert.equal(found?.unconvertible, 'refuse')
  const [first, second] = found?.alternatives ?? []
  assert.equal(first?.attributes, [{ type: OVER18, value: 'yes', notNull: true }])
  assert.is(first?.conversion.to, 'boolean')
  assert.is(first?.acr, 'high')
  assert.is(second?.isNotRevoked, true)
  assert.equal(second?.conversion, { to: 'number' })
})

Claims('a mapping may have its own words and formats; otherwise it has the default ones', () => {
  const words = { attribute: OVER18, convert: 'boolean', true_words: 'ja', false_words: ['nee'] }
  assert.equal(mapped(words)?.alternatives[0]?.conversion, { to: 'boolean', true: ['ja'], false: ['nee'] })
  assert.equal(mapped({ attribute: OVER18, convert: 'boolean' })?.alternatives[0]?.conversion, {
    to: 'boolean',
    true: ['yes', 'Yes', 'true', '1'],
    false: ['no', 'No', 'false', '0'],
  })
  assert.equal(mapped({ attribute: OVER18, convert: 'date' })?.alternatives[0]?.conversion, {
    to: 'date',
    formats: ['yyyy-mm-dd', 'dd-mm-yyyy'],
  })
  assert.equal(
    mapped({ attribute: OVER18, convert: 'date', formats: 'yyyymmdd' })?.alternatives[0]?.conversion,
    {
      to: 'date',
      formats: ['yyyymmdd'],
    },
  )
})

Claims(
  'several attributes are joined to a text, or to the members of an object; "where" adds conditions',
  () => {
    const joined = mapped({
      attributes: [`${CARD}.initials`, `${CARD}.familyname`],
      separator: '',
      where: [{ attribute: OVER18, value: 'yes' }],
    })
    assert.equal(joined?.alternatives[0]?.form, { type: 'text', indices: [0, 1], separator: '' })
    assert.equal(joined?.alternatives[0]?.attributes.at(2), { type: OVER18, value: 'yes', notNull: false })
    const members = { both: [`${CARD}.initials`, `${CARD}.familyname`], last: `${CARD}.familyname` }
    assert.equal(mapped({ members })?.alternatives[0]?.form, {
      type: 'object',
      members: { both: { indices: [0, 1], separator: ' ' }, last: { indices: [1], separator: ' ' } },
    })
  },
)

Claims('a credential type is a claim about its presence', () => {
  const [way] = mapped(CARD)?.alternatives ?? []
  assert.equal(way?.attributes, [{ type: CARD, ...plain }])
  assert.equal(way?.conversion, { to: 'presence' })
})

const WRONG: readonly (readonly [name: string, value: unknown, message: string])[] = [
  ['it', 1, 'claims.it: expected an object, got a number'],
  ['it', null, 'claims.it: expected an object, got nothing'],
  ['it', [OVER18], 'claims.it: expected an object, got a list'],
  ['it', {}, 'claims.it: expected one of attribute, attributes and members, got none'],
  ['it', 'over18', 'claims.it: expected an attribute such as scheme.issuer.credential.name, got "over18"'],
  [
    'it',
    `${CARD}.over81`,
    `claims.it: expected an attribute of the schemes, got "${CARD}.over81"; the nearest is "${CARD}.over18"`,
  ],
  [
    'it',
    'pbdf.gov.idcard.over18',
    'claims.it: expected an attribute of the schemes, got "pbdf.gov.idcard.over18", and no scheme pbdf',
  ],
  ['sub', OVER18, 'claims.sub: expected another name, because the provider makes this claim'],
  ['a b', OVER18, 'claims.a b: expected a name of letters, digits and "_.:/#-", got another'],
  [
    'it',
    { attribute: OVER18, value: true },
    'claims.it.value: expected text, got a boolean; write it in quotes',
  ],
  ['it', { attribute: OVER18, notNull: 'yes' }, 'claims.it.notNull: expected true or false, got a string'],
  [
    'it',
    { attribute: OVER18, attributes: [OVER18] },
    'claims.it: expected one of attribute, attributes and members, got attribute and attributes',
  ],
  ['it', { attributes: [] }, 'claims.it.attributes: expected a list of attributes, got an empty list'],
  ['it', { attributes: [OVER18], value: 'x' }, 'claims.it.value: expected none without "attribute", got one'],
  [
    'it',
    { attributes: [OVER18, { attribute: OVER18, value: 'x' }] },
    `claims.it.attributes[1]: expected one condition for ${OVER18}, got two`,
  ],
  [
    'it',
    { attributes: [{ value: 'x' }] },
    'claims.it.attributes[0].attribute: expected an attribute, got none',
  ],
  [
    'it',
    { members: {} },
    'claims.it.members: expected an object with attributes by member, got an empty object',
  ],
  ['it', { members: { a: [] } }, 'claims.it.members.a: expected at least one attribute, got an empty list'],
  ['it', { attribute: OVER18, separator: 1 }, 'claims.it.separator: expected text, got a number'],
  [
    'it',
    { attributes: [OVER18, 'svc-demo.gov.address.city'] },
    `claims.it: expected attributes of one credential type, got those of ${CARD} and svc-demo.gov.address`,
  ],
  ['it', { attribute: OVER18, acr: 'high' }, 'claims.it.acr: expected a level of "acr_values", got "high"'],
  [
    'it',
    { attribute: OVER18, not_revoked: true },
    `claims.it.not_revoked: expected a credential type that can be revoked, got ${CARD}`,
  ],
  [
    'it',
    { attribute: OVER18, convert: 'integer' },
    'claims.it.convert: expected one of text, boolean, number, date, presence, got another value',
  ],
  [
    'it',
    { members: { a: OVER18 }, convert: 'boolean' },
    'claims.it.convert: expected none beside "members", because its members are texts, got one',
  ],
  [
    'it',
    { attribute: OVER18, convert: 'date', formats: ['mm-dd-yyyy'] },
    'claims.it.formats: expected some of yyyy-mm-dd, dd-mm-yyyy, dd/mm/yyyy, dd.mm.yyyy, yyyymmdd, got another text',
  ],
  [
    'it',
    { attribute: OVER18, formats: ['yyyymmdd'] },
    'claims.it.formats: expected none without "convert: date", got some',
  ],
  [
    'it',
    { attribute: OVER18, true_words: ['ja'] },
    'claims.it.true_words: expected no words without "convert: boolean", got some',
  ],
  [
    'it',
    { attribute: OVER18, convert: 'boolean', true_words: ['x'], false_words: ['x'] },
    'claims.it.false_words: expected other words than in "true_words", got the same',
  ],
  ['it', { any_of: [] }, 'claims.it.any_of: expected a list of attributes, got an empty list'],
  [
    'it',
    { any_of: [OVER18], attribute: OVER18 },
    'claims.it.attribute: expected none beside "any_of", got one; write it inside',
  ],
  [
    'it',
    { attribute: OVER18, valeu: 'yes' },
    'claims.it: expected members by name, got "valeu", which is unknown; the nearest known one is "value"',
  ],
  [
    'it',
    { attribute: OVER18, unconvertible: 'drop' },
    'claims.it.unconvertible: expected one of omit, refuse, got another value',
  ],
]

for (const [name, value, message] of WRONG)
  Claims(`refused: ${JSON.stringify({ [name]: value })}`, () =>
    refused({ claims: { [name]: value } }, message),
  )

Claims('the attribute of a revocation witness cannot be a claim', () => {
  refused({ claims: { it: `${BADGE}.` } }, /^claims\.it: expected an attribute of the schemes/)
})

Claims('a mistake in an item of any_of is reported with its place', () => {
  refused(
    { claims: { it: { any_of: [OVER18, { attribute: `${CARD}.x`, notNull: 1 }] } } },
    /^claims\.it\.any_of\[1\]: expected an attribute of the schemes.*\nclaims\.it\.any_of\[1\]\.notNull: /,
  )
})

Claims(
  'in production, attributes of a demo scheme give no standard claims, and other claims a warning',
  () => {
    const { rules, warnings } = read({ claims: { it: OVER18 }, production: true })
    assert.equal([...rules.claims.keys()], ['it'])
    assert.equal(warnings, [
      `claims.it: every person can make ${OVER18}, because the private keys of its demo scheme are public`,
    ])
    assert.equal(read({ claims: { it: OVER18 } }).warnings, [])
  },
)

Claims('each level occurs once, and has no blank', () => {
  refused({ acr_values: ['a', 'a'] }, 'acr_values: expected each level once, got one twice')
  for (const acr of ['very high', ''])
    refused(
      { acr_values: [acr] },
      'acr_values: expected levels without a blank, got one with a blank, or an empty one',
    )
})
Claims.run()

const Scopes = suite('settings of sign-in: scopes')
const it = { it: OVER18 }

Scopes('the claims of a list are essential; an object names essential and voluntary claims', () => {
  const { scopes } = read({ claims: it, scopes: { age: ['it'], all: { voluntary: 'it' } } }).rules
  assert.equal(scopes.get('age'), { essential: ['it'], voluntary: [] })
  assert.equal(scopes.get('all'), { essential: [], voluntary: ['it'] })
})

Scopes('claims by scope, for the protocol engine', () => {
  const found = read({ claims: { ...it, name: false }, scopes: { age: ['it'] }, verified_claims: true })
  assert.equal(found.claimsByScope.age, ['it', 'verified_claims'])
  assert.is(found.claimsByScope.it, null)
  assert.is(found.claimsByScope.verified_claims, null)
  assert.is('verified_claims' in read({}).claimsByScope, false)
})

const WRONG_SCOPES: readonly (readonly [scopes: object, message: string])[] = [
  [{ age: ['ti'] }, 'scopes.age: expected a claim that is mapped, got "ti"; the nearest is "it"'],
  [
    { age: [] },
    'scopes.age.essential: expected at least one text, got an empty list\nscopes.age: expected at least one claim, got none',
  ],
  [
    { age: 'it' },
    'scopes.age: expected an object, got a string\nscopes.age: expected at least one claim, got none',
  ],
  [{ age: { essential: ['it'], voluntary: ['it'] } }, 'scopes.age: expected each claim once, got "it" twice'],
  [
    { openid: ['it'] },
    'scopes.openid: expected a name of letters, digits and "_.:/-" that the provider does not have, got another',
  ],
  [
    { email: ['it'] },
    'scopes.email: expected the claim with the name of the scope among its claims, got others',
  ],
]
for (const [scopes, message] of WRONG_SCOPES)
  Scopes(`refused: ${JSON.stringify(scopes)}`, () => refused({ claims: it, scopes: { ...scopes } }, message))
Scopes.run()
