/** Rows for tests. @module */
import type { SessionRow } from '../../stores/session-store.ts'

/** A new session's row; the name makes its tokens. */
export function makeRow(id: string, changes: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    version: 1,
    chart: 1,
    status: 'INITIALIZED',
    deadlineAt: 1_000,
    snapshot: null,
    claim: null,
    claimedBody: null,
    answered: null,
    clientToken: `client-${id}`,
    requestorToken: `requestor-${id}`,
    frontendToken: `frontend-${id}`,
    requestor: '',
    profile: 'svc',
    request: '{"request":{}}',
    nonce: 'AQ==',
    pairingCode: null,
    clientAuthorization: null,
    result: null,
    ...changes,
  }
}
