/** Invariants of sign-in for all rules, requests and choices of users: the site learns what it asked for, and nothing else. */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { JsonValue } from '../../../protocol/json.ts'
import { allows } from '../../../sessions/permissions.ts'
import { askedClaims, readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { loginOf } from '../../../sessions/sign-in/login-claims.ts'
import { type LoginRequest, requestOf } from '../../../sessions/sign-in/login-request.ts'
import type { ResultAttribute } from '../../../sessions/sign-in/login-result.ts'
import type { SignInRules } from '../../../sessions/sign-in/rules.ts'
import { suite } from '../../suite.ts'
import { asked, BY_CARD, given, mapping, rules, valid, WORDS, way } from './rules-of-test.ts'

const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'svc-demo.gov.idcard': ['initials', 'familyname', 'over18', 'docnumber'],
  'svc-demo.gov.registration': ['number', 'over18'],
  'svc-keyshare.keyshare.mail': ['address', 'domain'],
}
const NAMES = ['email', 'over18', 'name', 'number'] as const
const VALUES = ['yes', 'no', 'A']

const condition = fc.record({
  value: fc.option(fc.constantFrom(...VALUES), { freq: 4 }),
  notNull: fc.boolean(),
})

const alternative = fc.constantFrom(...Object.keys(CREDENTIALS)).chain(credential =>
  fc
    .record({
      names: fc.subarray([...(CREDENTIALS[credential] ?? [])], { minLength: 1 }),
      condition,
      isBoolean: fc.boolean(),
      acr: fc.option(fc.constantFrom('low', 'high')),
    })
    .map(({ names, condition: first, isBoolean, acr }) => {
      const attributes = names.map((name, i) => asked(`${credential}.${name}`, i === 0 ? first : {}))
      // the last one of several attributes is only a condition
      const indices = names.map((_, i) => i).slice(0, Math.max(1, names.length - 1))
      const conversion = isBoolean ? WORDS : ({ to: 'text' } as const)
      return way([], { attributes, form: { type: 'text', indices, separator: ' ' }, conversion, acr })
    }),
)

const anyRules: fc.Arbitrary<SignInRules> = fc
  .record({
    ways: fc.tuple(...NAMES.map(() => fc.array(alternative, { minLength: 1, maxLength: 3 }))),
    isPairwise: fc.boolean(),
    mayAsk: fc.option(fc.subarray(Object.keys(CREDENTIALS).map(id => `${id}.*`))),
  })
  .map(({ ways, isPairwise, mayAsk }) =>
    rules(
      NAMES.map((name, i) => mapping(name, ways[i] ?? [])),
      { ...(isPairwise && BY_CARD), of: { mayAsk } },
    ),
  )

const ask = fc.option(
  fc.record(
    { essential: fc.boolean(), values: fc.uniqueArray(fc.constantFrom<JsonValue>(true, false, 'A', 'yes')) },
    { requiredKeys: [] },
  ),
)
const anyAsk = fc.record({
  scopes: fc.subarray(['email', 'age']),
  claims: fc.dictionary(fc.constantFrom(...NAMES, 'unknown'), ask),
})
/** Numbers that choose alternatives and values, as a user and a wallet would. */
const choices = fc.array(fc.nat(), { minLength: 60, maxLength: 60 })

type Ask = { readonly scopes: readonly string[]; readonly claims: object }

function made(all: SignInRules, { scopes, claims }: Ask) {
  const parameter = readClaimsParameter(JSON.stringify({ userinfo: claims }))
  return {
    result: requestOf(all, { clientId: 'shop', scopes, claims: parameter }),
    claims: askedClaims(all, { scopes, parameter }),
  }
}

/** A wallet that discloses one alternative of each item. */
function disclosedBy({ request }: LoginRequest, chosen: readonly number[]): ResultAttribute[][] {
  let at = 0
  const next = (most: number): number => (chosen[at++ % chosen.length] ?? 0) % most
  return request.disclose.map(item =>
    (item[next(item.length)] ?? []).map(({ type, value, notNull }) => {
      const texts = notNull ? VALUES : [...VALUES, null, '']
      return given(type, value ?? texts[next(texts.length)] ?? null)
    }),
  )
}

const Properties = suite('sign-in: for all rules and requests')

Properties('a request has only attributes of requested claims and of the subject', () => {
  fc.assert(
    fc.property(anyRules, anyAsk, (all, given) => {
      const { result, claims } = made(all, given)
      if (result.type === 'refused') return
      const wanted = [...claims.keys()].flatMap(name => all.claims.get(name)?.alternatives ?? [])
      const ids = new Set(wanted.flatMap(({ attributes }) => attributes.map(({ type }) => String(type))))
      if (all.subject.type === 'attribute') ids.add(all.subject.attribute)
      for (const { type } of result.request.disclose.flat(2)) assert.ok(ids.has(type), type)
    }),
    { numRuns: 500 },
  )
})

