/** Rows of the keyshare server: parts 2.12, 4.5, 4.6, 5.4 and 9.5 of the interface specification, and its values in part 8. Where the profiles differ, the tests run in
 *  both.
 *  @module */
import { type Row, row, type TestsOfRow } from './table.ts'

/** A pattern for one title, so that no other test counts for it. */
type Title = readonly [file: string, title: RegExp]

/** @param tests elsewhere, by file and title */
function held(id: string, rule: string, ...tests: readonly Title[]): Row {
  return row(id, rule, ...tests.map(([file, title]): TestsOfRow => ({ file, title })))
}

const REGISTRATION = 'http/keyshare/registration.test.ts'
const LOGIN = 'http/keyshare/login.test.ts'
const CHANGE = 'http/keyshare/change-pin.test.ts'
const PREVIOUS = 'http/keyshare/previous-protocol.test.ts'
const VERIFY_START = 'http/keyshare/verify-start.test.ts'
const COMMITMENTS = 'http/keyshare/commitments.test.ts'
const RESPONSES = 'http/keyshare/responses.test.ts'
const PROOFS_V2 = 'http/keyshare/proofs-v2.test.ts'
const CREDENTIALS = 'http/keyshare/credentials.test.ts'
const ROUTING = 'http/keyshare/routing.test.ts'
const MESSAGES = 'protocol/keyshare/messages.test.ts'
const PROOF_REQUESTS = 'protocol/keyshare/proof-requests.test.ts'
const SERVER_JWTS = 'accounts/server-jwts.test.ts'
const HALF = 'crypto/keyshare/server-half.test.ts'
const MERGE = 'crypto/keyshare/merge.test.ts'
const DEVICE = 'wallet/keyshare/device.test.ts'
const WALLET = 'wallet/keyshare/register.test.ts'
const SESSIONS = 'wallet/keyshare/sessions.test.ts'
const REAL = 'wallet/keyshare/real-servers.test.ts'
const NODE = 'server/keyshare/whole.test.ts'
const CONFIRMATIONS = 'actors/mails/confirmations.test.ts'

const MESSAGE_ROWS = [
  held('2.12 registration JWT', '`email`, `language`, `pin`, `publickey`', [
    MESSAGES,
    /^a registration may have an address and a language/,
  ]),
  held('2.12 registration JWT publickey', 'Base64 of the key that signs', [
    'accounts/app-jwts.test.ts',
    /^the key in the claims must have signed them/,
  ]),
  held(
    '2.12 PIN verification JWT',
    '`id`, `pin`, `challenge`',
    [MESSAGES, /^keys and challenges are bytes, and names are texts/],
    [DEVICE, /^a JWT has the header, the order of claims/],
  ),
  held('2.12 PIN verification response', '`status`, `message`', [LOGIN, /^the answer to a right PIN is/]),
  held('2.12 authentication JWT', '`iss`, `sub`, `exp`, `token_id`, `iat`', [
    SERVER_JWTS,
    /^header and claims are those of the specification, in their order$/,
  ]),
  held('2.12 commitments request', 'list of issuer public key ids', [
    PROOF_REQUESTS,
    /^keys keep their order, and may repeat/,
  ]),
  held('2.12 commitments response', '`c`: `P` and `Pcommit` by key', [
    COMMITMENTS,
    /^P and Pcommit of each key/,
  ]),
  held('2.12 response JWT', '`iss`, `sub`, `ProofP`, `iat`', [
    SERVER_JWTS,
    /^header and claims are those of the specification, in their order, and nothing else/,
  ]),
  held('2.12 change-PIN JWT', '`id`, `oldpin`, `newpin`', [
    MESSAGES,
    /^the claims of every recorded JWT of a successful call are read/,
  ]),
  held('2.12 change-PIN response', '`status`', [
    CHANGE,
    /^success, with an empty message on the plural paths/,
  ]),
  held('2.12 pin', 'Base64 of SHA-256 over salt and PIN, then a newline', [
    DEVICE,
    /^the value of a PIN is the Base64/,
  ]),
]

