/** Rules of sign-in for tests, with attributes of the demo schemes. @module */
import type { AttributeRequest } from '../../../protocol/disjunction.ts'
import { parseAttributeRequestId, parseAttributeTypeId } from '../../../protocol/ids.ts'
import type { Login } from '../../../sessions/sign-in/login-claims.ts'
import type { LoginRequest } from '../../../sessions/sign-in/login-request.ts'
import type { LoginResult, ResultAttribute } from '../../../sessions/sign-in/login-result.ts'
import type {
  ClaimAlternative,
  ClaimMapping,
  LoginRefusal,
  SignInClient,
  SignInRules,
} from '../../../sessions/sign-in/rules.ts'

export const MAIL = 'svc-keyshare.keyshare.mail.address'
export const CARD = 'svc-demo.gov.idcard'
export const OVER18 = `${CARD}.over18`

export function asked(type: string, more: Partial<AttributeRequest> = {}): AttributeRequest {
  return { type: parseAttributeRequestId(type), value: null, notNull: false, ...more }
}

/** An alternative of one text of all these attributes. */
export function way(types: readonly string[], more: Partial<ClaimAlternative> = {}): ClaimAlternative {
  return {
    attributes: types.map(type => asked(type)),
    form: { type: 'text', indices: types.map((_, i) => i), separator: ' ' },
    conversion: { to: 'text' },
    acr: null,
    isNotRevoked: false,
    ...more,
  }
}

export function mapping(name: string, alternatives: readonly ClaimAlternative[]): ClaimMapping {
  return { name, alternatives, unconvertible: 'omit' }
}

export const WORDS = { to: 'boolean', true: ['yes'], false: ['no'] } as const

export function client(more: Partial<SignInClient> = {}): SignInClient {
  return {
    clientId: 'shop',
    scopes: ['email', 'age'],
    mayAsk: ['*'],
    sector: 'shop.example',
    hasRandomSubject: false,
    ...more,
  }
}

export function rules(
  claims: readonly ClaimMapping[],
  more: Partial<SignInRules> & { readonly of?: Partial<SignInClient> } = {},
): SignInRules {
  const { of = {}, ...others } = more
  return {
    claims: new Map(claims.map(each => [each.name, each])),
    scopes: new Map([
      ['email', { essential: ['email'], voluntary: [] }],
      ['age', { essential: [], voluntary: ['over18'] }],
    ]),
    clients: new Map([['shop', client(of)]]),
    subject: { type: 'random' },
    acrValues: ['low', 'high'],
    hasVerifiedClaims: false,
    ...others,
  }
}

export const BY_CARD = {
  subject: {
    type: 'attribute',
    attribute: parseAttributeTypeId(`${CARD}.docnumber`),
    salt: Buffer.from('salt'),
  },
} as const

/** The request as texts: each inner conjunction is a list of types, with the value where one is asked for. */
export function shown(
  made: LoginRequest | LoginRefusal,
): readonly (readonly (readonly string[])[])[] | string {
  if (made.type === 'refused') return `${made.error}: ${made.description}`
  return made.request.disclose.map(item =>
    item.map(inner => inner.map(({ type, value }) => (value === null ? type : `${type}=${value}`))),
  )
}

export function given(
  id: string,
  rawvalue: string | null,
  more: Partial<ResultAttribute> = {},
): ResultAttribute {
  return { id, rawvalue, issuancetime: 1_700_000_000, ...more }
}

export function valid(...disclosed: readonly (readonly ResultAttribute[] | null)[]): LoginResult {
  return { proofStatus: 'VALID', disclosed }
}

export function planned(made: LoginRequest | LoginRefusal): LoginRequest {
  if (made.type === 'refused') throw new Error(`expected a request, got ${made.error}: ${made.description}`)
  return made
}

/** The claims of a login. @throws if there is none */
export function claimsIn(login: Login | LoginRefusal): Login['claims'] {
  if (login.type === 'refused') throw new Error(refusalIn(login))
  return login.claims
}

export function refusalIn(made: LoginRefusal | { readonly type: string }): string {
  return 'error' in made ? `${made.error}: ${made.description}` : made.type
}
