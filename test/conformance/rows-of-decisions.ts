/** Rows of the rules that `docs/spec/decisions.md` and the other pages of `docs/spec/` add to the interface specification, one list for each part. @module */
import { ROWS_OF_REVOCATION_SERVER } from './rows-of-revocation-server.ts'
import { ROWS_OF_REVOCATION_SESSIONS } from './rows-of-revocation-sessions.ts'
import { ROWS_OF_SD_JWT } from './rows-of-sd-jwt.ts'
import { type Row, row } from './table.ts'

const DELIVERIES = 'actors/deliveries.test.ts'
const POST = 'actors/post-callback.test.ts'
const COMMAND = 'cli/deliveries.test.ts'
const NON_REVOCATION_PROOFS = 'crypto/nonrevocation.test.ts'
const REVOCATION_DATA = 'crypto/revocation-refusals.test.ts'
const KILLS = 'faults/kill-callbacks.test.ts'

const CALLBACKS = [
  row('callbacks address', 'the URL as given (spec/decisions#d22)', {
    file: POST,
    title: /^without a key, the result goes as JSON to the address/,
  }),
  row('callbacks address at creation', 'http or https, else 400 `INVALID_REQUEST`; also `nextSession`', {
    file: 'sessions/accept-request.test.ts',
    title: /^an invalid address is refused/,
  }),
  row('callbacks form', 'a result JWT made anew for each attempt, or JSON', {
    file: POST,
    title: /^with a key, each attempt has a new JWT/,
  }),
  row('callbacks without a JWT key', 'unsigned only where the profile or an option allows it', {
    file: POST,
    title: /^without a key, no result is sent if unsigned/,
  }),
  row('callbacks acceptance', 'every 2xx', { file: POST, title: /^every 2xx is an acceptance/ }),
  row('callbacks redirect', 'not followed', {
    file: 'ports/outgoing.test.ts',
    title: /^a redirect is not followed/,
  }),
  row('callbacks retries', 'waits that double up to the longest, for 24 h', {
    file: DELIVERIES,
    title: /^a failed callback is repeated after waits that double/,
  }),
  row('callbacks Idempotency-Key', 'the same for all repeats of a callback, and for no other', {
    file: KILLS,
    title: /^all repeats of a callback have the same key/,
  }),
  row('callbacks at most 8 at once per host', 'a host that never answers delays no other', {
    file: DELIVERIES,
    title: /^8 callbacks to one host are posted at a time/,
  }),
  row('callbacks at least once', 'also after kill -9 of the server', {
    file: KILLS,
    title: /^of \d+ callbacks/,
  }),
  row('callbacks of ended sessions alone', 'none before the final status', {
    file: KILLS,
    title: /^no callback is sent for a session that did not end/,
  }),
  row('callbacks afterwards', 'a log line without attributes', {
    file: DELIVERIES,
    title: /^a callback is posted as soon/,
  }),
  row('callbacks log', '`svc deliveries list`, `show` and `replay`', {
    file: COMMAND,
    title: /^(list|show|replay)/,
  }),
]

const FILES = 'http/static-files.test.ts'
const LISTENERS = 'http/listeners.test.ts'
const STATIC = 'http/static-sessions.test.ts'
const STATIC_OPTION = 'server/static-sessions.test.ts'
const CHECKS = 'server/checks.test.ts'

const STATIC_SESSIONS = [
  row('static sessions POST', '`POST {prefix}/session/{name}`: a pointer'),
  row('static sessions nextSession', 'a chain may follow'),
  row('static sessions unknown name', '400 `INVALID_REQUEST`'),
  row(
    'static sessions copies',
    'each session has its own request (spec/session-server#q3)',
    'static sessions copies',
    {
      file: STATIC,
      title: /^each session has its own copy/,
    },
  ),
  row('static sessions body', 'ignored', { file: STATIC, title: /^the body is not read/ }),
  row('static sessions permissions', 'the static session itself needs none', {
    file: STATIC,
    title: /^no permission is needed/,
  }),
  row('static sessions failure', '400 `MALFORMED_INPUT`', {
    file: STATIC,
    title: /^a request that does not start/,
  }),
  row('static sessions at the start', 'a static session that can never start is refused', {
    file: STATIC_OPTION,
    title:
      /^(names are|a value that is no extended|only disclosures|the request must have|in profile irma, a callback|an identifier that no scheme)/,
  }),
]

const LISTENING = [
  row(
    'client_port',
    'wallet apps and frontends have a separate listener, requestors keep `port`',
    'client_port',
    {
      file: LISTENERS,
      title: /^client_port/,
    },
  ),
  row('client_tls', 'TLS of the separate listener', { file: LISTENERS, title: /^client_tls/ }),
  row('client_port at the start', 'options that contradict it are refused', {
    file: CHECKS,
    title: /^a separate listener for clients/,
  }),
  row('api_prefix', 'path prefix of every endpoint', 'api_prefix', {
    file: LISTENERS,
    title: /^api_prefix/,
  }),
  row('static files GET, HEAD', 'content type, length, 304', {
    file: FILES,
    title: /^(a file is answered|a file that has not changed|a folder is answered with its index)/,
  }),
  row('static files outside of the folder', '404, with any spelling of the path and through links', {
    file: FILES,
    title: /^(no file outside|a name that begins with a dot|a link to a file)/,
  }),
  row('static files other methods', '405, or 404 where there is no file', {
    file: FILES,
    title: /^files have only GET and HEAD/,
  }),
  row('static files and endpoints', 'endpoints come first', { file: FILES, title: /^endpoints come first/ }),
  row('static files static_prefix', 'files are served only below it', {
    file: FILES,
    title: /^static_prefix/,
  }),
]

