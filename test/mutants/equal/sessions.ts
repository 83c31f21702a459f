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
    reason: 'if there is only one scheme, the other part accepts it, too',
  },
  {
    names: /^sessions\/prepare-credentials\.ts prepareCredential: never if \(type === undefined\)/,
    reason: 'an earlier check has refused requests with unknown types, and listed all unknown identifiers',
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
