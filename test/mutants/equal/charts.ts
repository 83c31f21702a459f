/** Mutants of the charts that behave like the program in every test, with the reason. @module */
import type { Equal } from './reasons.ts'

const NO_TIMER = 'nothing fires the timers of a chart but the gate, which goes by the deadline of the row'
const NO_CLAIM = 'no claim stands in that state, so that none can be ended'

export const EQUAL_CHARTS: readonly Equal[] = [
  { names: /^login: 1 ms later: (?:CHALLENGE_MS|COMMITMENT_MS)$/, reason: NO_TIMER },
  {
    names: /^login: active\.commitment\.\w+ app\.requestedCommitments \[1\]: without the guard isV2/,
    reason: 'there are two versions, and the line before takes the first one',
  },
  {
    names: /^login: active\.challenge\.pending app\.startedLogin: without the guard isDeviceBound/,
    reason: 'a challenge is pending only where a device key is registered, and nothing takes that key away',
  },
  { names: /^delivery: 1 ms later: (?:context\.dueAt - timeOf|SENDING_LEASE_MS|LOG_MS)/, reason: NO_TIMER },
  { names: /^session: (?:INITIALIZED|PAIRING|CONNECTED\.awaiting) .*: without endClaim$/, reason: NO_CLAIM },
  {
    names:
      /^session: 1 ms later: (?:context\.(?:timeoutMs|retentionMs)$|context\.deadlineAt - timeOf|LEASE_MS)/,
    reason: NO_TIMER,
  },
]
