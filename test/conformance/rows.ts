/** Every row of parts 2 to 9 of the interface specification, and each field that a row of parts 2 and 7 names.
 *  @module */
import { ROWS_OF_DECISIONS } from './rows-of-decisions.ts'
import { ROWS_OF_KEYSHARE } from './rows-of-keyshare.ts'
import { ROWS_OF_KEYSHARE_PROPERTIES } from './rows-of-keyshare-properties.ts'
import { type Row, row } from './table.ts'

const MATCHING = 'sessions/match-proofs.test.ts'
const CALLS = 'wallet/calls.test.ts'
const PAIRING = 'wallet/pairing.test.ts'

const IDENTIFIERS = [
  row('2.1 attribute type id', '`<scheme>.<issuer>.<credential>.<attribute>`'),
  row('2.1 credential type id', '`<scheme>.<issuer>.<credential>`'),
  row('2.1 issuer public key id', '`<scheme>.<issuer>-<counter>`'),
  row('2.1 requestor token', 'string returned as `token`'),
  row('2.1 client token', 'final segment of `sessionPtr.u`'),
  row('2.1 big integers', 'Base64 strings'),
  row('2.1 public keys', 'several of an issuer, indexed from 0'),
]

const SESSION_PACKAGE = [
  row('2.2 token', 'requestor token'),
  row('2.2 sessionPtr u', 'URL of the session, ending in the client token', '2.2 sessionPtr'),
  row('2.2 sessionPtr svcqr', 'type of the session', '2.2 sessionPtr'),
  row('2.2 frontendRequest authorization', 'token for frontend endpoints', '2.2 frontendRequest'),
  row('2.2 frontendRequest minProtocolVersion', 'lowest frontend version', '2.2 frontendRequest'),
  row('2.2 frontendRequest maxProtocolVersion', 'highest frontend version', '2.2 frontendRequest'),
]

const SESSION_REQUESTS = [
  row('2.3 disclosure', '`@context` of a disclosure request', '2.3 disclosing'),
  row('2.3 signature', '`@context` of a signature request', '2.3 signing'),
  row('2.3 issuance', '`@context` of an issuance request', '2.3 issuing'),
  row('2.3 @context', 'required; names the type'),
  row('2.3 disclose', 'required to disclose, else optional; first disclosed, then issued'),
  row('2.3 labels', 'accompany `disclose`'),
  row('2.3 skipExpiryCheck', 'types of which expired instances may be disclosed'),
  row('2.3 message', 'required to sign'),
  row('2.3 credentials', 'required to issue'),
  row('2.3 clientReturnUrl', 'where the user is sent'),
  row('2.3 augmentReturnUrl', 'the requestor token is appended, where the server allows it'),
  row('2.3 host', 'in the pointer, shown to the user, and checked'),
  row('2.4 structure', 'a conjunction of disjunctions of inner conjunctions', '2.4 conjunction'),
  row('2.4 string', 'any value'),
  row('2.4 object type', 'which attribute', '2.4 object'),
  row('2.4 object value', 'exactly this value, or any', '2.4 object'),
  row('2.4 object notNull', 'a non-null attribute', '2.4 object'),
  row('2.4 mixed forms', 'within an inner conjunction'),
  row('2.4 types', 'must exist in their scheme'),
  row('2.4 rule 1', 'an empty inner conjunction makes it optional'),
  row('2.4 rule 2', 'one type may contribute more than one attribute'),
  row('2.4 rule 3', 'attributes of one type come from one instance', '2.4 rule 3', {
    file: MATCHING,
    title: /^attributes of one type .*\(rule 3\)/,
  }),
  row('2.4 rule 4', 'null is distinct from the empty string'),
  row('2.5 credential', 'type to issue'),
  row('2.5 validity', 'expiry; default, and rounded down to a week'),
  row('2.5 attributes', 'values; optional ones may be left out'),
  row('2.6 validity', 'of the signed result'),
  row('2.6 timeout', 'until the session times out'),
  row('2.6 callbackUrl', 'none by default'),
  row('2.6 nextSession', 'follow-up session'),
  row('2.6 request', 'required; the wrapped request'),
  row('2.7 signed request', 'a JWT with the extended request under a name by type'),
]

