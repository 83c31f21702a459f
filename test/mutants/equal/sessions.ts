/** Mutants of `sessions/` that behave like the program in every test, with the reason. @module */
import { type Equal, NARROWING, OURS_ALONE } from './reasons.ts'

export const EQUAL_SESSIONS: readonly Equal[] = [
  {
    names: /^sessions\/check-commitments\.ts \w+: without (?:scheme|credential) === undefined/,
    reason: NARROWING,
  },
  {
    names: /^sessions\/check-signature\.ts timestamp: without message\.timestamp === null/,
    reason: NARROWING,
  },
  {
    names: /^sessions\/issue-credentials\.ts \w+: without (?:validityAtSec === null|witness !== null)/,
    reason: NARROWING,
  },
  { names: /^sessions\/known-proofs\.ts knownProofs: without !metadata/, reason: NARROWING },
  {
    names: /^sessions\/prepare-request\.ts checkKeyshareSchemes: off by one all\.size > 1/,
    reason: 'where there is one scheme, that one is enough',
  },
  {
    names: /^sessions\/prepare-credentials\.ts prepareCredential: never if \(type === undefined\)/,
    reason: 'a request with an unknown type has been refused before, with every identifier that is unknown',
  },
  {
    names: /^sessions\/prepare-credentials\.ts checkValidity: never if \(!\(cause instanceof RangeError\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^sessions\/request-jwt\.ts inBody: never if \(!\(cause instanceof InvalidRequestError\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^sessions\/newest-schemes\.ts isOfOtherVersion: without error instanceof Error in/,
    reason: NARROWING,
  },
]
