/** All faults that attacks find. @module */
import type { AttackedFault } from './attacked-fault.ts'
import { FAULTS_OF_KEYSHARES } from './faults-of-keyshares.ts'
import { FAULTS_OF_NEIGHBOURS } from './faults-of-neighbours.ts'
import { FAULTS_OF_PROOFS } from './faults-of-proofs.ts'
import { FAULTS_OF_PROVIDERS } from './faults-of-providers.ts'
import { FAULTS_OF_SESSIONS } from './faults-of-sessions.ts'

export const ATTACKED_FAULTS: readonly AttackedFault[] = [
  ...FAULTS_OF_PROOFS,
  ...FAULTS_OF_SESSIONS,
  ...FAULTS_OF_KEYSHARES,
  ...FAULTS_OF_NEIGHBOURS,
  ...FAULTS_OF_PROVIDERS,
]