const RESULTS = [
  row('2.8 token', 'requestor token'),
  row('2.8 status', 'current status'),
  row('2.8 type', '`disclosing`, `signing`, `issuing`'),
  ...['VALID', 'INVALID', 'INVALID_TIMESTAMP', 'UNMATCHED_REQUEST', 'MISSING_ATTRIBUTES', 'EXPIRED'].map(
    each => row(`2.8 proofStatus ${each}`, 'validity of the proofs'),
  ),
  row('2.8 disclosed', 'by outer item of the request'),
  row('2.8 signature', 'the whole signature'),
  row('2.8 error', 'on failure'),
  row('2.8 before the end', 'token, status and type alone'),
  row('2.8 attribute status', '`PRESENT`', '2.8 attribute'),
  row('2.8 attribute rawvalue', 'raw value or null', '2.8 attribute', '2.8 attribute rawvalue'),
  row('2.8 attribute id', 'which attribute', '2.8 attribute'),
  row('2.8 attribute value', 'by language, the default one empty', '2.8 attribute'),
  row('2.8 failed sessions', 'have a result'),
  row('2.8 cancelled by the user', 'does not reveal whether attributes were lacking'),
]

const APP_MESSAGES = [
  row('2.9 client @context', 'of the client session request'),
  row('2.9 client protocolVersion', 'chosen by the server'),
  row('2.9 client options @context', 'of the options', '2.9 client options'),
  row('2.9 client options pairingMethod', '`pin`', '2.9 client options'),
  row('2.9 client options pairingCode', '4 digits', '2.9 client options'),
  row('2.9 client session request', 'carried without pairing'),
  row('2.9 delivered request', 'what the requestor asked for', '2.9 request'),
  row('2.9 nonce', 'random, one per session'),
  row('2.9 context', 'the number 1'),
  row('2.9 protocolVersion', 'chosen version'),
  row('2.9 devMode', 'true without production mode'),
  row('2.9 proofs', 'one per credential'),
  ...['c', 'A', 'e_response', 'v_response'].map(each =>
    row(`2.9 proofs ${each}`, 'Base64', '2.9 proofs[] c, A, e_response, v_response'),
  ),
  row('2.9 proofs a_responses', 'of hidden attributes, by index', '2.9 proofs[] a_responses'),
  row('2.9 proofs a_disclosed', 'disclosed attributes, by index', '2.9 proofs[] a_disclosed'),
  row('2.9 indices', 'where each requested attribute stands'),
  row('2.9 decoding', 'of disclosed attributes'),
  row('2.9 index 1', 'the metadata attribute'),
  row('2.9 signed @context', 'of the signed message'),
  row('2.9 signed signature', 'as `proofs`', '2.9 signed signature, indices'),
  row('2.9 signed indices', 'as in a disclosure', '2.9 signed signature, indices'),
  row('2.9 signed nonce', 'of the session request', '2.9 signed nonce, context'),
  row('2.9 signed context', 'of the session request', '2.9 signed nonce, context'),
  row('2.9 signed message', 'the text'),
  row('2.9 signed members left out', 'judged, and null in the result', {
    file: 'conformance/left-out-members.test.ts',
    title: /left out|without its signature/,
  }),
  row('2.9 signed long numbers', 'a nonce or context of more than 256 bits is 400 `MALFORMED_INPUT`', {
    file: 'conformance/left-out-members.test.ts',
    title: /of more than 256 bits/,
  }),
  ...['Time', 'ServerUrl', 'Sig Alg', 'Sig Data', 'Sig PublicKey'].map(each =>
    row(`2.9 signed timestamp ${each}`, 'when the attributes were valid', '2.9 signed timestamp'),
  ),
  ...['U', 'c', 'v_prime_response', 's_response'].map(each =>
    row(`2.9 combinedProofs ${each}`, 'commitment for a credential', '2.9 combinedProofs'),
  ),
  row('2.9 combinedProofs of combined sessions', 'disclosure proofs too', '2.9 combinedProofs'),
  row('2.9 n_2', 'nonce for the issuer'),
  row('2.9 response proofStatus', 'to each submission'),
  row('2.9 response nextSession', 'pointer of the next session'),
  ...['signature A', 'signature e', 'signature v', 'signature KeyshareP', 'proof c', 'proof e_response'].map(
    each => row(`2.9 response sigs ${each}`, 'per credential, of valid proofs', '2.9 response sigs'),
  ),
  row('2.10 options request @context', 'required', '2.10 options request'),
  row('2.10 options request pairingMethod', '`none` or `pin`', '2.10 options request'),
  ...['@context', 'pairingMethod', 'pairingCode'].map(each =>
    row(`2.10 options response ${each}`, 'the options as they are now', '2.10 options response'),
  ),
  row('2.10 frontend status status', 'always', '2.10 frontend status'),
  row('2.10 frontend status nextSession', 'when `DONE`', '2.10 frontend status'),
  row('2.11 remote error', 'see part 7', '7 status', '7 error'),
]

