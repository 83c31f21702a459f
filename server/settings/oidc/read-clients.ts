/** The option `clients`: the sites that may sign in users. @module */
import { parseUrl } from '../../../ports/parse-url.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { clientMayAsk } from '../../../sessions/sign-in/narrow-claims.ts'
import type { SignInClient, SignInRules } from '../../../sessions/sign-in/rules.ts'
import { checkPattern } from '../against-schemes.ts'
import type { Refusals } from '../errors.ts'
import { mistakeInClientAddress, mistakeInRedirectQuery } from './client-addresses.ts'
import { type ClientKeys, readClientKeys } from './client-keys.ts'
import { isObject, MemberReader } from './member-reader.ts'
import { nearestHint } from './read-claims.ts'

/** Metadata of a client in the names of OpenID Connect, as the protocol engine takes them. Its secret is secret. */
export type OidcClient = ClientKeys & {
  readonly client_id: string
  readonly client_name?: string
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  readonly response_types: readonly ['code']
  readonly grant_types: readonly ['authorization_code']
  /** `openid` and the scopes of the client */
  readonly scope: string
  readonly subject_type: 'pairwise'
  /** The address is never fetched, because the operator lists all redirect URIs. */
  readonly sector_identifier_uri?: string
  readonly require_pushed_authorization_requests: boolean
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required: boolean
}

export type ReadClient = { readonly metadata: OidcClient; readonly rules: SignInClient }

export type ClientFacts = {
  readonly schemes: Schemes
  readonly production: boolean
  readonly refusals: Refusals
  readonly rules: Pick<SignInRules, 'claims' | 'scopes'>
}

const MEMBERS = [
  ...['client_id', 'client_name', 'redirect_uris', 'post_logout_redirect_uris', 'token_endpoint_auth_method'],
  ...['client_secret', 'client_secret_file', 'jwks', 'jwks_file', 'scopes', 'may_ask', 'subject'],
  ...['sector_identifier', 'require_pushed_authorization_requests', 'backchannel_logout_uri'],
  'backchannel_logout_session_required',
]
const ATTRIBUTE_PARTS = 4
const CLIENT_ID = /^[\w.~:/-]{1,255}$/
/** Control characters, and those that change the direction or the line of a text. */
const UNSHOWN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const SECTOR = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/** @returns clients in their order; one that is refused may have empty members */
export function readClients(given: readonly unknown[], facts: ClientFacts): readonly ReadClient[] {
  const clients: ReadClient[] = []
  for (const [i, json] of given.entries()) {
    const client = new MemberReader(`clients[${i}]`, json, MEMBERS, facts.refusals)
    if (!isObject(json)) continue
    const read = readClient(client, facts)
    const { client_id: id } = read.metadata
    if (id !== '' && clients.some(({ metadata }) => metadata.client_id === id))
      client.refuse('client_id', `expected each client once, got ${JSON.stringify(id)} twice`)
    clients.push(read)
  }
  return clients
}

function readClient(client: MemberReader, facts: ClientFacts): ReadClient {
  const id = client.text('client_id')
  if (!CLIENT_ID.test(id))
    client.refuse(
      'client_id',
      `expected letters, digits and "_.~:/-", got ${id === '' ? 'none' : 'another text'}`,
    )
  // oidc-provider keeps facts about clients as members of an object
  else if (id in {}) client.refuse('client_id', `expected a name that JavaScript does not reserve, got ${id}`)
  const addresses = readAddresses(client, facts.production)
  const scopes = readScopesOf(client, facts)
  const sector = readSector(client, addresses.redirect_uris)
  const rules: SignInClient = {
    clientId: id,
    scopes,
    mayAsk: client.has('may_ask') ? readPatterns(client, facts) : null,
    sector: sector.host,
    hasRandomSubject: client.has('subject') && client.choice('subject', ['random']) === 'random',
  }
  checkMayAsk(client, rules, facts)
  const name = client.text('client_name')
  if (UNSHOWN.test(name))
    client.refuse('client_name', 'expected one line of visible text, got control or direction characters')
  const metadata: OidcClient = {
    client_id: id,
    ...(name !== '' && { client_name: name }),
    ...addresses,
    ...readClientKeys(client, facts),
    response_types: ['code'],
    grant_types: ['authorization_code'],
    scope: ['openid', ...scopes].join(' '),
    subject_type: 'pairwise',
    ...(sector.isOwn && { sector_identifier_uri: `https://${sector.host}` }),
    require_pushed_authorization_requests: client.flag('require_pushed_authorization_requests'),
    backchannel_logout_session_required: client.flag('backchannel_logout_session_required'),
  }
  return { metadata, rules }
}

