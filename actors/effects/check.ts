/** The effect `check`: judges the submission of the app (spec/interface#4.3). Every fault in it is an outcome. Only a failure of this server throws, which voids the
 *  claim. @module */
import { fromBase64 } from '../../crypto/bytes.ts'
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import type { Clock } from '../../ports/clock.ts'
import { NOTHING_SENT } from '../../protocol/sent-updates.ts'
import { parseVersion } from '../../protocol/versions.ts'
import type { Schemes } from '../../schemes/types.ts'
import { checkSubmission, type SubmissionToCheck } from '../../sessions/check-submission.ts'
import type { CheckServices } from '../../sessions/checked-submission.ts'
import type { KeyshareV1 } from '../../sessions/first-version.ts'
import type { LongValues } from '../../sessions/hashed-values.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import type { PerformEffect } from './effects.ts'
import { type OutcomeSettings, workDone } from './outcomes.ts'

export type CheckDeps = Pick<CheckServices, 'isTrustedStamp' | 'noteFirstVersion'> & {
  readonly pool: Pick<ProofPool, 'verify' | 'timestampNonce'>
  /** the schemes at the start of the session */
  readonly schemesAsOf: (version: string | undefined) => Promise<Schemes>
  readonly clock: Pick<Clock, 'wallNow'>
  readonly revocation: Pick<Revocation, 'toleranceSec'>
  readonly settings: OutcomeSettings & { readonly longValues: LongValues; readonly keyshareV1: KeyshareV1 }
}

export function check(deps: CheckDeps): PerformEffect {
  const { pool, isTrustedStamp, noteFirstVersion } = deps
  return async (row, signal) => {
    const schemes = await deps.schemesAsOf(row.request.value.schemesVersion)
    const { judgement, commitments } = await checkSubmission(submissionOf(row, schemes, deps), {
      isTrustedStamp,
      noteFirstVersion,
      verify: list => pool.verify(list, { requestor: row.requestor, signal }),
      timestampNonce: stamped => pool.timestampNonce(stamped, { requestor: row.requestor, signal }),
    })
    const event = { type: 'server.checked', isValid: judgement.proofStatus === 'VALID' } as const
    return workDone(row, event, { judgement, commitments, next: null }, deps.settings)
  }
}

function submissionOf(
  row: SessionRow,
  schemes: Schemes,
  { clock, revocation, settings }: CheckDeps,
): SubmissionToCheck {
  return {
    extended: row.request.value,
    body: row.claimedBody ?? '',
    nonce: fromBase64(row.nonce),
    nowSec: Math.floor(clock.wallNow() / 1_000),
    schemes,
    contextBase: profileOf(row, settings).contextBase,
    protocolVersion: parseVersion(protocolVersionOf(row.snapshot)),
    longValues: settings.longValues,
    keyshareV1: settings.keyshareV1,
    nonRevocation: {
      sent: row.sentUpdates?.value ?? NOTHING_SENT,
      toleranceSec: type => revocation.toleranceSec(type),
    },
  }
}