const STATES = [
  row('3 creation', '`INITIALIZED`'),
  row('3 the app connects', '`INITIALIZED` to `CONNECTED`'),
  row('3 the app connects with pairing', '`INITIALIZED` to `PAIRING`'),
  row('3 pairingcompleted', '`PAIRING` to `CONNECTED`'),
  row('3 submission', '`CONNECTED` to `DONE`'),
  row('3 time passes', 'open to `TIMEOUT`'),
  row('3 DELETE by app, requestor or frontend', 'open to `CANCELLED`'),
  row('3 an error of an app endpoint', 'open to `CANCELLED`'),
  row('3 final', 'no transition leaves a final status', '3 final', {
    file: 'paths/tables/session.test.ts',
    title: /^the edges are those of the table/,
  }),
  row('3 after a final status', 'kept for 5 minutes'),
]

const ENDPOINTS = [
  row('4.1 POST /session', 'starts a session', '4.1 POST /session', '5.1 text/plain', '5.1 token'),
  row('4.1 DELETE /session/{requestorToken}', '`CANCELLED`'),
  row('4.1 GET status', 'JSON string'),
  row('4.1 GET statusevents', 'stream of statuses'),
  row('4.1 GET result', 'session result'),
  row('4.1 GET result-jwt', 'signed result', '4.1 GET result-jwt', '4.1 without a JWT private key'),
  row('4.1 GET getproof', 'older structure', '4.1 GET getproof', '4.1 without a JWT private key'),
  row('4.1 GET /publickey', 'PEM', '4.1 GET /publickey', '4.1 without a JWT private key'),
  row('4.2 DELETE', '200 with no body'),
  row('4.2 GET status', 'as of the requestor'),
  row('4.2 GET statusevents', 'as of the requestor'),
  row('4.3 GET session', 'in `INITIALIZED`; version headers'),
  row('4.3 GET request', 'in `CONNECTED`'),
  row('4.3 POST proofs', 'disclosure or signed message'),
  row('4.3 POST commitments', 'issuance commitment message'),
  row('4.3 submission', 'verified against the nonce, then `DONE`'),
  row('4.3 SESSION_UNKNOWN', 'outside `CONNECTED`, HTTP 400'),
  row('4.4 Authorization', 'on every frontend endpoint'),
  row('4.4 GET status', 'in any status'),
  row('4.4 GET statusevents', 'stream of frontend statuses'),
  row('4.4 POST options', 'in `INITIALIZED`'),
  row('4.4 POST pairingcompleted', 'in `PAIRING`'),
]

