/** Facts about this server for accepting a session request, from a requestor or from the answer to a session of a chain. @module */
import { hostRule } from '../ports/host-rule.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { SdJwtIssuers } from '../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../schemes/types.ts'
import type { AcceptFacts } from './accept-request.ts'
import type { LongValues } from './hashed-values.ts'
import type { Permissions } from './permissions.ts'
import type { ResultSigner } from './result-jwt.ts'

export type AcceptSettings = {
  /** base address for apps */
  readonly url: string
  /** permissions that every requestor has in addition to its own */
  readonly permissions: Permissions
  readonly augmentClientReturnUrl: boolean
  readonly longValues: LongValues
  readonly outgoingHosts: readonly string[]
  /** characters */
  readonly maxClientReturnUrl: number
  /** true: results may leave as plain JSON */
  readonly allowUnsignedCallbacks: boolean
  /** null: results are not signed */
  readonly resultSigner: ResultSigner | null
  /** null: requested SD-JWTs are not issued */
  readonly sdJwtIssuers: SdJwtIssuers | null
}

/** @param profile of the session */
export function acceptFacts(
  {
    schemes,
    clock,
    revocation,
    settings,
  }: {
    readonly schemes: Schemes
    readonly clock: { wallNow(): number }
    readonly revocation: { canIssue(type: CredentialTypeId): boolean }
    readonly settings: AcceptSettings
  },
  profile: Profile,
): AcceptFacts & { readonly schemes: Schemes } {
  return {
    schemes,
    profile,
    augmentAllowed: settings.augmentClientReturnUrl,
    longValues: settings.longValues,
    outgoingHosts: hostRule(settings.outgoingHosts),
    maxClientReturnUrl: settings.maxClientReturnUrl,
    sdJwtIssuers: settings.sdJwtIssuers,
    nowSec: Math.floor(clock.wallNow() / 1_000),
    canIssueRevocable: type => revocation.canIssue(type),
    globals: settings.permissions,
    urlHost: new URL(settings.url).host,
    mayPostResults: settings.resultSigner !== null || settings.allowUnsignedCallbacks,
  }
}
