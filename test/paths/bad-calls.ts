/** The faults of calls, and their answers: one table, typed by hand from spec/interface#4.1 to #4.4, #5.3, #7, spec/session-server#2.1,
 *  #3, #9 to #11 and the decisions (spec/decisions#d1, #d2, #d5, #d14 to #d16, #d23, #d26). The table of endpoints (tables/endpoints.ts) says in which status a call is
 *  allowed, and gives the answer in the others. @module */
import type { Answer, Call } from '../http/client.ts'
import { appHeaders, disclosure, OF_SHOP, type SessionOfTest } from '../http/harness.ts'
import { bodyText, transcript } from '../protocol/recorded.ts'

/** The answer, and the effect on the session. */
export type ExpectedAnswer = {
  readonly status: number
  /** name of the error, or null */
  readonly error: string | null
  /** the new status of the session; `same`: nothing has changed */
  readonly becomes: 'same' | 'CANCELLED' | 'DONE' | 'CONNECTED'
  /** true if the answer is the outcome of a claim, whose body was stored */
  readonly isClaimed?: true
}

export type Fault = {
  readonly endpoint: string
  readonly title: string
  /** the event of the same call without the fault; null if its answer is the same in every status */
  readonly event: string | null
  /** the answer if the chart accepts that event; otherwise the table of endpoints gives the answer (tables/endpoints.ts) */
  readonly allowed: ExpectedAnswer
  readonly wrong: Wrong
  /** the answer if the session does not exist and `event` is null */
  readonly forgotten: ExpectedAnswer
}

/** Differences from a right call. */
type Wrong = Call & {
  /** replaces the token in the path */
  readonly token?: string
  /** the call is made only after an app has connected; `old`: an app without a protocol version for pairing */
  readonly afterApp?: 'any' | 'old'
}

/** The longest body that the server of these tests reads. */
export const BODY_BYTES = 20_000
export const HOST = 'sessions.shop.example'

const OK: ExpectedAnswer = { status: 200, error: null, becomes: 'same' }
const refused = (status: number, error: string): ExpectedAnswer => ({ status, error, becomes: 'same' })
const cancelled = (status: number, error: string): ExpectedAnswer => ({ status, error, becomes: 'CANCELLED' })
const UNKNOWN = refused(400, 'SESSION_UNKNOWN')
const MALFORMED = refused(400, 'MALFORMED_INPUT')
const INVALID = refused(400, 'INVALID_REQUEST')
const TOO_LARGE = refused(413, 'INVALID_REQUEST')
const OTHER_TYPE = refused(415, 'INVALID_REQUEST')
const FORBIDDEN = refused(403, 'UNAUTHORIZED')
const UNEXPECTED = refused(403, 'UNEXPECTED_REQUEST')
const NOT_FOUND = refused(404, 'INVALID_REQUEST')
const NOT_ALLOWED = refused(405, 'INVALID_REQUEST')
const UNSUPPORTED = refused(501, 'UNSUPPORTED')
const MALFORMED_CANCELS = cancelled(400, 'MALFORMED_INPUT')
const JUDGED: ExpectedAnswer = { status: 200, error: null, becomes: 'DONE', isClaimed: true }

const STRANGER = { Authorization: 'somebody-else' }
const NOBODY = { Authorization: '' }
const TOO_LONG = 'x'.repeat(BODY_BYTES + 1)
const GZIP = { 'Content-Encoding': 'gzip' }
const NOT_UTF8 = new Uint8Array([0x7b, 0xff, 0x7d])
/** A submission that is verified; those of paths are not. */
const NO_PROOF = { proofs: [] }
const OPTIONS = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
/** A right proof, but for another nonce. */
const recorded = transcript('disclosure-single-attribute', 'svc').exchanges
const WRONG_PROOF = bodyText(Object(recorded.find(({ request }) => request.path.endsWith('/proofs'))).request)
const { proofs, indices } = JSON.parse(WRONG_PROOF)
/** One more than the sum of the proofs that a request for one attribute can use, and the four spare ones (spec/decisions#d26). */
const TOO_MANY_PROOFS = { proofs: Array.from({ length: 6 }, () => proofs[0]), indices }

type Row = readonly [
  endpoint: string,
  title: string,
  event: string | null,
  allowed: ExpectedAnswer,
  wrong: Wrong,
  forgotten?: ExpectedAnswer,
]

/** A fault with the same answer in every status. */
const always = (
  endpoint: string,
  title: string,
  outcome: ExpectedAnswer,
  wrong: Wrong,
  forgotten = UNKNOWN,
): Row => [endpoint, title, null, outcome, wrong, forgotten]

