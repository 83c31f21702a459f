/** Rows of the rules for revocation servers in spec/cryptography#14, spec/session-server#17 and spec/schemes-and-cli#15. @module */
import { type Row, row } from './table.ts'

const AUTHORITY = 'actors/authority.test.ts'
const COMMAND = 'cli/issuer-revoke.test.ts'
const ENDPOINTS = 'http/revocation.test.ts'
const FOLLOWER = 'http/revocation-follower.test.ts'
const BAD_SERVERS = 'http/revocation-bad-servers.test.ts'
const KILLS = 'faults/kill-revocation.test.ts'
const SETTINGS = 'server/revocation-settings.test.ts'
const STORES = ['stores/memory.test.ts', 'stores/sqlite.test.ts']

const PUBLIC = [
  row('revocation update/{count}', 'accumulators by key counter, with events', {
    file: ENDPOINTS,
    title: /^updates are CBOR/,
  }),
  row('revocation events/{counter}/{min}/{max}', 'intervals of 16', {
    file: ENDPOINTS,
    title: /^events are served in intervals/,
  }),
  row('revocation updateevents', 'new accumulators as they are made', {
    file: ENDPOINTS,
    title: /^new accumulators are sent/,
  }),
  row('revocation issuancerecord/{counter}', 'signed by the issuer, else 403', {
    file: ENDPOINTS,
    title: /^an issuance record is accepted/,
  }),
  row('revocation errors', 'in CBOR; `not supported by this server`', {
    file: ENDPOINTS,
    title: /^errors are CBOR too/,
  }),
]

const REQUESTOR = [
  row('POST /revocation', '`OK`, or 404 `UNKNOWN_REVOCATION_KEY`', {
    file: ENDPOINTS,
    title: /^answers OK in plain text/,
  }),
  row('POST /revocation issued', 'a time in nanoseconds', { file: ENDPOINTS, title: /^issued is a time/ }),
  row('POST /revocation permissions', '`revoke_perms`, key, authority', {
    file: ENDPOINTS,
    title: /^errors for a requestor without permission/,
  }),
  row('POST /revocation form', 'a body that is no revocation request: 400', {
    file: ENDPOINTS,
    title: /^a body that is no revocation request/,
  }),
  row('POST /revocation at once', 'concurrent revocations are all stored', {
    file: ENDPOINTS,
    title: /^two concurrent revocations are both stored/,
  }),
  row('POST /revocation signed', 'claim `revrequest`', { file: COMMAND, title: /^a signed request has/ }),
  row('svc issuer revoke', 'authentication by a token, a secret or a key', {
    file: COMMAND,
    title: /^a requestor authenticates with/,
  }),
]

const ROLES = [
  row('revocation authority', 'an accumulator for each key from the start', {
    file: AUTHORITY,
    title: /^the first start creates an accumulator/,
  }),
  row('revocation witness', 'the issuance record is stored before the witness is sent', {
    file: AUTHORITY,
    title: /^a witness is valid/,
  }),
  row('revocation of credentials', 'a revoked credential stays revoked, and no other is affected', {
    file: AUTHORITY,
    title: /^a revoked credential stays revoked/,
  }),
  row('revocation re-signing', 'every 60 s', { file: AUTHORITY, title: /^accumulators are signed again/ }),
  row('revocation records', 'kept as long as their credentials are valid', {
    file: AUTHORITY,
    title: /^a record is deleted at the latest/,
  }),
  row('revocation kill -9', 'the store has the state before or after the revocation', {
    file: KILLS,
    title: /^leaves the state/,
  }),
  row('revocation follower', 'refreshes at half of the tolerance', {
    file: FOLLOWER,
    title: /^has the updates of the authority/,
  }),
  row('revocation follower rounds', 'checks every 10 s', { file: FOLLOWER, title: /^checks every 10 s/ }),
  row('revocation follower issues', 'nothing is issued unless the authority accepts the record', {
    file: FOLLOWER,
    title: /^issues (with a witness|nothing if)/,
  }),
  row(
    'revocation follower without its authority',
    'serves its last update and reports its age',
    ...[FOLLOWER, BAD_SERVERS].map(file => ({ file, title: /^serves its last update/ })),
  ),
  row('revocation follower trusts the issuer alone', 'forged and older accumulators are refused', {
    file: BAD_SERVERS,
    title: /^an (accumulator that the issuer|older accumulator)/,
  }),
  row('revocation follower sse', 'receives a revocation at once', {
    file: FOLLOWER,
    title: /^gets a revocation at once/,
  }),
]

const REST = [
  row(
    'revocation stores',
    'of two commits on one version, only one succeeds',
    ...STORES.map(file => ({ file, title: /^of two concurrent revocations/ })),
  ),
  row('revocation settings', 'settings that stop the start', {
    file: SETTINGS,
    title: /./,
  }),
]

export const ROWS_OF_REVOCATION_SERVER: readonly Row[] = [...PUBLIC, ...REQUESTOR, ...ROLES, ...REST]
