/** The calls of a script, and their answers in each status of the session, from spec/interface#4.1 to #4.4 and spec/decisions#d14 to #d16. Typed by hand, without
 *  the chart or the routes. @module */
import type { SessionRow } from '../../stores/session-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { Answer, Call } from '../http/client.ts'
import { appHeaders, type SessionOfTest } from '../http/harness.ts'

export type Status = SessionRow['status']

/** The kind of answer if all goes well. `stored`: a call of the wallet app, whose answer is stored with its changes; `fresh`: the call has
 *  changed the session; `read`: the answer shows the state of the session. */
type Success = 'stored' | 'fresh' | 'read'

export type Ask = {
  readonly of: (session: SessionOfTest) => readonly [method: string, path: string, call?: Call]
  /** statuses in which the call is allowed */
  readonly in: readonly Status[]
  readonly success: Success
  /** the answer in other statuses */
  readonly refusal: '400 SESSION_UNKNOWN' | '403 UNEXPECTED_REQUEST' | '403 UNAUTHORIZED'
  /** true if that answer to an allowed call shows the session in this row */
  readonly shows: (answer: Answer, row: SessionRow) => boolean
  /** the body of the submission that claims the session */
  readonly claims?: string
}

const OPEN: readonly Status[] = ['INITIALIZED', 'PAIRING', 'CONNECTED']
export const FINAL: readonly Status[] = ['DONE', 'CANCELLED', 'TIMEOUT']
const EVERY = [...OPEN, ...FINAL]

/** True if a session in that status only waits for the end of its retention. */
export function isFinal(status: unknown): boolean {
  return FINAL.some(final => final === status)
}

const OPTIONS = 'https://svc.example/ld/request/frontendoptions/v1'

const isStored: Ask['shows'] = ({ status, text }, { answered }) =>
  answered?.answer.status === status && answered.answer.body === text

const app = (of: Ask['of'], status: Status, more: Partial<Ask> = {}): Ask => ({
  of,
  in: [status],
  success: 'stored',
  refusal: '400 SESSION_UNKNOWN',
  shows: isStored,
  ...more,
})

const submission = (claims: string): Ask =>
  app(({ app }) => ['POST', `${app}/proofs`, { headers: appHeaders(), body: claims }], 'CONNECTED', {
    claims,
  })

const choice = (pairingMethod: 'pin' | 'none'): Ask => ({
  of: ({ frontend, authorization: headers }) => [
    'POST',
    `${frontend}/options`,
    { headers, body: { '@context': OPTIONS, pairingMethod } },
  ],
  in: ['INITIALIZED'],
  success: 'fresh',
  refusal: '403 UNEXPECTED_REQUEST',
  shows: ({ json }, { pairingCode }) => {
    const { pairingMethod: method, pairingCode: code = null } = Object(json)
    return method === pairingMethod && code === pairingCode && (code === null) === (method === 'none')
  },
})

const cancelling = (of: Ask['of']): Ask => ({
  of,
  in: EVERY,
  success: 'read',
  refusal: '400 SESSION_UNKNOWN',
  shows: ({ status, text }, row) => status === 200 && text === '' && isFinal(row.status),
})

const reading = (of: Ask['of'], shows: Ask['shows']): Ask => ({
  of,
  in: EVERY,
  success: 'read',
  refusal: '400 SESSION_UNKNOWN',
  shows: (answer, row) => answer.status === 200 && shows(answer, row),
})

/** In an open session a result has only three members (2.8). */
function isResult({ json }: Answer, { status, requestorTokenHash }: SessionRow): boolean {
  const { token, status: shown, type, ...rest } = Object(json)
  const isBare = Object.keys(rest).length === 0
  return (
    hashOfToken(String(token)) === requestorTokenHash &&
    shown === status &&
    type === 'disclosing' &&
    (!OPEN.includes(status) || isBare)
  )
}

export const ASKS: Readonly<Record<string, Ask>> = {
  'the app connects': app(({ app }) => ['GET', app, { headers: appHeaders() }], 'INITIALIZED'),
  'an app of a later protocol connects': app(
    ({ app }) => ['GET', app, { headers: appHeaders('3.0', '3.1') }],
    'INITIALIZED',
  ),
  'the app fetches the request': app(
    ({ app }) => ['GET', `${app}/request`, { headers: appHeaders() }],
    'CONNECTED',
  ),
  'the app submits one': submission('{"one":1}'),
  'the app submits two': submission('{"two":2}'),
  'the app submits malformed proofs': app(
    ({ app }) => ['POST', `${app}/commitments`, { headers: appHeaders(), body: '{}' }],
    'CONNECTED',
    { claims: '' },
  ),
  'a stranger submits': app(
    ({ app }) => ['POST', `${app}/proofs`, { headers: { Authorization: 'a stranger' }, body: '{"one":1}' }],
    'CONNECTED',
    { success: 'read', shows: ({ status, json }) => status === 403 && Object(json).error === 'UNAUTHORIZED' },
  ),
  'the frontend turns pairing on': choice('pin'),
  'the frontend turns pairing off': choice('none'),
  'the frontend completes pairing': {
    of: ({ frontend, authorization: headers }) => ['POST', `${frontend}/pairingcompleted`, { headers }],
    in: ['PAIRING'],
    success: 'fresh',
    refusal: '403 UNEXPECTED_REQUEST',
    shows: (answer, { status }) => answer.status === 204 && status === 'CONNECTED',
  },
  'the requestor cancels': cancelling(({ requestor }) => ['DELETE', requestor]),
  'the app cancels': cancelling(({ app }) => ['DELETE', app]),
  'the requestor reads the status': reading(
    ({ requestor }) => ['GET', `${requestor}/status`],
    ({ text }, { status }) => text === `"${status}"`,
  ),
  'the app reads the status': reading(
    ({ app }) => ['GET', `${app}/status`],
    ({ text }, { status }) => text === `"${status}"`,
  ),
  'the frontend reads the status': reading(
    ({ frontend, authorization: headers }) => ['GET', `${frontend}/status`, { headers }],
    ({ json }, { status }) => Object(json).status === status,
  ),
  'the requestor reads the result': reading(({ requestor }) => ['GET', `${requestor}/result`], isResult),
}

/** The streams of a session, and the status in a frame of each. */
export const STREAMS: Readonly<
  Record<
    string,
    { readonly of: (session: SessionOfTest) => readonly [string, Call?]; readonly isObject: boolean }
  >
> = {
  'the requestor follows': { of: ({ requestor }) => [`${requestor}/statusevents`], isObject: false },
  'the app follows': { of: ({ app }) => [`${app}/statusevents`], isObject: false },
  'the frontend follows': {
    of: ({ frontend, authorization: headers }) => [`${frontend}/statusevents`, { headers }],
    isObject: true,
  },
}