// biome-ignore format: a table is read by its columns
const APP: readonly Row[] = [
  ['GET {app}', 'invalid versions', 'app.connected', MALFORMED_CANCELS, { headers: appHeaders('y') }],
  ['GET {app}', 'no versions', 'app.connected', MALFORMED_CANCELS, { headers: appHeaders('', '') }],
  ['GET {app}', 'only later versions', 'app.connected', cancelled(400, 'PROTOCOL_VERSION'), { headers: appHeaders('3.0', '3.1') }],
  ['GET {app}', 'only earlier versions', 'app.connected', cancelled(400, 'PROTOCOL_VERSION'), { headers: appHeaders('2.0', '2.3') }],
  ['GET {app}/request', 'another app', 'app.fetched', FORBIDDEN, { headers: STRANGER }],
  ['GET {app}/request', 'no Authorization', 'app.fetched', FORBIDDEN, { headers: NOBODY }],
  ['GET {app}/request', 'a version without this endpoint', 'app.fetched', UNEXPECTED, { afterApp: 'old' }],
  ['POST {app}/proofs', 'another app', 'app.fetched', FORBIDDEN, { headers: STRANGER, body: NO_PROOF }],
  ['POST {app}/proofs', 'no Authorization', 'app.fetched', FORBIDDEN, { headers: NOBODY, body: NO_PROOF }],
  ['POST {app}/proofs', 'another app, and a body too long', 'app.fetched', FORBIDDEN, { headers: STRANGER, body: TOO_LONG, afterApp: 'any' }],
  ['POST {app}/proofs', 'no JSON', 'app.submitted', MALFORMED_CANCELS, { body: '{' }],
  ['POST {app}/proofs', 'no body', 'app.submitted', MALFORMED_CANCELS, { body: '' }],
  ['POST {app}/proofs', 'no UTF-8', 'app.submitted', MALFORMED_CANCELS, { body: NOT_UTF8 }],
  ['POST {app}/proofs', 'another shape', 'app.submitted', { ...MALFORMED_CANCELS, isClaimed: true }, { body: { proofs: 'none' } }],
  ['POST {app}/proofs', 'too many proofs', 'app.submitted', MALFORMED_CANCELS, { body: TOO_MANY_PROOFS }],
  ['POST {app}/proofs', 'a proof that is wrong', 'app.submitted', JUDGED, { body: WRONG_PROOF }],
  ['POST {app}/proofs', 'no proof', 'app.submitted', JUDGED, { body: NO_PROOF }],
  always('POST {app}/proofs', 'a body too long', TOO_LARGE, { body: TOO_LONG }),
  always('POST {app}/proofs', 'a compressed body', OTHER_TYPE, { headers: GZIP, body: NO_PROOF }),
  ['POST {app}/commitments', 'another app', 'app.fetched', FORBIDDEN, { headers: STRANGER, body: NO_PROOF }],
  ['POST {app}/commitments', 'no Authorization', 'app.fetched', FORBIDDEN, { headers: NOBODY, body: NO_PROOF }],
  ['POST {app}/commitments', 'a session that issues nothing', 'app.submitted', cancelled(400, 'INVALID_REQUEST'), { body: NO_PROOF }],
  always('POST {app}/commitments', 'a body too long', TOO_LARGE, { body: TOO_LONG }),
  ['DELETE {app}', 'another app, and a body', 'cancelled', { ...OK, becomes: 'CANCELLED' }, { headers: STRANGER, body: '{' }],
  always('GET {app}/status', 'another app, and a body', OK, { headers: STRANGER, body: '{' }),
  ['GET {app}/statusevents', 'another app', 'cancelled', OK, { headers: STRANGER }],
  always('POST {app}', 'no static session', INVALID, {}, INVALID),
]

// biome-ignore format: a table is read by its columns
const FRONTEND: readonly Row[] = [
  always('POST {frontend}/options', 'no JSON', MALFORMED, { body: '{' }),
  always('POST {frontend}/options', 'no UTF-8', MALFORMED, { body: NOT_UTF8 }),
  always('POST {frontend}/options', 'another context', MALFORMED, { body: { ...OPTIONS, '@context': 'x' } }),
  always('POST {frontend}/options', 'a body too long', TOO_LARGE, { body: TOO_LONG }),
  always('POST {frontend}/options', 'a compressed body', OTHER_TYPE, { headers: GZIP, body: OPTIONS }),
  always('POST {frontend}/options', 'an unknown method', UNEXPECTED, { body: { ...OPTIONS, pairingMethod: 'x' } }),
  ['POST {frontend}/pairingcompleted', 'a body', 'frontend.paired', { status: 204, error: null, becomes: 'CONNECTED' }, { body: '{' }],
]

