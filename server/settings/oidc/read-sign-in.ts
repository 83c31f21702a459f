/** The settings of sign-in: claims, scopes, subjects and clients, read against the schemes. Everything that is refused is reported at once. @module */
import type { Schemes } from '../../../schemes/types.ts'
import { type SignInRules, VERIFIED_CLAIMS } from '../../../sessions/sign-in/rules.ts'
import { Refusals, SettingsError } from '../errors.ts'
import { isOfDemo } from './attributes.ts'
import type { SignInOptionValues } from './options.ts'
import { readClaims, readScopes } from './read-claims.ts'
import { type OidcClient, readClients } from './read-clients.ts'
import { readSubject } from './subject.ts'

export type SignInSettings = {
  readonly rules: SignInRules
  /** metadata for the protocol engine; secret */
  readonly clients: readonly OidcClient[]
  /** For the protocol engine: each scope with its claims, and each claim with null. The parameter `claims` may ask for every claim. */
  readonly claimsByScope: Readonly<Record<string, readonly string[] | null>>
  /** settings that are allowed but perhaps a mistake, for the log */
  readonly warnings: readonly string[]
}

export type SignInFacts = { readonly schemes: Schemes; readonly production: boolean }

/** @throws {SettingsError} with all reasons */
export function readSignIn(options: SignInOptionValues, facts: SignInFacts): SignInSettings {
  const refusals = new Refusals()
  const { acr_values: acrValues, verified_claims: hasVerifiedClaims } = options
  if (new Set(acrValues).size < acrValues.length)
    refusals.add(new SettingsError('acr_values: expected each level once, got one twice'))
  if (acrValues.some(acr => acr === '' || /\s/.test(acr)))
    refusals.add(
      new SettingsError('acr_values: expected levels without a blank, got one with a blank, or an empty one'),
    )
  const claims = readClaims(options.claims, { ...facts, acrValues, refusals })
  const scopes = readScopes(options.scopes, claims, { refusals })
  const subject = readSubject(options.subject, { ...facts, refusals })
  const clients = readClients(options.clients, { ...facts, refusals, rules: { claims, scopes } })
  if (options.clients.length === 0)
    refusals.add(new SettingsError('clients: expected at least one client, got none'))
  refusals.throwAll()
  const byId = new Map(clients.map(({ rules }) => [rules.clientId, rules]))
  const rules: SignInRules = { claims, scopes, clients: byId, subject, acrValues, hasVerifiedClaims }
  return {
    rules,
    clients: clients.map(({ metadata }) => metadata),
    claimsByScope: claimsByScopeOf(rules),
    warnings: facts.production ? demoAttributes(rules, facts) : [],
  }
}

function demoAttributes({ claims, subject }: SignInRules, facts: SignInFacts): readonly string[] {
  const named = [...claims].flatMap(([name, { alternatives }]) =>
    alternatives.flatMap(({ attributes }) => attributes.map(({ type }) => [`claims.${name}`, type] as const)),
  )
  const all = subject.type === 'random' ? named : [...named, ['subject', subject.attribute] as const]
  const lines = all
    .filter(([, id]) => isOfDemo(id, facts))
    .map(
      ([place, id]) =>
        `${place}: every person can make ${id}, because the private keys of its demo scheme are public`,
    )
  return [...new Set(lines)]
}

function claimsByScopeOf({
  claims,
  scopes,
  hasVerifiedClaims,
}: SignInRules): SignInSettings['claimsByScope'] {
  const more = hasVerifiedClaims ? [VERIFIED_CLAIMS] : []
  const alone = [...claims.keys(), ...more].map(name => [name, null] as const)
  const byScope = [...scopes].map(
    ([name, { essential, voluntary }]) => [name, [...essential, ...voluntary, ...more]] as const,
  )
  return Object.fromEntries([...alone, ...byScope])
}