Properties('a request has only attributes that the client may ask for, and that of the subject', () => {
  fc.assert(
    fc.property(anyRules, anyAsk, (all, given) => {
      const { result } = made(all, given)
      const mayAsk = all.clients.get('shop')?.mayAsk
      if (result.type === 'refused' || !mayAsk) return
      for (const { type } of result.request.disclose.flat(2))
        assert.ok(
          allows(mayAsk)(type) || (all.subject.type === 'attribute' && type === all.subject.attribute),
        )
    }),
    { numRuns: 500 },
  )
})

Properties('an item can be left out only if neither an essential claim nor the subject needs it', () => {
  fc.assert(
    fc.property(anyRules, anyAsk, (all, given) => {
      const { result, claims } = made(all, given)
      if (result.type === 'refused') return
      for (const { alternatives } of result.plan.items) {
        const names = alternatives.flatMap(each => each.claims.map(({ name }) => name))
        const isNeeded =
          names.some(name => claims.get(name)?.isEssential) ||
          alternatives.some(each => each.subject !== null)
        assert.is(
          alternatives.some(({ attributes }) => attributes.length === 0),
          !isNeeded,
        )
        // one credential type in each alternative, each attribute once
        for (const { attributes } of alternatives) {
          assert.ok(new Set(attributes.map(({ type }) => type.replace(/\.\w+$/, ''))).size <= 1)
          assert.is(new Set(attributes.map(({ type }) => type)).size, attributes.length)
        }
      }
    }),
    { numRuns: 500 },
  )
})

Properties('a login has only requested claims with requested values, and is the same twice', () => {
  fc.assert(
    fc.property(anyRules, anyAsk, choices, (all, given, chosen) => {
      const { result, claims } = made(all, given)
      if (result.type === 'refused') return
      const stored: typeof result.plan = JSON.parse(JSON.stringify(result.plan))
      const source = { subject: all.subject, randomId: 'random' }
      const disclosed = disclosedBy(result, chosen)
      const login = loginOf(stored, valid(...disclosed), source)
      assert.equal(loginOf(stored, valid(...disclosed), source), login)
      if (login.type === 'refused') {
        assert.is(login.error, 'access_denied')
        return
      }
      for (const [name, value] of Object.entries(login.claims)) {
        const wanted = claims.get(name)
        assert.ok(wanted !== undefined, name)
        assert.ok(wanted.values === null || wanted.values.some(each => each === value))
        assert.ok(value !== null && value !== '')
      }
    }),
    { numRuns: 1_000 },
  )
})

/** One card of each credential type. */
const anyWallet = fc.tuple(
  ...Object.entries(CREDENTIALS).flatMap(([credential, names]) =>
    names.map(name =>
      fc.constantFrom('yes', 'no', 'A', null).map(text => [`${credential}.${name}`, text] as const),
    ),
  ),
)

Properties('a wallet that can give each essential claim alone can give all of them', () => {
  fc.assert(
    fc.property(anyRules, anyAsk, anyWallet, (all, given, held) => {
      const wallet = new Map<string, string | null>(held)
      const canGive = ({ request }: LoginRequest): boolean =>
        request.disclose.every(item =>
          item.some(inner =>
            inner.every(({ type, value, notNull }) => {
              const text = wallet.get(type) ?? null
              return (value === null || value === text) && !(notNull && text === null)
            }),
          ),
        )
      const each = Object.entries(given.claims).map(([name, ask]) =>
        made(all, { scopes: [], claims: { [name]: ask } }),
      )
      const whole = made(all, { scopes: [], claims: given.claims })
      if (all.subject.type === 'attribute' && wallet.get(all.subject.attribute) === null) return
      if (whole.result.type === 'refused') return
      if (each.every(({ result }) => result.type === 'request' && canGive(result)))
        assert.ok(canGive(whole.result))
    }),
    { numRuns: 5_000 },
  )
})

Properties('each requested claim that has a value is in the login, for any set of requested claims', () => {
  const plain = NAMES.map((name, i) =>
    mapping(name, [way([`svc-demo.gov.idcard.${['initials', 'familyname', 'over18', 'docnumber'][i]}`])]),
  )
  fc.assert(
    fc.property(fc.subarray([...NAMES], { minLength: 1 }), fc.boolean(), (names, isPairwise) => {
      const all = rules(plain, isPairwise ? BY_CARD : {})
      const { result } = made(all, {
        scopes: [],
        claims: Object.fromEntries(names.map(name => [name, { essential: true }])),
      })
      if (result.type === 'refused') throw new Error(result.description)
      const disclosed = result.request.disclose.map(([inner = []]) =>
        inner.map(({ type }) => given(type, `value of ${type}`)),
      )
      const login = loginOf(result.plan, valid(...disclosed), { subject: all.subject, randomId: 'random' })
      const expected = Object.fromEntries(
        names.map(name => [name, `value of ${all.claims.get(name)?.alternatives[0]?.attributes[0]?.type}`]),
      )
      assert.equal(login.type === 'login' && login.claims, expected)
    }),
  )
})
Properties.run()