// biome-ignore format: a table is read by its columns
const REQUESTOR: readonly Row[] = [
  always('POST /session', 'no JSON', INVALID, { body: '{' }, INVALID),
  always('POST /session', 'another type', OTHER_TYPE, { headers: { 'Content-Type': 'text/html' }, body: disclosure() }, OTHER_TYPE),
  always('POST /session', 'an unknown requestor', FORBIDDEN, { headers: STRANGER, body: disclosure() }, FORBIDDEN),
  always('POST /session', 'no token', INVALID, { headers: NOBODY, body: disclosure() }, INVALID),
  always('POST /session', 'a body too long', TOO_LARGE, { body: TOO_LONG }, TOO_LARGE),
  ['DELETE {requestor}', 'another requestor, and a body', 'cancelled', { ...OK, becomes: 'CANCELLED' }, { headers: STRANGER, body: '{' }],
  always('GET {requestor}/status', 'another requestor', OK, { headers: STRANGER }),
  always('GET {requestor}/result', 'another requestor', OK, { headers: STRANGER }),
  always('GET {requestor}/result-jwt', 'no key that signs', UNSUPPORTED, {}),
  always('GET {requestor}/getproof', 'no key that signs', UNSUPPORTED, {}),
  ['GET {requestor}/statusevents', 'another requestor', 'cancelled', OK, { headers: STRANGER }],
]

const OF_REQUESTORS = ['DELETE {requestor}', ...['status', 'statusevents', 'result'].map(of('{requestor}'))]
const OF_APPS = [
  'GET {app}',
  'DELETE {app}',
  'GET {app}/request',
  'POST {app}/proofs',
  'POST {app}/commitments',
  ...['status', 'statusevents', 'nothing'].map(of('{app}')),
]
const OF_FRONTENDS = [
  'POST {frontend}/options',
  'POST {frontend}/pairingcompleted',
  ...['status', 'statusevents', 'nothing', 'options'].map(of('{frontend}')),
]

function of(base: string): (name: string) => string {
  return name => `GET ${base}/${name}`
}

/** Faults of every endpoint of a kind. */
const OF_ALL: readonly Row[] = [
  ...[...OF_REQUESTORS, ...OF_APPS, ...OF_FRONTENDS].flatMap(endpoint => [
    always(endpoint, 'an unknown token', UNKNOWN, { token: 'z'.repeat(20) }),
    always(endpoint, 'a text that is no token', UNKNOWN, { token: 'z' }),
  ]),
  ...[...OF_APPS, ...OF_FRONTENDS].map(endpoint =>
    always(endpoint, 'another host', FORBIDDEN, { headers: { Host: 'other.shop.example' } }),
  ),
  ...OF_FRONTENDS.flatMap(endpoint => [
    always(endpoint, 'another frontend', FORBIDDEN, { headers: STRANGER }),
    always(endpoint, 'no Authorization', FORBIDDEN, { headers: NOBODY }),
  ]),
  always('GET {app}/nothing', 'no endpoint', NOT_FOUND, {}),
  always('PUT {app}/status', 'another method', NOT_ALLOWED, {}),
  always('GET {frontend}/nothing', 'no endpoint', NOT_FOUND, {}),
  always('GET {frontend}/options', 'another method', NOT_ALLOWED, {}),
  always('PUT {requestor}/status', 'another method', NOT_ALLOWED, {}, NOT_ALLOWED),
]

export const FAULTS: readonly Fault[] = [...APP, ...FRONTEND, ...REQUESTOR, ...OF_ALL].map(
  ([endpoint, title, event, allowed, wrong, forgotten = UNKNOWN]) => ({
    endpoint,
    title,
    event,
    allowed,
    wrong,
    forgotten,
  }),
)

/** The call of a fault, right except for the fault. */
export function badCall({ endpoint, wrong }: Fault, session: SessionOfTest) {
  const [method = '', template = ''] = endpoint.split(' ')
  const { requestor, app, frontend } = session
  const right = template
    .replace('{requestor}', requestor)
    .replace('{app}', app)
    .replace('{frontend}', frontend)
  const token = template.includes('{requestor}') ? session.requestorToken : session.clientToken
  const path = wrong.token === undefined ? right : right.replace(token, wrong.token)
  const headers = { ...headersOf(template, session), ...wrong.headers }
  return { method, path, call: { headers, ...('body' in wrong && { body: wrong.body }) } }
}

function headersOf(template: string, { authorization }: SessionOfTest): Record<string, string> {
  if (template === '/session') return { 'Content-Type': 'application/json', ...OF_SHOP }
  if (template.startsWith('{requestor}')) return {}
  return { Host: HOST, ...(template.startsWith('{frontend}') ? authorization : appHeaders()) }
}

/** The name of the error in an answer, or null. */
export function errorIn({ status, json }: Pick<Answer, 'status' | 'json'>): string | null {
  return status < 400 ? null : (Object(json).error ?? null)
}
