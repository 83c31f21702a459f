/** Requests, permissions and the expected outcomes, derived from the words of the specification (spec/interface#5.1 rule 2;
 *  spec/session-server#6.6; spec/decisions#d9), not with the tested code. @module */
import type { RequestorSettings } from '../../http/settings.ts'
import { OVER18 } from './harness.ts'
import { RSA_PUBLIC, SECRET } from './signed-requests.ts'

const SERVER_HOST = 'sessions.example:8088'
export const CITY = 'svc-demo.gov.address.city'
const IDCARD = 'svc-demo.gov.idcard'
export const NOTE = 'svc-demo.fast.note'
const BASE = 'https://svc.example/ld/request'
const noteRequest = { credential: NOTE, attributes: { text: 'x' } }
const idcardRequest = {
  credential: IDCARD,
  attributes: { initials: 'A.', familyname: 'B', over18: 'yes', docnumber: 'C', nationality: 'D' },
}

type Kind = 'disclose' | 'sign' | 'issue' | 'host'
export type Needs = Partial<Record<Kind, readonly string[]>>
export type Ask = readonly [title: string, request: object, needs: Needs]

const disclosing = (...disclose: unknown[]) => ({ '@context': `${BASE}/disclosure/v2`, disclose })
export const signing = (...disclose: unknown[]) => ({
  '@context': `${BASE}/signature/v2`,
  message: 'm',
  disclose,
})
const issuing = (credentials: object[], ...disclose: unknown[]) => ({
  '@context': `${BASE}/issuance/v2`,
  credentials,
  disclose,
})

export const ASKS: readonly Ask[] = [
  ['an attribute', disclosing([[OVER18]]), { disclose: [OVER18] }],
  ['another attribute', disclosing([[CITY]]), { disclose: [CITY] }],
  ['an attribute or another one', disclosing([[OVER18], [CITY]]), { disclose: [OVER18, CITY] }],
  ['an attribute that is optional', disclosing([[OVER18]], [[], [CITY]]), { disclose: [OVER18, CITY] }],
  ['two attributes together', disclosing([[OVER18, CITY]]), { disclose: [OVER18, CITY] }],
  ['an attribute with its value', disclosing([[{ type: CITY, value: 'x' }]]), { disclose: [CITY] }],
  ['a credential itself', disclosing([[IDCARD]]), { disclose: [`${IDCARD}.*`] }],
  ['a signature alone', signing(), {}],
  ['a signature with an attribute', signing([[OVER18]]), { sign: [OVER18] }],
  ['a signature with an attribute or another one', signing([[OVER18], [CITY]]), { sign: [OVER18, CITY] }],
  ['a credential to issue', issuing([noteRequest]), { issue: [NOTE] }],
  ['another credential to issue', issuing([idcardRequest]), { issue: [IDCARD] }],
  ['two credentials to issue', issuing([noteRequest, idcardRequest]), { issue: [NOTE, IDCARD] }],
  ['combined', issuing([noteRequest], [[OVER18]]), { issue: [NOTE], disclose: [OVER18] }],
  ['combined, optional', issuing([noteRequest], [[], [CITY]]), { issue: [NOTE], disclose: [CITY] }],
  [
    'combined, two and two',
    issuing([noteRequest, idcardRequest], [[OVER18], [CITY]]),
    { issue: [NOTE, IDCARD], disclose: [OVER18, CITY] },
  ],
  [
    'an attribute at a host',
    { ...disclosing([[OVER18]]), host: 'www.shop.example' },
    { disclose: [OVER18], host: ['www.shop.example'] },
  ],
  [
    'an attribute at another host',
    { ...disclosing([[OVER18]]), host: 'shop.example' },
    { disclose: [OVER18], host: ['shop.example'] },
  ],
  [
    'the legacy form',
    { type: 'disclosing', content: [{ label: 'l', attributes: [OVER18, CITY] }] },
    { disclose: [OVER18, CITY] },
  ],
  [
    'the legacy form of a signature',
    { type: 'signing', message: 'm', content: [{ label: 'l', attributes: [OVER18] }] },
    { sign: [OVER18] },
  ],
  [
    'the legacy form, combined',
    { type: 'issuing', credentials: [noteRequest], disclose: [{ label: 'l', attributes: [CITY] }] },
    { issue: [NOTE], disclose: [CITY] },
  ],
]

