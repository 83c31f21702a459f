/** A server without revocation, for tests of other parts. @module */
import type { Revocation } from '../../actors/revocation/revocation.ts'
import { IssuanceFailedError, RevocationError, UnknownRevocationKeyError } from '../../protocol/errors.ts'

export const NO_REVOCATION: Revocation = {
  canIssue: () => false,
  updates: async type => {
    throw new RevocationError(`revocation: expected data of ${type}, got none`)
  },
  refreshedAtSec: () => null,
  toleranceSec: () => 600,
  issue: async ({ type }) => {
    throw new IssuanceFailedError(`revocation: expected data of ${type}, got none`)
  },
  revoke: async () => {
    throw new UnknownRevocationKeyError()
  },
  served: () => null,
  close: async () => {},
}
