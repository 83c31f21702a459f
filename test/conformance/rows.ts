/** The tests of every row of parts 2 to 9 of the interface specification, and of each field that a row of parts 2 and 7 names.
 *  @module */
import { type RowId, RULES } from '../../libraries/conformance/rows.ts'
import { ROWS_OF_DECISIONS } from './rows-of-decisions.ts'
import { ROWS_OF_KEYSHARE } from './rows-of-keyshare.ts'
import { ROWS_OF_KEYSHARE_PROPERTIES } from './rows-of-keyshare-properties.ts'
import { type Row, row, type TestsOfRow } from './table.ts'

/** Tests of rows whose tests are not named after the row. */
const TESTS: { readonly [id in RowId]?: readonly TestsOfRow[] } = {
  '2.2 sessionPtr u': ['2.2 sessionPtr'],
  '2.2 sessionPtr svcqr': ['2.2 sessionPtr'],
  '2.2 frontendRequest authorization': ['2.2 frontendRequest'],
  '2.2 frontendRequest minProtocolVersion': ['2.2 frontendRequest'],
  '2.2 frontendRequest maxProtocolVersion': ['2.2 frontendRequest'],
  '2.3 disclosure': ['2.3 disclosing'],
  '2.3 signature': ['2.3 signing'],
  '2.3 issuance': ['2.3 issuing'],
  '2.4 structure': ['2.4 conjunction'],
  '2.4 object type': ['2.4 object'],
  '2.4 object value': ['2.4 object'],
  '2.4 object notNull': ['2.4 object'],
  '2.4 rule 3': [
    '2.4 rule 3',
    { file: 'sessions/match-proofs.test.ts', title: /^attributes of one type .*\(rule 3\)/ },
  ],
  '2.8 attribute status': ['2.8 attribute'],
  '2.8 attribute rawvalue': ['2.8 attribute', '2.8 attribute rawvalue'],
  '2.8 attribute id': ['2.8 attribute'],
  '2.8 attribute value': ['2.8 attribute'],
  '2.9 client options @context': ['2.9 client options'],
  '2.9 client options pairingMethod': ['2.9 client options'],
  '2.9 client options pairingCode': ['2.9 client options'],
  '2.9 delivered request': ['2.9 request'],
  '2.9 proofs c': ['2.9 proofs[] c, A, e_response, v_response'],
  '2.9 proofs A': ['2.9 proofs[] c, A, e_response, v_response'],
  '2.9 proofs e_response': ['2.9 proofs[] c, A, e_response, v_response'],
  '2.9 proofs v_response': ['2.9 proofs[] c, A, e_response, v_response'],
  '2.9 proofs a_responses': ['2.9 proofs[] a_responses'],
  '2.9 proofs a_disclosed': ['2.9 proofs[] a_disclosed'],
  '2.9 signed signature': ['2.9 signed signature, indices'],
  '2.9 signed indices': ['2.9 signed signature, indices'],
  '2.9 signed nonce': ['2.9 signed nonce, context'],
  '2.9 signed context': ['2.9 signed nonce, context'],
  '2.9 signed members left out': [
    { file: 'conformance/left-out-members.test.ts', title: /left out|without its signature/ },
  ],
  '2.9 signed long numbers': [
    { file: 'conformance/left-out-members.test.ts', title: /of more than 256 bits/ },
  ],
  '2.9 signed timestamp Time': ['2.9 signed timestamp'],
  '2.9 signed timestamp ServerUrl': ['2.9 signed timestamp'],
  '2.9 signed timestamp Sig Alg': ['2.9 signed timestamp'],
  '2.9 signed timestamp Sig Data': ['2.9 signed timestamp'],
  '2.9 signed timestamp Sig PublicKey': ['2.9 signed timestamp'],
  '2.9 combinedProofs U': ['2.9 combinedProofs'],
  '2.9 combinedProofs c': ['2.9 combinedProofs'],
  '2.9 combinedProofs v_prime_response': ['2.9 combinedProofs'],
  '2.9 combinedProofs s_response': ['2.9 combinedProofs'],
  '2.9 combinedProofs of combined sessions': ['2.9 combinedProofs'],
  '2.9 response sigs signature A': ['2.9 response sigs'],
  '2.9 response sigs signature e': ['2.9 response sigs'],
  '2.9 response sigs signature v': ['2.9 response sigs'],
  '2.9 response sigs signature KeyshareP': ['2.9 response sigs'],
  '2.9 response sigs proof c': ['2.9 response sigs'],
  '2.9 response sigs proof e_response': ['2.9 response sigs'],
  '2.10 options request @context': ['2.10 options request'],
  '2.10 options request pairingMethod': ['2.10 options request'],
  '2.10 options response @context': ['2.10 options response'],
  '2.10 options response pairingMethod': ['2.10 options response'],
  '2.10 options response pairingCode': ['2.10 options response'],
  '2.10 frontend status status': ['2.10 frontend status'],
  '2.10 frontend status nextSession': ['2.10 frontend status'],
  '2.11 remote error': ['7 status', '7 error'],
  '3 final': [
    '3 final',
    { file: 'paths/tables/session.test.ts', title: /^the edges are those of the table/ },
  ],
  '4.1 POST /session': ['4.1 POST /session', '5.1 text/plain', '5.1 token'],
  '4.1 GET result-jwt': ['4.1 GET result-jwt', '4.1 without a JWT private key'],
  '4.1 GET getproof': ['4.1 GET getproof', '4.1 without a JWT private key'],
  '4.1 GET /publickey': ['4.1 GET /publickey', '4.1 without a JWT private key'],
  '5.1 requestors': [
    { file: 'server/keys.test.ts', title: /^auth_method is one of three/ },
    { file: 'server/server-settings.test.ts', title: /^requestors keep the case of their name/ },
  ],
  '5.3 rule 1': [
    '5.3 rule 1',
    { file: 'wallet/calls.test.ts', title: /^plain HTTP is refused without developer mode/ },
  ],
  '6 PAIRING to CONNECTED': [
    {
      file: 'wallet/pairing.test.ts',
      title:
        /^(the code is shown once, and CONNECTED on the stream goes on|instead of an error the status is asked for)/,
    },
  ],
  '8 result JWT validity': ['2.6 validity'],
  '8 credential validity default': ['2.5 validity'],
  '8 credential validity granularity': ['2.5 validity', '8 week'],
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
