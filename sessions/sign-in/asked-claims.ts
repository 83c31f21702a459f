/** The parameter `claims` of an authorization request (OpenID Connect Core 5.5), and the claims that a request asks for. @module */
import type { JsonValue } from '../../protocol/json.ts'
import { isObject, readBoolean, readList, readMap, readText, ShapeError } from '../../protocol/shape.ts'
import type { SignInRules } from './rules.ts'

/** A value that a claim may be asked to have. */
export type AskedValue = string | number | boolean

/** How one member of the parameter asks for a claim. */
export type ClaimAsk = {
  readonly isEssential: boolean
  /** null: any value */
  readonly values: readonly AskedValue[] | null
}

/** The asks by the name of their claim. Both members may ask for the same claim. Claims of the standard, such as `acr`, are among them. */
export type ClaimsParameter = {
  readonly idToken: ReadonlyMap<string, ClaimAsk>
  readonly userinfo: ReadonlyMap<string, ClaimAsk>
}

export const NO_CLAIMS: ClaimsParameter = { idToken: new Map(), userinfo: new Map() }

/** The most values in one ask, because each value becomes an alternative of the request. */
const MAX_ASKED_VALUES = 20

/** @param text empty: the parameter was not sent
 *  @throws {ShapeError} names the member, and quotes no value */
export function readClaimsParameter(text: string): ClaimsParameter {
  if (text === '') return NO_CLAIMS
  const json = readText(text, { integersFrom: Number.POSITIVE_INFINITY })
  if (!isObject(json)) throw new ShapeError('claims: expected an object, got something else')
  return { idToken: readAsks(json.id_token, 'id_token'), userinfo: readAsks(json.userinfo, 'userinfo') }
}

function readAsks(json: JsonValue | undefined, member: string): ReadonlyMap<string, ClaimAsk> {
  const asks = Object.entries(readMap(json, `claims.${member}`))
  return new Map(asks.map(([name, ask], i) => [name, readAsk(ask, `claims.${member}, claim ${i + 1}`)]))
}

function readAsk(json: JsonValue, what: string): ClaimAsk {
  const { essential, value, values } = readMap(json, what)
  const listed = values === undefined || values === null ? null : readList(values, `${what}: values`)
  if (listed !== null && listed.length > MAX_ASKED_VALUES)
    throw new ShapeError(`${what}: expected at most ${MAX_ASKED_VALUES} values, got ${listed.length}`)
  const asked = value === undefined || value === null ? listed : [value]
  return {
    isEssential: readBoolean(essential, `${what}: essential`),
    values: asked === null ? null : asked.filter(isAskedValue),
  }
}

/** True for a value that a claim may have. Objects are left out, because they cannot be asked for by value. */
function isAskedValue(json: JsonValue): json is AskedValue {
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean'
}

/** The claims of scopes and of the parameter, in the order in which the settings list them. An unknown claim is left out (Core 5.5). If a scope and the
 *  parameter ask for the same claim, the ask of the parameter is used. */
export function askedClaims(
  { claims, scopes }: Pick<SignInRules, 'claims' | 'scopes'>,
  asked: { readonly scopes: readonly string[]; readonly parameter: ClaimsParameter },
): ReadonlyMap<string, ClaimAsk> {
  const ofScopes = asked.scopes.flatMap(scope => scopes.get(scope) ?? [])
  const essential = new Set(ofScopes.flatMap(scope => scope.essential))
  const voluntary = new Set(ofScopes.flatMap(scope => scope.voluntary))
  const { idToken, userinfo } = asked.parameter
  const found = new Map<string, ClaimAsk>()
  for (const name of claims.keys()) {
    const asks = [idToken.get(name), userinfo.get(name)].filter(ask => ask !== undefined)
    if (asks.length > 0) found.set(name, combined(asks, essential.has(name)))
    else if (essential.has(name) || voluntary.has(name))
      found.set(name, { isEssential: essential.has(name), values: null })
  }
  return found
}

/** Combines the asks of both members. The values limit the claim only if both members list values. */
function combined(asks: readonly ClaimAsk[], isEssential: boolean): ClaimAsk {
  const lists = asks.map(({ values }) => values)
  return {
    isEssential: isEssential || asks.some(ask => ask.isEssential),
    values: lists.includes(null) ? null : lists.flatMap(values => values ?? []),
  }
}