export type Patterns = Partial<Record<Kind, readonly string[]>>
export const PERMISSIONS: readonly Patterns[] = [
  {},
  { disclose: [OVER18] },
  { disclose: [`${IDCARD}.*`] },
  { disclose: ['svc-demo.gov.*'], issue: [NOTE] },
  { disclose: ['svc-demo.*'], issue: ['svc-demo.fast.*'] },
  { disclose: ['*'] },
  { sign: [OVER18] },
  { sign: ['svc-demo.gov.*'] },
  { sign: ['*'] },
  { issue: [NOTE] },
  { issue: ['svc-demo.gov.*'], disclose: [CITY] },
  { issue: ['svc-demo.*'], sign: ['*'] },
  { issue: ['*'] },
  { disclose: ['*'], sign: ['*'], issue: ['*'] },
  { disclose: ['*'], host: ['*.shop.example'] },
  { disclose: ['*'], host: ['*.shop.example', SERVER_HOST, 'shop.example'] },
  // patterns that look like permissions and allow nothing
  {
    disclose: [
      'svc-demo',
      'svc-demo.gov',
      'svc-demo.gov.idcard',
      'svc-demo.gov.id*',
      'gov.*',
      '',
      '*.*',
      'svc-demo.gov.address.*.*',
    ],
  },
  { disclose: ['svc-keyshare.*', 'svc-demo.uni.*', 'svc-demo.gov.idcard.over1', 'SVC-DEMO.*'] },
  { issue: [`${NOTE}.*`, `${IDCARD}.*`, 'svc-demo.fast', 'svc-demo.fast.no*', 'svc-demo.uni.*'] },
]

/** The rule of the specification: a pattern covers the id itself, or all ids that begin with the part before `*`. */
function covers(pattern: string, id: string): boolean {
  if (pattern === '*' || pattern === id) return true
  return /^[^*]+\.\*$/.test(pattern) && id.startsWith(pattern.slice(0, -1))
}

function mayUseHost(patterns: readonly string[], host: string): boolean {
  if (patterns.length === 0) return host === SERVER_HOST
  return patterns.some(pattern =>
    pattern.startsWith('*') ? host.endsWith(pattern.slice(1)) : pattern === host,
  )
}

export function isAllowed(needs: Needs, patterns: Patterns): boolean {
  const kinds = ['disclose', 'sign', 'issue'] as const
  const [host = SERVER_HOST] = needs.host ?? []
  return (
    mayUseHost(patterns.host ?? [], host) &&
    kinds.every(kind =>
      (needs[kind] ?? []).every(id => (patterns[kind] ?? []).some(pattern => covers(pattern, id))),
    )
  )
}

export function permsOf({ disclose = [], sign = [], issue = [], host = [] }: Patterns) {
  return { disclosePerms: disclose, signPerms: sign, issuePerms: issue, revokePerms: [], hostPerms: host }
}

/** A requestor with these permissions for each kind of authentication. */
export function requestorsWith(patterns: Patterns): readonly RequestorSettings[] {
  const perms = permsOf(patterns)
  return [
    { name: 'tokenshop', auth: { method: 'token', token: 'token-of-the-shop' }, ...perms },
    { name: 'hmacshop', auth: { method: 'hmac', key: SECRET }, ...perms },
    { name: 'rsashop', auth: { method: 'publickey', key: RSA_PUBLIC }, ...perms },
  ]
}