const ENDPOINTS = [
  held(
    '4.5 POST /client/register',
    'self-signed; a random user name, issued as first attribute',
    [REGISTRATION, /^the answer is the pointer/],
    [REGISTRATION, /^the account can be used at once/],
    [NODE, /^a wallet registers, and its login credential contains its user name/],
  ),
  held('4.5 POST /client/register refused', 'a JWT that its key has not signed', [
    REGISTRATION,
    /: 400, and no account$/,
  ]),
  held('4.5 confirmation link', 'mailed when an address was given; the account works without', [
    CONFIRMATIONS,
    /^the account, its link and the mail are one commit/,
  ]),
  held('4.5 POST /users/verify_start', 'a challenge to be signed', [
    VERIFY_START,
    /^the answer is a challenge/,
  ]),
  held('4.5 POST /user/verify/pin_challengeresponse', 'the authentication JWT', [
    LOGIN,
    /^the answer to a right PIN is an authentication JWT of 900 s; singular paths: succes/,
  ]),
  held(
    '4.5 POST /prove/getCommitments',
    'an authenticated user, and known keys',
    [COMMITMENTS, /^P and Pcommit of each key/],
    [COMMITMENTS, /^no list, no key/],
  ),
  held('4.5 POST /prove/getResponse', 'the challenge; a signed JWT', [RESPONSES, /^s = w_k \+ c\*m_k/]),
  held('4.5 POST /user/change/pin', '`{status: success}`', [CHANGE, /^success, with an empty message/]),
  held('4.5 paths', 'both spellings, with and without `/api/v1` (spec/decisions#k1)', [
    ROUTING,
    /^each endpoint is without a prefix/,
  ]),
  held(
    '4.5 second version',
    '`/api/v2/prove/*`',
    [PROOFS_V2, /^getPs returns P/],
    [PROOFS_V2, /^getCommitments returns only Pcommit/],
  ),
  held('4.5 as recorded', 'every exchange with an existing server', [
    'replay/replay.test.ts',
    /^keyshare(-server)?\/.* is answered as recorded/,
  ]),
]

const PROCEDURE = [
  held(
    '4.6 rule 1',
    'P = R^m_k, Pcommit = R^w_k, w_k fresh and secret',
    [HALF, /^P = R_0\^m_k and Pcommit/],
    [COMMITMENTS, /^w_k has 640 bits/],
    [COMMITMENTS, /^a pending commitment is stored sealed/],
  ),
  held('4.6 rule 2', 's_response = c*m_k + w_k', [HALF, /^R_0\^s_response = Pcommit/]),
  held('4.6 rule 3', 'disclosures and signatures: the sum is sent', [
    SESSIONS,
    /^a disclosure and a signature do not call getPs/,
  ]),
  held(
    '4.6 rule 4',
    'issuance: the JWT is sent, and the issuer adds',
    [MERGE, /^svc-demo\.\w+-0, issuance: the merged proof/],
    [REAL, /^credentials are issued under keys/],
  ),
  held('4.6 rule 5', 'one keyshare server for an issuance', [
    REAL,
    /^an issuance with two keyshare servers is refused/,
  ]),
]

const AUTHENTICATION = [
  held(
    '5.4 rule 1',
    'a key pair of the device, a salt of 32 bytes, self-signed',
    [WALLET, /^the calls are those of existing apps/],
    [WALLET, /^the key and the salt of the device/],
  ),
  held(
    '5.4 rule 2',
    'only for a known user, with the right key and the right PIN',
    [LOGIN, /: 400 with any PIN; no attempt is counted/],
    [LOGIN, /^a PIN without a JWT belongs to another endpoint/],
  ),
  held(
    '5.4 rule 3',
    '`succes` and `success`; the JWT is sent in a header',
    [CREDENTIALS, /^a name with a JWT, Bearer/],
    [MESSAGES, /^the status of a successful login is spelled succes on singular paths/],
  ),
  held('5.4 rule 4', 'the old PIN is checked, the new one set', [
    REAL,
    /^after a change of the PIN, the old one is wrong/,
  ]),
  held(
    '5.4 rule 5',
    'no attempts after too many wrong ones',
    ['actors/accounts/try-pin.test.ts', /^wrong PINs one after the other/],
    ['actors/accounts/try-pin.test.ts', /^32 wrong PINs at once/],
  ),
  held('5.4 rule 6', 'the key of `ProofP` is in the scheme', [
    SERVER_JWTS,
    /^a session server verifies a ProofP JWT with the key of its number/,
  ]),
]

const LIMITS = [
  held('8 keyshare authentication JWT', '15 minutes', [CREDENTIALS, /^a JWT is valid for 900 s/]),
  held('8 salt', '32 random bytes', [WALLET, /^the key and the salt of the device/]),
  held(
    '8 PIN attempts',
    '3, then 60 s doubling, up to 24 h (spec/decisions#k13)',
    ['accounts/pin-attempts.test.ts', /^wrong PINs from a clean state/],
    ['accounts/pin-attempts.test.ts', /^a block lasts at most 24 h/],
  ),
]

const VERSIONS = [
  held(
    '9.5 previous protocol',
    'registration, login and change of PIN without a device key',
    [REGISTRATION, /^without a JWT, as in the previous protocol/],
    [PREVIOUS, /^the answers are those of a login with a challenge/],
    [CHANGE, /^without a JWT, as in the previous protocol/],
  ),
  held(
    '9.5 register_publickey',
    'a device key for such an account, once',
    [PREVIOUS, /^the registration of a key is a login/],
    [PREVIOUS, /^a registered key is never replaced/],
  ),
  held('9.5 device-bound accounts', 'no login without the device', [
    PREVIOUS,
    /^an account with a device key: 403 for the right PIN and for a wrong one/,
  ]),
]

export const ROWS_OF_KEYSHARE: readonly Row[] = [
  ...MESSAGE_ROWS,
  ...ENDPOINTS,
  ...PROCEDURE,
  ...AUTHENTICATION,
  ...LIMITS,
  ...VERSIONS,
]