function readAddresses(client: MemberReader, production: boolean) {
  const lists = {
    redirect_uris: client.texts('redirect_uris'),
    post_logout_redirect_uris: client.texts('post_logout_redirect_uris'),
  }
  const backchannel = client.text('backchannel_logout_uri')
  if (!client.has('redirect_uris')) client.refuse('redirect_uris', 'expected at least one address, got none')
  const all = { ...lists, backchannel_logout_uri: backchannel === '' ? [] : [backchannel] }
  for (const [name, texts] of Object.entries(all))
    for (const text of texts) {
      const mistake =
        mistakeInClientAddress(text, production) ??
        (name === 'redirect_uris' ? mistakeInRedirectQuery(text) : null)
      if (mistake !== null) client.refuse(name, mistake)
    }
  if (backchannel === '' && client.flag('backchannel_logout_session_required'))
    client.refuse('backchannel_logout_session_required', 'expected "backchannel_logout_uri" too, got none')
  return { ...lists, ...(backchannel !== '' && { backchannel_logout_uri: backchannel }) }
}

function readScopesOf(client: MemberReader, { rules: { scopes } }: ClientFacts): readonly string[] {
  const listed = client.texts('scopes').filter(scope => scope !== 'openid')
  for (const scope of listed.filter(each => !scopes.has(each)))
    client.refuse(
      'scopes',
      `expected a scope that is mapped to claims, got ${JSON.stringify(scope.slice(0, 80))}${nearestHint(scope, scopes)}`,
    )
  return [...new Set(listed)]
}

function readPatterns(client: MemberReader, { schemes, refusals }: ClientFacts): readonly string[] {
  const patterns = client.texts('may_ask')
  for (const pattern of patterns)
    refusals.of(() => checkPattern(client.placeOf('may_ask'), pattern, ATTRIBUTE_PARTS, schemes))
  return patterns
}

/** Refuses a scope with a claim that the client may not ask for: each login with that scope would be refused. */
function checkMayAsk(
  client: MemberReader,
  rules: SignInClient,
  { rules: { claims, scopes } }: ClientFacts,
): void {
  const mayAsk = clientMayAsk(rules, { claims, scopes })
  for (const scope of rules.scopes) {
    const { essential = [], voluntary = [] } = scopes.get(scope) ?? {}
    for (const claim of [...essential, ...voluntary]) {
      const alternatives = claims.get(claim)?.alternatives ?? []
      if (alternatives.length > 0 && !alternatives.some(mayAsk))
        client.refuse('may_ask', `expected a pattern for the claim ${claim} of the scope ${scope}, got none`)
    }
  }
}

/** OpenID Connect Core 8.1. */
function readSector(
  client: MemberReader,
  redirectUris: readonly string[],
): { readonly host: string; readonly isOwn: boolean } {
  const given = client.text('sector_identifier')
  const hosts = new Set(redirectUris.flatMap(uri => parseUrl(uri)?.host ?? []))
  const [host = ''] = hosts
  if (given === '' && hosts.size > 1)
    client.refuse(
      'sector_identifier',
      `expected a host that stands for all redirect URIs, because they have ${hosts.size} hosts, got none`,
    )
  if (given === '') return { host, isOwn: false }
  const named = given.replace(/^https:\/\//, '').replace(/\/$/, '')
  if (!SECTOR.test(named))
    client.refuse('sector_identifier', 'expected the name of a host in small letters, got another text')
  return { host: named, isOwn: true }
}
