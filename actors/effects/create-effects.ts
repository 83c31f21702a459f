/** Creates the effects of a running server from its parts. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Outgoing } from '../../ports/outgoing.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Traces } from '../../ports/traces.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { NoteUnknownMembers } from '../../sessions/unknown-members-log.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { type AskNextDeps, type AskNextSettings, askNext } from './ask-next.ts'
import { type CheckDeps, check } from './check.ts'
import type { Effects } from './effects.ts'
import { cancellable } from './outcomes.ts'
import { type SignDeps, sign } from './sign.ts'
import { timestampKeys } from './timestamp-keys.ts'

export type EffectSettings = AskNextSettings & CheckDeps['settings'] & SignDeps['settings']

export type EffectDeps = {
  readonly schemes: Schemes
  readonly lookForSchemes: AskNextDeps['lookForSchemes']
  readonly schemesAsOf: CheckDeps['schemesAsOf']
  readonly clock: Clock
  readonly pool: ProofPool
  readonly outgoing: Pick<Outgoing, 'get' | 'post'>
  readonly random: Randomness
  readonly traces: Traces
  readonly revocation: Revocation
  readonly owedBound: AskNextDeps['owedBound']
  readonly settings: EffectSettings
  readonly noteHashedValue: SignDeps['noteHashedValue']
  readonly noteFirstVersion: CheckDeps['noteFirstVersion']
  readonly noteUnknownMembers: NoteUnknownMembers
}

export function createEffects(deps: EffectDeps): Effects {
  const { settings } = deps
  return {
    check: cancellable(settings, check({ ...deps, isTrustedStamp: timestampKeys(deps) })),
    askNext: cancellable(settings, askNext(deps)),
    sign: cancellable(settings, sign(deps)),
  }
}
