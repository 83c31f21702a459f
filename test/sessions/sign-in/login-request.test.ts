/** The request of a login asks for the claims of the site and for nothing else. */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../../protocol/profiles.ts'
import { parseSessionRequest } from '../../../protocol/request.ts'
import { readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import type { SignInRules } from '../../../sessions/sign-in/rules.ts'
import { suite } from '../../suite.ts'
import {
  asked,
  BY_CARD,
  CARD,
  MAIL,
  mapping,
  OVER18,
  planned,
  rules,
  shown,
  WORDS,
  way,
} from './rules-of-test.ts'

const REGISTRATION = 'svc-demo.gov.registration.over18'
const [INITIALS, FAMILY] = [`${CARD}.initials`, `${CARD}.familyname`]
const EMAIL = mapping('email', [way([MAIL])])
const AGE = mapping('over18', [way([OVER18], { conversion: WORDS })])
const NAMES = [
  mapping('name', [way([INITIALS, FAMILY])]),
  mapping('family_name', [way([FAMILY])]),
  mapping('initials', [way([INITIALS])]),
]

function made(all: SignInRules, claims: object, scopes: readonly string[] = [], acrValues: string[] = []) {
  const parameter = readClaimsParameter(JSON.stringify({ id_token: claims }))
  return requestOf(all, { clientId: 'shop', scopes, claims: parameter, acrValues })
}

const asks = (...args: Parameters<typeof made>) => shown(made(...args))
const ESSENTIAL = { essential: true }

const Requests = suite('sign-in: the request of a login')

Requests('an essential claim is an item; a voluntary one can be left out', () => {
  assert.equal(asks(rules([EMAIL, AGE]), {}, ['openid', 'email', 'age']), [[[MAIL]], [[OVER18], []]])
})

Requests('a disjunction has its alternatives in their order', () => {
  const age = mapping('over18', [way([OVER18]), way([REGISTRATION])])
  assert.equal(asks(rules([age]), { over18: ESSENTIAL }), [[[OVER18], [REGISTRATION]]])
  assert.equal(asks(rules([age]), { over18: null }), [[[OVER18], [REGISTRATION], []]])
})

Requests('a requested value of a claim becomes the texts that convert to it', () => {
  const email = rules([EMAIL, AGE])
  assert.equal(asks(email, { email: { ...ESSENTIAL, values: ['a@b', 'c@d', 'a@b'] } }), [
    [[`${MAIL}=a@b`], [`${MAIL}=c@d`]],
  ])
  assert.equal(asks(email, { over18: { ...ESSENTIAL, value: true } }), [[[`${OVER18}=yes`]]])
  const date = way([MAIL], { conversion: { to: 'date', formats: ['dd-mm-yyyy', 'yyyymmdd'] } })
  assert.equal(asks(rules([mapping('email', [date])]), { email: { ...ESSENTIAL, value: '2000-01-31' } }), [
    [[`${MAIL}=31-01-2000`], [`${MAIL}=20000131`]],
  ])
})

Requests('a voluntary claim with an impossible value is left out of the request', () => {
  assert.equal(asks(rules([EMAIL, AGE]), { over18: { value: 'yes' }, email: null }), [[[MAIL], []]])
  const only = mapping('over18', [
    way([OVER18], { attributes: [asked(OVER18, { value: 'yes' })], conversion: WORDS }),
  ])
  assert.equal(asks(rules([only, EMAIL]), { over18: { value: false }, email: null }), [[[MAIL], []]])
})

Requests('an essential claim with an impossible value is refused', () => {
  const form = { type: 'object', members: { locality: { indices: [0], separator: ' ' } } } as const
  const all = rules([EMAIL, AGE, ...NAMES, mapping('address', [way([MAIL], { form })])])
  const none = (name: string) =>
    `invalid_request: no attribute gives the essential claim ${name} a requested value`
  for (const [name, ask] of [
    ['over18', { value: 'true' }],
    ['over18', { value: {} }],
    ['over18', { values: [] }],
    ['name', { value: 5 }],
    ['address', { value: 'a town' }],
  ] as const) {
    assert.is(asks(all, { email: ESSENTIAL, [name]: { ...ESSENTIAL, ...ask } }), none(name))
    assert.equal(asks(all, { email: ESSENTIAL, [name]: ask }), [[[MAIL]]])
  }
  const ofScope = { ...all, scopes: new Map([['age', { essential: ['over18'], voluntary: [] }]]) }
  assert.is(asks(ofScope, { over18: { values: [] } }, ['age']), none('over18'))
})

Requests('essential claims of one credential are one item', () => {
  const each = { name: ESSENTIAL, family_name: ESSENTIAL, over18: ESSENTIAL }
  assert.equal(asks(rules([...NAMES, AGE]), each), [[[INITIALS, FAMILY, OVER18]]])
})

Requests(
  'a claim with one alternative is joined to each alternative of another claim of the same card',
  () => {
    const two = mapping('over18', [way([OVER18], { conversion: { ...WORDS, true: ['yes', 'Yes'] } })])
    const all = rules([two, ...NAMES], BY_CARD)
    assert.equal(asks(all, { over18: { ...ESSENTIAL, value: true }, initials: ESSENTIAL }), [
      [
        [`${CARD}.docnumber`, `${OVER18}=yes`, INITIALS],
        [`${CARD}.docnumber`, `${OVER18}=Yes`, INITIALS],
      ],
    ])
  },
)

Requests(
  'two claims of one card with several values each stay two items, so that each combination fits',
  () => {
    const domain = mapping('domain', [way(['svc-keyshare.keyshare.mail.domain'])])
    const values = {
      email: { ...ESSENTIAL, values: ['a', 'b'] },
      domain: { ...ESSENTIAL, values: ['x', 'y'] },
    }
    assert.is(asks(rules([EMAIL, domain]), values).length, 2)
  },
)

Requests(
  'claims whose alternatives have the same types of cards are one item, unless one has a condition',
  () => {
    const age = mapping('over18', [way([OVER18]), way([REGISTRATION])])
    const number = (more: object) =>
      mapping('number', [
        way([`${CARD}.docnumber`], { attributes: [asked(`${CARD}.docnumber`, more)] }),
        way(['svc-demo.gov.registration.number']),
      ])
    const both = { over18: ESSENTIAL, number: ESSENTIAL }
    assert.equal(asks(rules([age, number({})]), both), [
      [
        [OVER18, `${CARD}.docnumber`],
        [REGISTRATION, 'svc-demo.gov.registration.number'],
      ],
    ])
    // the user chooses each attribute of a card freely
    const [one, other] = [
      mapping('one', [way([INITIALS]), way([FAMILY])]),
      mapping('other', [way([OVER18]), way([FAMILY])]),
    ]
    assert.is(asks(rules([one, other]), { one: ESSENTIAL, other: ESSENTIAL }).length, 2)
    assert.is(asks(rules([age, number({ notNull: true })]), both).length, 2)
    assert.is(asks(rules([age, number({ value: 'X1' })]), both).length, 2)
  },
)

Requests('two values of one attribute stay two items', () => {
  const other = mapping('under18', [way([OVER18], { attributes: [asked(OVER18, { value: 'no' })] })])
  const all = rules([AGE, other])
  assert.equal(asks(all, { over18: { ...ESSENTIAL, value: true }, under18: ESSENTIAL }), [
    [[`${OVER18}=yes`]],
    [[`${OVER18}=no`]],
  ])
})

Requests('a voluntary claim adds no attribute to another item', () => {
  assert.equal(asks(rules([...NAMES, AGE]), { family_name: ESSENTIAL, name: null, over18: null }), [
    [[FAMILY]],
    [[INITIALS, FAMILY], []],
    [[OVER18], []],
  ])
  assert.equal(asks(rules(NAMES), { name: ESSENTIAL, family_name: null }), [[[INITIALS, FAMILY]]])
})

Requests('the attribute of the subject is in the request, joined with claims of its credential', () => {
  const pairwise = rules([AGE, EMAIL], BY_CARD)
  assert.equal(asks(pairwise, {}), [[[`${CARD}.docnumber`]]])
  assert.equal(asks(pairwise, { over18: ESSENTIAL, email: null }), [
    [[`${CARD}.docnumber`, OVER18]],
    [[MAIL], []],
  ])
  assert.equal(asks(pairwise, { over18: null }), [[[`${CARD}.docnumber`]], [[OVER18], []]])
  const [first] = planned(made(pairwise, {})).request.disclose.flat(2)
  assert.is(first?.notNull, true)
  const random = rules([EMAIL], { ...BY_CARD, of: { hasRandomSubject: true } })
  assert.equal(asks(random, { email: null }), [[[MAIL], []]])
})

Requests('a client may ask only within its scopes and its permissions', () => {
  const all = (mayAsk: readonly string[] | null, scopes: readonly string[] = ['email']) =>
    rules([EMAIL, AGE], { of: { mayAsk, scopes } })
  const refusedAge = 'invalid_request: the client may not ask for the claim over18'
  assert.is(asks(all(['svc-keyshare.*']), { over18: null }), refusedAge)
  assert.is(asks(all(null), { over18: null }), refusedAge)
  assert.equal(asks(all(null), { email: ESSENTIAL }), [[[MAIL]]])
  assert.is(asks(all(['*']), {}, ['age']), 'invalid_scope: the client may not use the scope age')
  assert.is(
    shown(requestOf(all(null), { clientId: 'x', scopes: [], claims: readClaimsParameter('') })),
    'unauthorized_client: the client is unknown',
  )
  const age = mapping('over18', [way([OVER18]), way([REGISTRATION])])
  assert.equal(asks(rules([age], { of: { mayAsk: [`${CARD}.*`] } }), { over18: ESSENTIAL }), [[[OVER18]]])
})

Requests('a client needs permission for every attribute of a claim', () => {
  const named = (mayAsk: readonly string[]) => rules(NAMES, { of: { mayAsk } })
  assert.is(
    asks(named([INITIALS]), { name: ESSENTIAL }),
    'invalid_request: the client may not ask for the claim name',
  )
  assert.equal(asks(named([INITIALS, FAMILY]), { name: ESSENTIAL }), [[[INITIALS, FAMILY]]])
})

Requests('a condition of one claim holds for the joined item', () => {
  const strict = mapping('strict', [way([OVER18], { attributes: [asked(OVER18, { notNull: true })] })])
  const joined = planned(made(rules([AGE, strict]), { over18: ESSENTIAL, strict: ESSENTIAL }))
  assert.equal(joined.request.disclose, [[[asked(OVER18, { notNull: true })]]])
})

Requests('a request with too many alternatives is refused', () => {
  const names = Array.from({ length: 26 }, (_, i) => `c${i}`)
  const many = (count: number) =>
    Object.fromEntries(
      names
        .slice(0, count)
        .map(name => [name, { values: Array.from({ length: 20 }, (_, i) => `${name}-${i}`) }]),
    )
  const all = rules(names.map(name => mapping(name, [way([MAIL])])))
  assert.is(asks(all, many(25)).length, 25)
  assert.is(
    asks(all, many(26)),
    'invalid_request: expected claims with at most 500 attributes in all alternatives, got 520',
  )
})

Requests('a request for nothing is refused', () => {
  const message = 'invalid_scope: expected a scope or a claim that asks for an attribute, got none'
  assert.is(asks(rules([EMAIL]), {}, ['openid']), message)
  assert.is(asks(rules([EMAIL]), { shoe_size: ESSENTIAL }), message)
})

Requests('an essential acr leaves the alternatives that show it, or refuses the login', () => {
  const age = mapping('over18', [way([OVER18], { acr: 'high' }), way([REGISTRATION], { acr: 'low' })])
  const all = rules([age, EMAIL])
  const acr = { acr: { essential: true, value: 'low' } }
  assert.equal(asks(all, { over18: ESSENTIAL, email: ESSENTIAL, ...acr }), [[[REGISTRATION]], [[MAIL]]])
  const refused =
    'unmet_authentication_requirements: no essential claim of this login is mapped to the requested acr'
  assert.is(asks(all, { email: ESSENTIAL, ...acr }), refused)
  assert.is(asks(all, { over18: null, ...acr }), refused)
  assert.equal(asks(all, { over18: ESSENTIAL, acr: { value: 'low' } }), [[[OVER18], [REGISTRATION]]])
  assert.equal(planned(made(all, { over18: null, acr: { value: 'low' } }, [], ['high'])).plan.preferredAcrs, [
    'low',
    'high',
  ])
  assert.equal(planned(made(all, { over18: ESSENTIAL, ...acr }, [], ['high'])).plan.preferredAcrs, [
    'low',
    'high',
  ])
})

Requests('a mapping can ask for a proof that the credential is not revoked', () => {
  const badge = mapping('level', [way(['svc-demo.fast.badge.level'], { isNotRevoked: true })])
  const all = rules([badge, EMAIL])
  assert.equal(planned(made(all, { level: null })).request.nonRevocation, [
    { credential: 'svc-demo.fast.badge', toleranceSec: 0 },
  ])
  assert.equal(planned(made(all, { email: null })).request.nonRevocation, [])
  const either = mapping('level', [...badge.alternatives, way([MAIL])])
  const limited = rules([either], { of: { mayAsk: ['svc-keyshare.*'] } })
  assert.equal(planned(made(limited, { level: null })).request.nonRevocation, [])
})

Requests('the request is a valid session request', () => {
  const { request } = planned(made(rules([EMAIL, AGE, ...NAMES], BY_CARD), { over18: null }, ['email']))
  const json = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: request.disclose }
  assert.equal(parseSessionRequest(JSON.parse(JSON.stringify(json)), PROFILES.svc).request, request)
})
Requests.run()
