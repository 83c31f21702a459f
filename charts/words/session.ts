/** The chart of a session in words. @module */
import type { SessionEffect } from '../../machines/session.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import type { ChartWords } from './words.ts'

export const SESSION_WORDS = {
  subject:
    'A session is created by a requestor, answered by a wallet app, and followed by a frontend. The top-level states are the statuses that these three see. The states of `CONNECTED` show what the server is doing, and no caller sees them.',
  states: {
    INITIALIZED: 'The session is created, and no wallet app has connected.',
    PAIRING: 'A wallet app has connected, and waits until the user types its code in the frontend.',
    CONNECTED: 'The wallet app may fetch the request, and answer it.',
    'CONNECTED.awaiting': 'The server waits for the answer of the wallet app.',
    'CONNECTED.checking': 'The proofs of a submission are checked.',
    'CONNECTED.askingNext': 'The requestor is asked for the next session of a chain.',
    'CONNECTED.signing': 'The credentials that were requested are signed.',
    DONE: 'The session has a result. Its proof status says whether the proofs are valid.',
    TIMEOUT: 'Nobody answered in time.',
    CANCELLED: 'Somebody cancelled the session, or an error ended it.',
    forgotten: 'The row of the session is deleted.',
  },
  events: {
    'frontend.chose': 'The frontend has chosen whether the device is to be paired.',
    'app.connected': 'The wallet app has fetched the session for the first time.',
    'app.fetched': 'The wallet app has fetched the request; its answer is stored, and the status stays.',
    'app.fetchedOnce':
      'A wallet app without an Authorization header has fetched the request after pairing. This may happen once.',
    'frontend.paired': 'The user has typed the right code, and the frontend says so.',
    'app.submitted': 'The wallet app has sent its proofs. A claim begins.',
    'app.failed': 'A call of the wallet app ended in an error while it was handled.',
    cancelled: 'The requestor, the wallet app or the frontend has deleted the session.',
    'server.checked': 'The submission is checked.',
    'server.askedNext': 'The next session is prepared, or the requestor has none.',
    'server.signed': 'The credentials are signed.',
    'server.failed': 'An error has ended the work on the submission.',
    'claim.voided':
      'The work on the submission is lost: its process is gone, or its outcome cannot be stored. The wallet app may submit again.',
    'claim.renewed': 'The process that works on the submission has renewed its lease.',
  } satisfies Record<Exclude<SessionEvent['type'], `xstate.after.${string}`>, string>,
  delays: {
    timeout: 'the longest wait for the first call of a wallet app',
    connectedTimeout: 'the longest wait for the pairing, and again for the submission',
    lease: 'the longest time of the work on a submission without a step or a renewal',
    retention: 'the time for which a session is kept after its end',
  },
  guards: {
    wantsPairing: 'the frontend has asked for pairing',
    isNotFetched: 'no wallet app without an Authorization header has fetched the request',
    isCurrentClaim: 'the event names the active claim',
    isCurrentOwing: 'the event names the active claim, and the requestor asked for a callback',
    leadsToNext:
      'the event names the active claim, the proofs are valid, and the request names a next session',
    leadsToSigning:
      'the event names the active claim, the proofs are valid, and the request issues credentials',
    owesCallback: 'the requestor asked for a callback',
  },
  effects: {
    check: 'the proofs of the submission are checked',
    askNext: 'the result so far is posted to the address of the next session',
    sign: 'the credentials are signed',
    oweCallback: 'a delivery of the result is stored in the same commit',
  } satisfies Record<SessionEffect, string>,
  facts: {
    notePairing: 'the pairing method that the frontend has chosen',
    noteVersion: 'the version of the wallet app protocol',
    notePaired: 'the device is paired',
    noteFetched: 'the session request was sent',
    restartDeadline: 'a new deadline',
    startRetention: 'the time at which the row is deleted',
    beginClaim: 'the number of the claim',
    renewLease: 'the end of the lease of the claim',
    endClaim: 'no claim is active',
  },
} as const satisfies ChartWords