const UNBOUND = 'http/unbound-app.test.ts'

const PAIRING = [
  row(
    'pairing and an app without Authorization',
    'the pairing code goes to its first caller alone (spec/decisions#d27)',
    {
      file: UNBOUND,
      title: /^(only the first caller gets the answer|a repeated call that waits)/,
    },
  ),
  row('pairing and its session request', 'sent once to an app without `Authorization` (spec/decisions#d27)', {
    file: UNBOUND,
    title: /^the session request is sent once/,
  }),
]

const OPEN_STREAMS = 'http/open-streams.test.ts'

const STREAMS = [
  row('streams comment lines', 'a colon and a newline every 15 s in every stream (spec/decisions#d28)', {
    file: OPEN_STREAMS,
    title: /^(every stream gets a comment line|one timer serves all)/,
  }),
  row('streams of one session', 'at most 32, whatever their spelling and listener, else 503', {
    file: OPEN_STREAMS,
    title: /^(at most 32 of one session|a closed stream no longer counts)/,
  }),
  row(
    'streams over nodes',
    'Last-Event-ID resumes an interrupted stream at any node; only calls with it receive ids',
    {
      file: 'http/event-ids.test.ts',
      title: /^(requestor|app|frontend): (a change committed|disconnected after)/,
    },
  ),
  row('streams of revocation updates', 'bounded separately from those of sessions', {
    file: OPEN_STREAMS,
    title: /^the streams of revocation updates/,
  }),
]

const UNREAD = 'http/unread-body.test.ts'

const BODIES = [
  row(
    'bodies over the limit',
    '413, in profile irma 400, before they are read; nothing changes (spec/decisions#d16)',
    {
      file: UNREAD,
      title: /^(a Content-Length above the limit|a body without a Content-Length)/,
    },
  ),
  row('bodies of whoever is refused', 'not read if the headers are already refused', {
    file: UNREAD,
    title: /^a caller whose headers are refused/,
  }),
]

const NON_REVOCATION = [
  row('non-revocation equations', 'recorded proofs are valid, changed ones are refused', {
    file: 'crypto/nonrevocation-vectors.test.ts',
    title: /: (valid|refused)$/,
  }),
  row('non-revocation index', 'the scheme says which attribute a proof is about (MUST 3)', {
    file: NON_REVOCATION_PROOFS,
    title: /^row 3/,
  }),
  row('non-revocation commitments', 'within the group (MUST 6)', {
    file: NON_REVOCATION_PROOFS,
    title: /^row 6/,
  }),
  row('non-revocation catch-up', 'C_u of a prepared commitment need not be reduced modulo n (MUST 6)', {
    file: 'sessions/revocation-catch-up.test.ts',
    title: /its disclosure is VALID/,
  }),
  row('non-revocation sizes', 'bounded before any work (MUST 7)', {
    file: NON_REVOCATION_PROOFS,
    title: /^row 7/,
  }),
  row('non-revocation last event', 'has the index of the accumulator (MUST)', {
    file: REVOCATION_DATA,
    title: /^a last event with another index/,
  }),
  row('non-revocation signatures', 'signatures of accumulators have one form', {
    file: REVOCATION_DATA,
    title: /^trailing bytes, three integers/,
  }),
  row('non-revocation CBOR', 'only one encoding is accepted', {
    file: REVOCATION_DATA,
    title: /is refused$/,
  }),
  row('non-revocation witness', 'follows updates until its own revocation', {
    file: 'crypto/revocation.test.ts',
    title: /the witness is right, can be updated/,
  }),
  row('non-revocation received', 'a wallet checks the witness before it keeps a credential', {
    file: 'wallet/revocable-issuance.test.ts',
    title: /a credential is not stored/,
  }),
  row('non-revocation intervals', 'events are requested in the intervals that caches have', {
    file: 'wallet/revocation-servers.test.ts',
    title: /^intervals begin/,
  }),
  row(
    'non-revocation recordings',
    'a recorded credential proves what recorded requests ask, until it is revoked',
    {
      file: 'wallet/recorded-revocation.test.ts',
      title: /answers the requests until/,
    },
  ),
  row(
    'non-revocation whole',
    'a credential is received, disclosed and revoked; then it cannot be disclosed',
    {
      file: 'wallet/revocation-end-to-end.test.ts',
      title: /it is received, disclosed, revoked/,
    },
  ),
]

const VALUES = [
  row('disclosed values', 'a hash in the place of a value is `INVALID` (spec/decisions#d25)', {
    file: 'sessions/hashed-values.test.ts',
    title: /^(in an? |an even number|a value of more than 192 bits)/,
  }),
  row(
    'disclosed values at issuance',
    'one log line per type if a value is signed as its hash (spec/decisions#d25)',
    {
      file: 'actors/sign.test.ts',
      title: /^types with values that are hashed or look like a hash/,
    },
  ),
]

const SUBMISSIONS = [
  row('submissions number of proofs', 'at most four more than the request can use (spec/decisions#d26)', {
    file: 'sessions/most-proofs.test.ts',
    title: /^(disclosing|signing|issuing): the last allowed proof/,
  }),
]

export const ROWS_OF_DECISIONS: readonly Row[] = [
  ...CALLBACKS,
  ...STATIC_SESSIONS,
  ...LISTENING,
  ...PAIRING,
  ...STREAMS,
  ...BODIES,
  ...NON_REVOCATION,
  ...VALUES,
  ...SUBMISSIONS,
  ...ROWS_OF_REVOCATION_SESSIONS,
  ...ROWS_OF_REVOCATION_SERVER,
  ...ROWS_OF_SD_JWT,
]
