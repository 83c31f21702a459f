/** The effects of a running server, from what it is made of. @module */
import type { Profile } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { Permissions, Requestor } from '../../sessions/permissions.ts'
import type { Clock } from '../clock.ts'
import type { SessionSettings } from '../new-session.ts'
import type { Outgoing } from '../outgoing.ts'
import type { Randomness } from '../randomness.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { checkSubmission } from './check.ts'
import type { Effects, PerformEffect } from './effects.ts'

export type EffectSettings = SessionSettings & {
  readonly profile: Profile
  /** base address for apps */
  readonly url: string
  readonly noAuth: boolean
  readonly requestors: readonly Requestor[]
  /** of every requestor, besides its own */
  readonly permissions: Permissions
  readonly augmentClientReturnUrl: boolean
  /** from 1 on, answers to errors carry a stack trace */
  readonly verbosity: number
}

export type EffectDeps = {
  readonly schemes: Schemes
  readonly clock: Clock
  readonly pool: ProofPool
  readonly outgoing: Outgoing
  readonly random: Randomness
  readonly settings: EffectSettings
}

export function createEffects({ schemes, clock, pool, settings }: EffectDeps): Effects {
  const isVerbose = settings.verbosity > 0
  return {
    check: checkSubmission({ schemes, clock, verify: pool.verify, isVerbose }),
    askNext: neverNeeded,
    sign: neverNeeded,
  }
}

/** Requests with a next session, or to issue, are refused when they are made. */
const neverNeeded: PerformEffect = async () => {
  throw new Error('expected a disclosure session without a next one, got another')
}
