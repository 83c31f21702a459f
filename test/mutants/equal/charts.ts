/** Mutants of the charts that behave like the program in every test, with the reason. @module */
import type { Equal } from './reasons.ts'

const NO_TIMER = 'no timer of a chart is started: the gate fires its event at the deadline of the row'
const NO_CLAIM = 'a session in that state has no claim to end'

export const EQUAL_CHARTS: readonly Equal[] = [
  { names: /^login: 1 ms later: (?:CHALLENGE_MS|COMMITMENT_MS)$/, reason: NO_TIMER },
  {
    names: /^login: active\.commitment\.\w+ app\.requestedCommitments \[1\]: without the guard isV2/,
    reason: 'there are only two versions, and the transition before this one accepts v1',
  },
  {
    names: /^login: active\.challenge\.pending app\.startedLogin: without the guard isDeviceBound/,
    reason: 'a challenge is pending only for an account with a device key, and no event removes that key',
  },
  { names: /^delivery: 1 ms later: (?:context\.dueAt - timeOf|SENDING_LEASE_MS|LOG_MS)/, reason: NO_TIMER },
  {
    names: /^session: CONNECTED\.(?:checking|askingNext|signing) lease: dropped$/,
    reason:
      'the gate voids the claim of a row that is due without an event of time (`timeEvent` of `actors/kinds/session.ts`), with the same row',
  },
  { names: /^session: (?:INITIALIZED|PAIRING|CONNECTED\.awaiting) .*: without endClaim$/, reason: NO_CLAIM },
  {
    names:
      /^session: 1 ms later: (?:context\.(?:timeoutMs|retentionMs)$|context\.deadlineAt - timeOf|LEASE_MS)/,
    reason: NO_TIMER,
  },
]
