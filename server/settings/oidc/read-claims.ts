/** The options `claims` and `scopes`, read against the schemes. @module */
import type { ClaimMapping, ScopeClaims } from '../../../sessions/sign-in/rules.ts'
import { VERIFIED_CLAIMS } from '../../../sessions/sign-in/rules.ts'
import { SettingsError } from '../errors.ts'
import { nearestName } from '../nearest.ts'
import { isObject, kindOf, MemberReader } from './member-reader.ts'
import { OWN_MEMBERS, SHARED_MEMBERS, type WayFacts, wayOf } from './read-way.ts'
import { STANDARD_SCOPES, standardClaims } from './standard-claims.ts'

/** Claims that the provider itself makes. */
const RESERVED: readonly string[] = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'sid'],
  ...['at_hash', 'c_hash', 's_hash', '_claim_names', '_claim_sources', VERIFIED_CLAIMS, '__proto__'],
]
const CLAIM_NAME = /^[\w.:/#-]{1,200}$/
const SCOPE_NAME = /^[\w.:/-]{1,200}$/
const OWN_SCOPES = ['openid', 'offline_access']

/** @param given the option: an attribute or an object for each claim, false for none
 *  @returns the claims of the settings, and the standard claims beside them */
export function readClaims(
  given: Readonly<Record<string, unknown>>,
  facts: WayFacts,
): ReadonlyMap<string, ClaimMapping> {
  const standard = standardClaims(Object.keys(given), facts)
  const all = new Map<string, ClaimMapping>()
  for (const [name, value] of Object.entries({ ...standard, ...given })) {
    if (value === false) continue
    const place = `claims.${name.slice(0, 80)}`
    if (!CLAIM_NAME.test(name))
      facts.refusals.add(
        new SettingsError(`${place}: expected a name of letters, digits and "_.:/#-", got another`),
      )
    if (RESERVED.includes(name))
      facts.refusals.add(
        new SettingsError(`${place}: expected another name, because the provider makes this claim`),
      )
    all.set(name, readMapping(name, place, value, facts))
  }
  return all
}

function readMapping(name: string, place: string, value: unknown, facts: WayFacts): ClaimMapping {
  const json = typeof value === 'string' ? { attribute: value } : value
  const known = ['any_of', 'unconvertible', ...OWN_MEMBERS, ...SHARED_MEMBERS]
  const mapping = new MemberReader(place, json, known, facts.refusals)
  const unconvertible = mapping.choice('unconvertible', ['omit', 'refuse'])
  if (!isObject(json)) return { name, alternatives: [], unconvertible }
  const picked = (names: readonly string[]) =>
    Object.fromEntries(names.filter(each => mapping.has(each)).map(each => [each, json[each]] as const))
  const shared = picked(SHARED_MEMBERS)
  if (!mapping.has('any_of'))
    return { name, alternatives: [wayOf(place, picked(OWN_MEMBERS), shared, facts)], unconvertible }
  for (const other of Object.keys(picked(OWN_MEMBERS)))
    mapping.refuse(other, 'expected none beside "any_of", got one; write it inside')
  const ways = mapping.value('any_of')
  if (!Array.isArray(ways) || ways.length === 0)
    mapping.refuse(
      'any_of',
      `expected a list of attributes, got ${Array.isArray(ways) ? 'an empty list' : kindOf(ways)}`,
    )
  const list: readonly unknown[] = Array.isArray(ways) ? ways : []
  const alternatives = list.map((way, i) => wayOf(`${place}.any_of[${i}]`, way, shared, facts))
  return { name, alternatives, unconvertible }
}

/** @param claims all that are mapped
 *  @returns the scopes of the settings, and the standard ones (Core 5.4) whose claims are mapped */
export function readScopes(
  given: Readonly<Record<string, unknown>>,
  claims: ReadonlyMap<string, ClaimMapping>,
  { refusals }: Pick<WayFacts, 'refusals'>,
): ReadonlyMap<string, ScopeClaims> {
  const scopes = new Map<string, ScopeClaims>()
  for (const [name, all] of Object.entries(STANDARD_SCOPES)) {
    const voluntary = all.filter(claim => claims.has(claim))
    if (voluntary.length > 0) scopes.set(name, { essential: [], voluntary })
  }
  for (const [name, value] of Object.entries(given)) {
    const place = `scopes.${name.slice(0, 80)}`
    const json = Array.isArray(value) ? { essential: value } : value
    const scope = new MemberReader(place, json, ['essential', 'voluntary'], refusals)
    if (!SCOPE_NAME.test(name) || OWN_SCOPES.includes(name))
      scope.refuse(
        '',
        'expected a name of letters, digits and "_.:/-" that the provider does not have, got another',
      )
    const read = { essential: scope.texts('essential'), voluntary: scope.texts('voluntary') }
    const listed = [...read.essential, ...read.voluntary]
    if (listed.length === 0) scope.refuse('', 'expected at least one claim, got none')
    const twice = listed.find((claim, i) => listed.indexOf(claim) < i)
    if (twice !== undefined) scope.refuse('', `expected each claim once, got ${JSON.stringify(twice)} twice`)
    for (const claim of listed.filter(each => !claims.has(each)))
      scope.refuse(
        '',
        `expected a claim that is mapped, got ${JSON.stringify(claim)}${nearestHint(claim, claims)}`,
      )
    if (claims.has(name) && !listed.includes(name))
      scope.refuse('', 'expected the claim with the name of the scope among its claims, got others')
    scopes.set(name, read)
  }
  return scopes
}

/** @param known names by their map */
export function nearestHint(name: string, known: ReadonlyMap<string, unknown>): string {
  return known.size === 0 ? '' : `; the nearest is ${JSON.stringify(nearestName(name, [...known.keys()]))}`
}
