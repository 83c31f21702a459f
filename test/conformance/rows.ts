/** The tests of every row of parts 2 to 9 of the interface specification, and of each field that a row of parts 2 and 7 names.
 *  @module */
import { type RowId, RULES } from '../../libraries/conformance/rows.ts'
import { ROWS_OF_DECISIONS } from './rows-of-decisions.ts'
import { ROWS_OF_KEYSHARE } from './rows-of-keyshare.ts'
import { ROWS_OF_KEYSHARE_PROPERTIES } from './rows-of-keyshare-properties.ts'
import { type Row, row, type TestsOfRow } from './table.ts'

const AUTH = 'http/requestor-auth.test.ts'
const PERMISSIONS = 'sessions/permissions.test.ts'
const PERMISSION_TABLE = 'http/permission-table.test.ts'
const HOSTS: TestsOfRow = {
  file: 'http/create.test.ts',
  title: /^without host permissions only the own host/,
}
const WITHOUT_KEY: TestsOfRow = {
  file: 'http/results.test.ts',
  title: /^without a private key: 501/,
}

/** Tests with wallets of older versions. */
function played(file: 'versions' | 'legacy', title: RegExp): TestsOfRow {
  return { file: `conformance/trials/${file}.test.ts`, title }
}

/** Rows that cannot be seen from outside, or that the kit tries only in part: the tests that hold them. All others are held by the kit, `conformance/kit.test.ts`. */
const TESTS: { readonly [id in RowId]?: readonly TestsOfRow[] } = {
  '2.1 issuer public key id': [
    { file: 'sessions/prepare-credentials.test.ts', title: /^without a private key, its public key/ },
  ],
  '2.1 public keys': [
    '2.1 public keys',
    { file: 'sessions/prepare-credentials.test.ts', title: /^the key that signs is the newest private one/ },
  ],
  '2.3 host': ['2.3 host', HOSTS],
  '2.4 rule 3': [
    { file: 'sessions/match-proofs.test.ts', title: /^attributes of one type .*\(rule 3\)/ },
    { file: 'wallet/candidates.test.ts', title: /^several attributes of one type .*\(rule 3\)/ },
  ],
  '3 final': [
    '3 final',
    { file: 'paths/tables/session.test.ts', title: /^the edges are those of the table/ },
  ],
  '4.1 GET result-jwt': ['4.1 GET result-jwt', WITHOUT_KEY],
  '4.1 GET getproof': ['4.1 GET getproof', WITHOUT_KEY],
  '4.1 GET /publickey': ['4.1 GET /publickey', WITHOUT_KEY],
  '5.1 requestors': [
    { file: 'server/keys.test.ts', title: /^auth_method is one of three/ },
    { file: 'server/server-settings.test.ts', title: /^requestors keep the case of their name/ },
  ],
  '5.1 no_auth': [
    '5.1 no_auth',
    { file: AUTH, title: /^rule 1: with no_auth any Authorization header is ignored/ },
  ],
  '5.1 issue_perms': [
    { file: PERMISSIONS, title: /^issuing is checked first/ },
    { file: PERMISSION_TABLE, title: /^the permissions of a requestor and of the server/ },
  ],
  '5.1 permissions to verify': [
    { file: PERMISSIONS, title: /^attributes in a signature need permission/ },
    { file: PERMISSION_TABLE, title: /^the permissions of a requestor and of the server/ },
  ],
  '5.1 permissions to use hosts': ['5.1 permissions to use hosts', HOSTS],
  '5.1 signed requests only': [
    '5.1 signed requests only',
    { file: AUTH, title: /^rule 3: the mode that accepts only signed requests/ },
  ],
  '5.1 RS256, HMAC-SHA256': [
    '5.1 RS256, HMAC-SHA256',
    { file: AUTH, title: /^a requestor is authenticated only by its own method/ },
  ],
  '5.1 iat': ['5.1 iat', { file: AUTH, title: /^rule 3, iat: a request that is older/ }],
  '5.3 rule 1': [
    '5.3 rule 1',
    { file: 'wallet/calls.test.ts', title: /^plain HTTP is refused without developer mode/ },
  ],
  '5.3 rule 4': ['5.3 rule 4', { file: 'http/connect.test.ts', title: /^devMode is left out in production/ }],
  '7 stacktrace': [
    '7 stacktrace',
    { file: 'http/server.test.ts', title: /^an answer contains a stack trace only if the server is verbose/ },
  ],
  '9.1 older forms': ['9.1 older forms', played('versions', /^9\.1 older forms/)],
  '9.1 version 2.4': ['9.1 version 2.4', played('versions', /^9\.1 version 2\.4/)],
  '9.1 version 2.7': ['9.1 version 2.7', played('versions', /^9\.1 version 2\.7/)],
  '9.1 version 2.8': ['9.1 version 2.8', played('versions', /^9\.1 version 2\.8/)],
  '9.4 legacy requests': ['9.4 legacy requests', played('legacy', /^9\.4 legacy requests/)],
  '9.4 legacy results': ['9.4 legacy results', played('legacy', /^9\.4 legacy results/)],
  '9.6 versions': ['9.6 versions', played('versions', /^9\.6/)],
  '6 PAIRING to CONNECTED': [
    '6 PAIRING to CONNECTED',
    {
      file: 'wallet/pairing.test.ts',
      title: /^(the code is shown once, and after CONNECTED|after an error the wallet asks for the status)/,
    },
  ],
}

const isRow = (id: string): id is RowId => id in RULES
const ROWS_OF_SESSIONS = Object.keys(RULES)
  .filter(isRow)
  .map(id => row(id, RULES[id], ...(TESTS[id] ?? [])))

export const ROWS: readonly Row[] = [
  ...ROWS_OF_SESSIONS,
  ...ROWS_OF_KEYSHARE,
  ...ROWS_OF_KEYSHARE_PROPERTIES,
  ...ROWS_OF_DECISIONS,
]
