/** The disclosure request of a login: made of scopes, the parameter `claims` and the rules of the client. Each attribute of the request belongs to a claim that was asked for, or to the subject. @module */
import type { Disjunction } from '../../protocol/disjunction.ts'
import { type CredentialTypeId, credentialTypeOf } from '../../protocol/ids.ts'
import type { DisclosureRequest } from '../../protocol/request.ts'
import { askedClaims, type ClaimAsk, type ClaimsParameter } from './asked-claims.ts'
import { joinPieces } from './join-pieces.ts'
import { clientMayAsk, hasAcrs, type Piece, pieceOf, withAcrs } from './narrow-claims.ts'
import type { LoginPlan, PlannedAlternative } from './plan.ts'
import { type LoginRefusal, refusal, type SignInClient, type SignInRules } from './rules.ts'

/** The parameters of an authorization request that ask for claims. */
export type LoginAsk = {
  readonly clientId: string
  /** of the parameter `scope`; `openid` and unknown ones are ignored */
  readonly scopes: readonly string[]
  readonly claims: ClaimsParameter
  /** of the parameter `acr_values`, in its order */
  readonly acrValues?: readonly string[]
}

export type LoginRequest = {
  readonly type: 'request'
  readonly request: DisclosureRequest
  readonly plan: LoginPlan
}

/** The most attributes in all alternatives of a login. Each requested value is an alternative of its own, and a wallet shows every alternative. */
const MAX_ATTRIBUTES = 500

/** @returns the request for the session server, or why there is none */
export function requestOf(rules: SignInRules, ask: LoginAsk): LoginRequest | LoginRefusal {
  const client = rules.clients.get(ask.clientId)
  if (client === undefined) return refusal('unauthorized_client', 'the client is unknown')
  const foreign = ask.scopes.find(scope => rules.scopes.has(scope) && !client.scopes.includes(scope))
  if (foreign !== undefined) return refusal('invalid_scope', `the client may not use the scope ${foreign}`)
  const asked = askedClaims(rules, { scopes: ask.scopes, parameter: ask.claims })
  const pieces = piecesOf(asked, client, rules)
  if (!Array.isArray(pieces)) return pieces
  const subject = subjectPiece(client, rules)
  const all = withEssentialAcr([...subject, ...pieces], ask.claims)
  if (!Array.isArray(all)) return all
  if (all.length === 0)
    return refusal('invalid_scope', 'expected a scope or a claim that asks for an attribute, got none')
  const items = joinPieces(all).map(({ isEssential, alternatives }) => ({
    alternatives: isEssential ? alternatives : [...alternatives, LEFT_OUT],
  }))
  const plan: LoginPlan = {
    clientId: client.clientId,
    items,
    preferredAcrs: preferredAcrs(ask),
    acrValues: rules.acrValues,
    hasSubject: subject.length > 0,
    hasVerifiedClaims: rules.hasVerifiedClaims,
  }
  const attributeCount = items.flatMap(({ alternatives }) =>
    alternatives.flatMap(each => each.attributes),
  ).length
  if (attributeCount > MAX_ATTRIBUTES)
    return refusal(
      'invalid_request',
      `expected claims with at most ${MAX_ATTRIBUTES} attributes in all alternatives, got ${attributeCount}`,
    )
  return { type: 'request', request: disclosureOf(plan, notRevokedTypes(asked, rules)), plan }
}

/** The empty inner conjunction: the user may leave the item out. */
const LEFT_OUT: PlannedAlternative = { attributes: [], claims: [], acrs: [], subject: null }

function piecesOf(
  asked: ReadonlyMap<string, ClaimAsk>,
  client: SignInClient,
  rules: SignInRules,
): Piece[] | LoginRefusal {
  const mayAsk = clientMayAsk(client, rules)
  const pieces: Piece[] = []
  for (const [name, ask] of asked) {
    const mapping = rules.claims.get(name)
    if (mapping === undefined) continue
    const allowed = mapping.alternatives.filter(mayAsk)
    if (allowed.length === 0)
      return refusal('invalid_request', `the client may not ask for the claim ${name}`)
    const piece = pieceOf(mapping, allowed, ask)
    if (piece.alternatives.length > 0) pieces.push(piece)
    else if (piece.isEssential)
      return refusal('invalid_request', `no attribute gives the essential claim ${name} a requested value`)
  }
  return pieces
}

/** The piece that asks for the attribute of the subject, at each login. The client does not get that attribute, so its permissions are not checked. */
function subjectPiece({ hasRandomSubject }: SignInClient, { subject }: SignInRules): Piece[] {
  if (subject.type === 'random' || hasRandomSubject) return []
  const attributes = [{ type: subject.attribute, value: null, notNull: true }]
  return [{ isEssential: true, alternatives: [{ attributes, claims: [], acrs: [], subject: 0 }] }]
}

/** Limits the pieces to the levels of an essential `acr` (Core 5.5.1.1). At least one essential piece must show one of these levels. */
function withEssentialAcr(pieces: Piece[], { idToken }: ClaimsParameter): Piece[] | LoginRefusal {
  const acrs = essentialAcrs({ idToken })
  if (acrs === null) return pieces
  const narrowed = pieces.map(piece => (piece.isEssential ? withAcrs(piece, acrs) : piece))
  if (narrowed.some(piece => piece.isEssential && hasAcrs(piece, acrs))) return narrowed
  return refusal(
    'unmet_authentication_requirements',
    'no essential claim of this login is mapped to the requested acr',
  )
}

/** @returns null: no level is essential */
function essentialAcrs({ idToken }: Pick<ClaimsParameter, 'idToken'>): readonly string[] | null {
  const ask = idToken.get('acr')
  return ask?.isEssential && ask.values !== null ? ask.values.map(String) : null
}

/** The levels that the site prefers, in its order. Those of the parameter `claims` come before those of `acr_values`. */
function preferredAcrs({ claims, acrValues = [] }: LoginAsk): readonly string[] {
  const ofClaims = claims.idToken.get('acr')?.values ?? []
  return [...ofClaims.map(String), ...acrValues]
}

function notRevokedTypes(
  asked: ReadonlyMap<string, ClaimAsk>,
  { claims }: SignInRules,
): ReadonlySet<CredentialTypeId> {
  const alternatives = [...asked.keys()].flatMap(name => claims.get(name)?.alternatives ?? [])
  return new Set(
    alternatives
      .filter(({ isNotRevoked }) => isNotRevoked)
      .flatMap(({ attributes }) => attributes.map(({ type }) => credentialTypeOf(type))),
  )
}

function disclosureOf({ items }: LoginPlan, notRevoked: ReadonlySet<CredentialTypeId>): DisclosureRequest {
  const disclose: Disjunction[] = items.map(({ alternatives }) => alternatives.map(each => each.attributes))
  const types = new Set(disclose.flat(2).map(({ type }) => credentialTypeOf(type)))
  return {
    type: 'disclosing',
    disclose,
    labels: {},
    skipExpiryCheck: [],
    nonRevocation: [...notRevoked]
      .filter(type => types.has(type))
      .map(credential => ({ credential, toleranceSec: 0 })),
    clientReturnUrl: '',
    augmentReturnUrl: false,
    host: '',
  }
}
