/** The parsers of sign-in: the parameter `claims` of a site, and the options of an operator. @module */
import { readSignIn } from '../../../server/settings/oidc/read-sign-in.ts'
import { readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import { schemes } from '../../sessions/submissions.ts'
import type { Parser } from './parser.ts'

const CARD = 'svc-demo.gov.idcard'
const OPTIONS = {
  claims: {
    over18: {
      any_of: [`${CARD}.over18`, { attribute: 'svc-demo.gov.registration.over18', acr: 'low' }],
      convert: 'boolean',
    },
    born: { attribute: `${CARD}.docnumber`, convert: 'date', formats: ['yyyymmdd'], unconvertible: 'refuse' },
    initials: {
      members: { a: [`${CARD}.initials`] },
      where: [{ attribute: `${CARD}.over18`, value: 'yes' }],
    },
    badge: { attribute: 'svc-demo.fast.badge.level', not_revoked: true, notNull: true },
  },
  scopes: { age: ['over18'], all: { essential: ['born'], voluntary: ['initials'] } },
  acr_values: ['low', 'high'],
  subject: 'random',
  verified_claims: true,
  clients: [
    {
      client_id: 'shop',
      client_secret: 'a secret',
      redirect_uris: ['https://shop.example/back'],
      scopes: ['age'],
      may_ask: ['svc-demo.*'],
      sector_identifier: 'shop.example',
    },
  ],
}
const ASKS = [
  { id_token: { over18: { essential: true, value: true }, acr: { essential: true, values: ['low'] } } },
  { userinfo: { born: { values: ['2000-01-31'] }, initials: null, email: { value: 'a@b' }, badge: null } },
]

const facts = { schemes, production: false }
const { rules } = readSignIn(OPTIONS, facts)

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** Values with the types that the list of options has checked. */
function optionsIn(input: string): Parameters<typeof readSignIn>[0] | null {
  let json: unknown
  try {
    json = JSON.parse(input)
  } catch {
    return null // a text that is not JSON is no value of an option
  }
  if (!isObject(json)) return null
  const { claims, scopes, acr_values, subject, verified_claims, clients } = json
  return {
    claims: isObject(claims) ? claims : {},
    scopes: isObject(scopes) ? scopes : {},
    acr_values: Array.isArray(acr_values) ? acr_values.filter(each => typeof each === 'string') : [],
    subject,
    verified_claims: verified_claims === true,
    clients: Array.isArray(clients) ? clients : [],
  }
}

export const ofSignIn: readonly Parser[] = [
  {
    name: 'claims parameter',
    form: 'json',
    seeds: ASKS.map(each => JSON.stringify(each)),
    read: text => requestOf(rules, { clientId: 'shop', scopes: ['age'], claims: readClaimsParameter(text) }),
  },
  {
    name: 'options of sign-in',
    form: 'json',
    seeds: [JSON.stringify(OPTIONS)],
    read(input) {
      const options = optionsIn(input)
      return options && readSignIn(options, facts)
    },
  },
]
