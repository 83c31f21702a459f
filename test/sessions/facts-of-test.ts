/** The facts of a server without options, with which it accepts a request or checks a submission. A test changes only the facts that it is about, so that a new option
 *  changes no other test. @module */
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import type { AcceptFacts } from '../../sessions/accept-request.ts'
import type { SubmissionToCheck } from '../../sessions/check-submission.ts'
import { NOTHING_KNOWN } from '../../sessions/non-revocation.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { settingsOfTest } from '../server/node-of-test.ts'

type Accepting = AcceptFacts & { readonly schemes: Schemes }

const parts = {
  schemes: await loadSchemes(DEMO_SCHEMES),
  clock: { wallNow: () => 0 },
  revocation: { canIssue: () => false },
  settings: settingsOfTest({ url: 'https://x.example/' }),
}
const ACCEPTING: Accepting = acceptFacts(parts, PROFILES.svc)

/** In 1970, with the demo schemes, without permissions beyond those of a server without options, and unable to issue what can be revoked. */
export function acceptFactsOfTest(changes: Partial<Accepting>): Accepting {
  return { ...ACCEPTING, ...changes }
}

/** A server without data about revocation. */
export const CHECKING: Pick<SubmissionToCheck, 'nonRevocation' | 'longValues' | 'keyshareV1'> = {
  nonRevocation: NOTHING_KNOWN,
  longValues: parts.settings.longValues,
  keyshareV1: parts.settings.keyshareV1,
}