const AUTHENTICATION = [
  row('5.1 no_auth', 'whether requestors are authenticated'),
  row(
    '5.1 requestors',
    'name to `auth_method` and further fields',
    { file: 'server/keys.test.ts', title: /^auth_method is one of three/ },
    { file: 'server/server-settings.test.ts', title: /^requestors keep the case of their name/ },
  ),
  row('5.1 token', '`Authorization`, unchanged'),
  row('5.1 issue_perms', 'patterns of credential types'),
  row('5.1 permissions to verify', 'global or per requestor'),
  row('5.1 permissions to use hosts', 'without any: that of `url`'),
  row('5.1 text/plain', 'of signed requests'),
  row('5.1 signed requests only', 'can be configured'),
  row('5.1 RS256, HMAC-SHA256', 'and nothing else'),
  row('5.1 iat', 'age of a signed request'),
  row('5.1 iss', 'name of the requestor'),
  row('5.1 sub disclosure', '`verification_request`, `sprequest`'),
  row('5.1 sub signature', '`signature_request`, `absrequest`'),
  row('5.1 sub issuance', '`issue_request`, `iprequest`'),
  ...['disclosure', 'signature', 'issuance'].map(each =>
    row(`5.2 result-jwt ${each}`, '`iss`, `iat`, `sub` and the result'),
  ),
  row('5.2 exp', 'follows `validity`'),
  row('5.2 getproof', 'older structure'),
  row('5.2 publickey', 'verifies both'),
  row('5.3 rule 1', 'the client token is enough; no plain HTTP outside developer mode', '5.3 rule 1', {
    file: CALLS,
    title: /^plain HTTP is refused without developer mode/,
  }),
  row('5.3 rule 2', '`Authorization` of frontends'),
  row('5.3 rule 3', 'device pairing'),
  row('5.3 rule 4', '`devMode`'),
]

const EVENTS_AND_ERRORS = [
  row('6 requestor statusevents', 'JSON string on each change'),
  row('6 app statusevents', 'JSON string on each change'),
  row('6 frontend statusevents', 'frontend status on each change'),
  row('6 PAIRING to CONNECTED', 'the app notices by stream or polling', {
    file: PAIRING,
    title:
      /^(the code is shown once, and CONNECTED on the stream goes on|instead of an error the status is asked for)/,
  }),
  row('6 nextSession', 'posted result, answered by a request'),
  row('6 callbackUrl', 'the result is posted to it'),
  row('7 status', 'HTTP status'),
  row('7 error', 'type'),
  row('7 description', 'English'),
  row('7 message', 'optional'),
  row('7 stacktrace', 'verbose mode only'),
  row('7 unknown or expired session', '400 `SESSION_UNKNOWN`'),
  row('7 any error of an app endpoint', '`CANCELLED` and a remote error'),
  row('7 proofs not valid', '`proofStatus`'),
  row('7 frontend options in the wrong way or too late, pairing completed outside PAIRING', 'an error'),
  row('7 the app aborts', 'DELETE, `CANCELLED`'),
]

const LIMITS = [
  row('8 timeout', '300 seconds'),
  row('8 retention', '5 minutes'),
  row('8 result JWT validity', '120 seconds', '2.6 validity'),
  row('8 credential validity default', '6 months', '2.5 validity'),
  row('8 credential validity granularity', 'a week', '2.5 validity', '8 week'),
  row('8 pairing code', '4 digits'),
  row('8 inner conjunction', 'one type may contribute more than one attribute'),
]

const VERSIONING = [
  row('9.1 headers', 'lowest and highest version, on the first call'),
  row('9.1 protocolVersion', 'the highest that both speak'),
  row('9.1 older forms', 'messages are put into the form of the version'),
  ...['2.4', '2.7', '2.8'].map(version => row(`9.1 version ${version}`, 'what it can say')),
  row('9.2 frontend protocol', '1.1'),
  row('9.3 @context', 'versions of message types'),
  row('9.4 legacy requests', 'the form before conjunctions'),
  row('9.4 legacy results', 'known from the request (2.8); Q5'),
  row('9.6 versions', '2.4 to 2.8'),
]

export const ROWS: readonly Row[] = [
  ...[...IDENTIFIERS, ...SESSION_PACKAGE, ...SESSION_REQUESTS, ...RESULTS, ...APP_MESSAGES],
  ...[...STATES, ...ENDPOINTS, ...AUTHENTICATION, ...EVENTS_AND_ERRORS, ...LIMITS, ...VERSIONING],
  ...[...ROWS_OF_KEYSHARE, ...ROWS_OF_KEYSHARE_PROPERTIES],
  ...ROWS_OF_DECISIONS,
]
