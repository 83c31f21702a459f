/** The effect `check`: judges what the app submitted (spec 4.3). Whatever is wrong with it is an outcome; only a failure of ours throws, which voids
 *  the claim. @module */

import { fromBase64 } from '../../crypto/bytes.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { InvalidRequest, RemoteError } from '../../protocol/errors.ts'
import { type DisclosureRequest, restoreRequest } from '../../protocol/request.ts'
import { serverSessionResponse } from '../../protocol/server-session-response.ts'
import { parseVersion } from '../../protocol/versions.ts'
import type { Schemes } from '../../schemes/types.ts'
import { checkDisclosure } from '../../sessions/check-disclosure.ts'
import { type Judgement, storeOutcome } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Clock } from '../clock.ts'
import { cancelledBy, jsonAnswer } from '../stored-answer.ts'
import type { PerformEffect } from './effects.ts'

export type CheckDeps = {
  readonly schemes: Schemes
  readonly clock: Pick<Clock, 'now'>
  /** the proofs of one message; in a worker thread */
  readonly verify: (list: ProofList) => Promise<boolean>
  /** errors carry a stack trace */
  readonly isVerbose: boolean
}

export function checkSubmission(deps: CheckDeps): PerformEffect {
  return async row => {
    try {
      const outcome = await judge(row, deps)
      const version = parseVersion(protocolVersionOf(row.snapshot))
      return {
        event: { type: 'server.checked', isValid: outcome.proofStatus === 'VALID' },
        columns: { result: storeOutcome(outcome) },
        answer: jsonAnswer(serverSessionResponse({ proofStatus: outcome.proofStatus }, version)),
      }
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      return { event: { type: 'server.failed' }, ...cancelledBy(error, deps.isVerbose) }
    }
  }
}

function judge(row: SessionRow, { schemes, clock, verify }: CheckDeps): Promise<Judgement> {
  const input = {
    request: disclosureOf(row),
    message: parseDisclosureMessage(row.claimedBody ?? ''),
    nonce: fromBase64(row.nonce),
    nowSec: Math.floor(clock.now() / 1000),
    schemes,
  }
  return checkDisclosure(input, verify)
}

/** @throws {InvalidRequest} for another type of session */
function disclosureOf(row: SessionRow): DisclosureRequest {
  const { request } = restoreRequest(row.request)
  if (request.type !== 'disclosing')
    throw new InvalidRequest(`proofs: expected a disclosing session, got a ${request.type} one`)
  return request
}
