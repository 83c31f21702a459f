/** The claims, the level of assurance and the subject of a verified result. */
import * as assert from 'uvu/assert'
import { parseAttributeTypeId } from '../../../protocol/ids.ts'
import { readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { loginOf } from '../../../sessions/sign-in/login-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import type { ResultAttribute } from '../../../sessions/sign-in/login-result.ts'
import type { ClaimMapping, SignInRules } from '../../../sessions/sign-in/rules.ts'
import { attributeSeed } from '../../../sessions/sign-in/subject.ts'
import { suite } from '../../suite.ts'
import {
  asked,
  BY_CARD,
  CARD,
  claimsIn,
  given,
  MAIL,
  mapping,
  OVER18,
  planned,
  refusalIn,
  rules,
  valid,
  WORDS,
  way,
} from './rules-of-test.ts'

const REGISTRATION = 'svc-demo.gov.registration.over18'
const [INITIALS, FAMILY, NUMBER] = [`${CARD}.initials`, `${CARD}.familyname`, `${CARD}.docnumber`]
const ESSENTIAL = { essential: true }

function login(
  all: SignInRules,
  claims: object,
  disclosed: readonly (readonly ResultAttribute[] | null)[],
  acrValues: readonly string[] = [],
) {
  const parameter = readClaimsParameter(JSON.stringify({ userinfo: claims, id_token: claims }))
  const { plan } = planned(requestOf(all, { clientId: 'shop', scopes: [], claims: parameter, acrValues }))
  const stored: typeof plan = JSON.parse(JSON.stringify(plan))
  return loginOf(stored, valid(...disclosed), { subject: all.subject, randomId: 'random' })
}

/** The value of the one claim of this mapping. */
function only(claim: ClaimMapping, texts: readonly (string | null)[], ask: object = ESSENTIAL): unknown {
  const attributes = claim.alternatives[0]?.attributes ?? []
  const disclosed = attributes.map(({ type }, i) => given(type, texts[i] ?? null))
  return claimsIn(login(rules([claim]), { [claim.name]: ask }, [disclosed]))[claim.name]
}

const Logins = suite('sign-in: the claims of a result')

Logins('values are converted; an unconvertible one is left out, or refuses the login', () => {
  const age = mapping('over18', [way([OVER18], { conversion: WORDS })])
  assert.is(only(age, ['yes']), true)
  assert.is(only(age, ['no']), false)
  assert.is(only(age, ['maybe']), undefined)
  const strict = { ...age, unconvertible: 'refuse' as const }
  assert.is(
    refusalIn(login(rules([strict]), { over18: ESSENTIAL }, [[given(OVER18, 'maybe')]])),
    'access_denied: the claim over18 has a value that cannot be converted',
  )
})

Logins('absent and empty values are left out', () => {
  const name = mapping('name', [way([INITIALS, FAMILY])])
  assert.is(only(name, ['J.', 'Jansen']), 'J. Jansen')
  assert.is(only(name, [null, 'Jansen']), 'Jansen')
  assert.is(only(name, ['', 'Jansen']), 'Jansen')
  assert.is(only(name, [null, '']), undefined)
  const presence = mapping('has', [way([OVER18], { conversion: { to: 'presence' } })])
  assert.is(only(presence, ['no']), true)
  assert.is(only(presence, [null]), undefined)
})

Logins('an object has the members that are not empty', () => {
  const form = {
    type: 'object' as const,
    members: {
      street_address: { indices: [0, 1], separator: ' ' },
      locality: { indices: [2], separator: ' ' },
    },
  }
  const home = ['street', 'housenumber', 'city'].map(name => `svc-demo.gov.address.${name}`)
  const address = mapping('address', [way(home, { form })])
  assert.equal(only(address, ['Kerkstraat', '1', 'Delft']), {
    street_address: 'Kerkstraat 1',
    locality: 'Delft',
  })
  assert.equal(only(address, ['Kerkstraat', null, null]), { street_address: 'Kerkstraat' })
  assert.is(only(address, [null, null, null]), undefined)
})

Logins('a claim of several attributes with another value than requested is left out', () => {
  const name = mapping('name', [way([INITIALS, FAMILY])])
  assert.is(only(name, ['J.', 'Jansen'], { ...ESSENTIAL, value: 'J. Jansen' }), 'J. Jansen')
  assert.is(only(name, ['P.', 'Jansen'], { ...ESSENTIAL, value: 'J. Jansen' }), undefined)
})

Logins('an item that the user left out gives no claim', () => {
  const all = rules([mapping('email', [way([MAIL])]), mapping('over18', [way([OVER18])])])
  const disclosed = [[given(MAIL, 'a@b')], []]
  assert.equal(claimsIn(login(all, { email: ESSENTIAL, over18: null }, disclosed)), { email: 'a@b' })
})

Logins('conditions and attributes beside the request give no claim', () => {
  const attributes = [asked(FAMILY), asked(OVER18, { value: 'yes' })]
  const form = { type: 'text' as const, indices: [0], separator: ' ' }
  const adult = mapping('adult_name', [way([], { attributes, form })])
  const disclosed = [[given(FAMILY, 'Jansen'), given(OVER18, 'yes')], [given(NUMBER, 'X1')]]
  assert.equal(claimsIn(login(rules([adult]), { adult_name: ESSENTIAL }, disclosed)), {
    adult_name: 'Jansen',
  })
})

Logins('a result with other attributes than were asked for is refused', () => {
  const all = rules([
    mapping('over18', [way([OVER18], { attributes: [asked(OVER18, { value: 'yes', notNull: true })] })]),
  ])
  const wrong = [
    [null],
    [],
    [[]],
    [[given(REGISTRATION, 'yes')]],
    [[given(OVER18, 'no')]],
    [[given(OVER18, null)]],
    [[given(OVER18, 'yes'), given(FAMILY, 'Jansen')]],
  ]
  for (const disclosed of wrong)
    assert.is(
      refusalIn(login(all, { over18: ESSENTIAL }, disclosed)),
      'server_error: expected the attributes that were asked for, got others',
    )
})

Logins('acr is the first preferred level that the attributes give, or else the strongest', () => {
  const all = rules([
    mapping('over18', [way([OVER18], { acr: 'high' }), way([REGISTRATION], { acr: 'low' })]),
    mapping('email', [way([MAIL], { acr: 'low' })]),
  ])
  const acr = (disclosed: readonly (readonly ResultAttribute[])[], preferred: readonly string[] = []) => {
    const found = login(all, { over18: ESSENTIAL, email: null }, disclosed, preferred)
    return found.type === 'login' ? found.acr : 'refused'
  }
  const [card, old, mail] = [[given(OVER18, 'yes')], [given(REGISTRATION, 'yes')], [given(MAIL, 'a@b')]]
  assert.is(acr([card, mail]), 'high')
  assert.is(acr([card, mail], ['low']), 'low')
  assert.is(acr([card, []], ['low']), 'high')
  assert.is(acr([old, []], ['high', 'low']), 'low')
  const none = login(rules([mapping('email', [way([MAIL])])]), { email: null }, [[]])
  assert.is('acr' in none, false)
})

Logins('the seed of the subject is made of the attribute, or random', () => {
  const all = rules([mapping('over18', [way([OVER18])])], BY_CARD)
  const found = login(all, { over18: ESSENTIAL }, [[given(NUMBER, 'X1'), given(OVER18, 'yes')]])
  assert.equal(found, {
    type: 'login',
    claims: { over18: 'yes' },
    seed: attributeSeed(BY_CARD.subject.salt, BY_CARD.subject.attribute, 'X1'),
  })
  const random = login(rules([mapping('over18', [way([OVER18])])]), { over18: null }, [[]])
  assert.equal(random, { type: 'login', claims: {}, seed: 'random' })
})

Logins('an empty attribute of the subject refuses the login', () => {
  const all = rules([mapping('over18', [way([OVER18])])], BY_CARD)
  for (const empty of ['', ' \n'])
    assert.is(
      refusalIn(login(all, {}, [[given(NUMBER, empty)]])),
      'access_denied: the attribute of the subject is empty',
    )
  assert.match(refusalIn(login(all, {}, [[given(NUMBER, null)]])), /^server_error: /)
})

Logins('a login is refused if the settings of the subject have changed since its request', () => {
  const all = rules([mapping('over18', [way([OVER18])])], BY_CARD)
  const { plan } = planned(requestOf(all, { clientId: 'shop', scopes: [], claims: readClaimsParameter('') }))
  const result = valid([given(NUMBER, 'X1')])
  assert.match(
    refusalIn(loginOf(plan, result, { subject: { type: 'random' }, randomId: 'random' })),
    /^server_error: expected the attribute of the subject in the settings/,
  )
  const subject = {
    ...BY_CARD.subject,
    attribute: parseAttributeTypeId(INITIALS),
  }
  assert.match(
    refusalIn(loginOf(plan, result, { subject, randomId: 'random' })),
    /^server_error: .*got another one$/,
  )
})

const PROVED = { notrevoked: true, notrevokedbefore: 1_700_086_400 }

Logins('verified_claims is off by default, and contains only requested claims', () => {
  const claims = [mapping('email', [way([MAIL])]), mapping('over18', [way([OVER18])])]
  const disclosed = [[given(NUMBER, 'X1', PROVED), given(OVER18, 'yes', PROVED)], []]
  const found = (hasVerifiedClaims: boolean) =>
    claimsIn(
      login(rules(claims, { ...BY_CARD, hasVerifiedClaims }), { over18: ESSENTIAL, email: null }, disclosed),
    )
  assert.equal(found(false), { over18: 'yes' })
  assert.equal(found(true), {
    over18: 'yes',
    verified_claims: [
      {
        verification: {
          trust_framework: 'svc-demo',
          issuer: 'svc-demo.gov',
          credential: CARD,
          issued: '2023-11-14',
          expiry_checked: true,
          revocation_checked: true,
          not_revoked_before: '2023-11-15',
        },
        claims: { over18: 'yes' },
      },
    ],
  })
})
Logins.run()
