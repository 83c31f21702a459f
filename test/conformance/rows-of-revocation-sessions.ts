/** Rows of revocation in sessions (spec/cryptography#12.5, #14.3, #14.6; spec/session-server#6.7, #7.1, #9.3). @module */
import { type Row, row, type TestsOfRow } from './table.ts'

const rules = (title: RegExp): TestsOfRow => ({ file: 'sessions/non-revocation.test.ts', title })
const overHttp = (title: RegExp): TestsOfRow => ({ file: 'http/non-revocation.test.ts', title })
const recorded = (title: RegExp): TestsOfRow => ({ file: 'sessions/submissions.test.ts', title })

export const ROWS_OF_REVOCATION_SESSIONS: readonly Row[] = [
  row('revocation of a type', 'a proof of non-revocation is requested; the result has `notrevoked`'),
  row('revocation request', 'only for types that support revocation', {
    file: 'sessions/prepare-request.test.ts',
    title: /^a proof of non-revocation can be requested/,
  }),
  row('revocation updates', 'the latest ones, when the app connects', overHttp(/^14\.6: the latest updates/)),
  row(
    'revocation updates with pairing, and again',
    'as they were when the app connected',
    overHttp(/^(with pairing|the first GET again)/),
  ),
  row('revocation without any data', '500 `REVOCATION`, `CANCELLED` (spec/decisions#d16)', overHttp(/^9\.3/)),
  row(
    'revocation rule 1',
    'no proof where one was asked for: `INVALID`',
    rules(/rule 1/),
    recorded(/rule 1/),
  ),
  row(
    'revocation rule 2',
    'older than the state that was sent: `INVALID`',
    rules(/rule 2/),
    recorded(/rule 2/),
  ),
  row('revocation rule 3', 'the sent state was still the latest at the last refresh', rules(/rule 3/)),
  row(
    'revocation rule 4',
    'older than is tolerated: `notrevokedbefore`',
    rules(/rule 4/),
    'revocation tolerance',
  ),
  row('revocation as recorded', 'proofs and results', recorded(/with the recorded facts about revocation/)),
  row('revocation of two instances', 'each instance has its own status'),
  row('revocation where it is optional', 'a revoked credential is left out'),
  row('revocation issuance', 'a witness of its own for each credential', 'revocation issuance', {
    file: 'actors/sign.test.ts',
    title: /^a credential that can be revoked gets its own witness/,
  }),
  row(
    'revocation issuance at creation',
    'needs a revocation server, a revocation key, and an issuer key with revocation',
    {
      file: 'sessions/prepare-credentials.test.ts',
      title: /^a revocable type needs/,
    },
  ),
  row('revocation issuance without a witness', '`ISSUANCE_FAILED`, nothing signed', {
    file: 'actors/sign.test.ts',
    title: /^without a witness nothing is signed/,
  }),
  row('revocation in an issuance', 'for the credentials that are disclosed first'),
  row('revocation in a signature', 'valid at its timestamp'),
  row('revocation in a chain', 'each session has its own'),
  row('revocation below version 2.6', '`PROTOCOL_VERSION`'),
]
