/** The standard claims of OpenID Connect Core 5.1, where their schemes are installed. */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { makeTestSchemes } from '../../../libraries/testing/test-schemes.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { CARD, read } from './values.ts'

const MAIL = 'svc-keyshare.keyshare.mail.address'

const Standard = suite('settings of sign-in: standard claims')

function attributesOf(given: Parameters<typeof read>[0]): Readonly<Record<string, readonly string[]>> {
  const { claims } = read(given).rules
  return Object.fromEntries(
    [...claims.values()].map(({ name, alternatives }) => [
      name,
      alternatives.flatMap(({ attributes }) => attributes.map(({ type }) => type)),
    ]),
  )
}

Standard('the demo schemes give some standard claims', () => {
  assert.equal(attributesOf({}), {
    name: [`${CARD}.initials`, `${CARD}.familyname`],
    family_name: [`${CARD}.familyname`],
    email: [MAIL],
    email_verified: [MAIL],
    address: ['street', 'housenumber', 'addition', 'city', 'zipcode'].map(
      name => `svc-demo.gov.address.${name}`,
    ),
  })
})

Standard('standard scopes ask for the mapped claims, all of which are voluntary', () => {
  assert.equal(Object.fromEntries(read({}).rules.scopes), {
    profile: { essential: [], voluntary: ['name', 'family_name'] },
    email: { essential: [], voluntary: ['email', 'email_verified'] },
    address: { essential: [], voluntary: ['address'] },
  })
})

Standard('a claim of the settings replaces the standard claim, and removes its "_verified" claim', () => {
  assert.equal(attributesOf({ claims: { email: `${CARD}.initials` } }).email, [`${CARD}.initials`])
  assert.is(attributesOf({ claims: { email: `${CARD}.initials` } }).email_verified, undefined)
  assert.is(attributesOf({ claims: { email: false } }).email, undefined)
  assert.equal(Object.keys(attributesOf({ claims: { email: false, name: false } })), [
    'family_name',
    'address',
  ])
})

const TYPES = {
  'pbdf.sidn-pbdf.email': ['email', 'domain'],
  'pbdf.sidn-pbdf.mobilenumber': ['mobilenumber'],
  'pbdf.gemeente.personalData': ['fullname?', 'firstnames', 'prefix', 'familyname', 'dateofbirth'],
  'pbdf.gemeente.address': ['street', 'houseNumber?', 'zipcode', 'city'],
}

Standard(
  'the public scheme gives more claims, and has precedence; in production it gives all of them',
  async () => {
    const folder = join(temporaryFolder(), 'schemes')
    const deps = {
      arithmetic: chooseArithmetic('auto'),
      randomBytes: systemRandomness.bytes,
      nowSec: 1_790_000_000,
    }
    await makeTestSchemes(folder, { types: TYPES }, deps)
    const both = await loadSchemes(folder)
    assert.equal(attributesOf({ schemes: both }).email, ['pbdf.sidn-pbdf.email.email', MAIL])
    const asPublic: typeof both = Object.create(both, {
      scheme: {
        value: (id: Parameters<typeof both.scheme>[0]) => {
          const scheme = both.scheme(id)
          return scheme && { ...scheme, isDemo: id !== 'pbdf' }
        },
      },
    })
    const person = 'pbdf.gemeente.personalData'
    assert.equal(attributesOf({ schemes: asPublic, production: true }), {
      name: [`${person}.fullname`],
      given_name: [`${person}.firstnames`],
      family_name: [`${person}.prefix`, `${person}.familyname`],
      birthdate: [`${person}.dateofbirth`],
      email: ['pbdf.sidn-pbdf.email.email'],
      email_verified: ['pbdf.sidn-pbdf.email.email'],
      phone_number: ['pbdf.sidn-pbdf.mobilenumber.mobilenumber'],
      phone_number_verified: ['pbdf.sidn-pbdf.mobilenumber.mobilenumber'],
      address: ['street', 'houseNumber', 'city', 'zipcode'].map(name => `pbdf.gemeente.address.${name}`),
    })
  },
)
Standard.run()
