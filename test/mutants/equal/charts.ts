/** Mutants of the charts that behave like the program in every test, with the reason. @module */
import { type Equal, NARROWING } from './reasons.ts'

const NO_TIMER = 'nothing fires the timers of a chart but the gate, which goes by the deadline of the row'
const NO_CLAIM = 'no claim stands in that state, so that none can be ended'

export const EQUAL_CHARTS: readonly Equal[] = [
  { names: /^login: isV[12]: without 'version' in event/, reason: NARROWING },
  {
    names: /^login: (?:isRightChallenge|isSignedAsBound|wasLastTry): without event\.type ===/,
    reason: NARROWING,
  },
  { names: /^login: 1 ms later: \(context\.(?:challenge|commitment)EndsAt/, reason: NO_TIMER },
  {
    names: /^login: active\.commitment\.\w+ app\.requestedCommitments \[1\]: without the guard isV2/,
    reason: 'there are two versions, and the line before takes the first one',
  },
  {
    names: /^login: active\.challenge\.pending app\.startedLogin: without the guard isDeviceBound/,
    reason: 'a challenge is pending only where a device key is registered, and nothing takes that key away',
  },
  { names: /^login: (?:isCompared: without |comparing: without !\()'attempt' in event/, reason: NARROWING },
  {
    names:
      /^login: active\.attempts\.open app\.(?:answered|sentPin) \[[01]\]: without the guard not\(isBlocked\)/,
    reason: 'an open account has no block: whatever opens it ends its block',
  },
  { names: /^delivery: 1 ms later: (?:context\.dueAt - timeOf|SENDING_LEASE_MS|LOG_MS)/, reason: NO_TIMER },
  { names: /^session: (?:INITIALIZED|PAIRING|CONNECTED\.awaiting) .*: without endClaim$/, reason: NO_CLAIM },
  {
    names:
      /^session: 1 ms later: (?:context\.(?:timeoutMs|retentionMs)$|context\.deadlineAt - timeOf|LEASE_MS)/,
    reason: NO_TIMER,
  },
]
