/** The effect `sign`: signs the credentials of a valid issuance (spec/cryptography#9.3, #9.4), all of them or none. It first gets a witness for each credential
 *  that can be revoked (14.3). A signature is sent only after the commit that ends the session. @module */
import { randomInteger } from '../../crypto/random.ts'
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { IssuanceFailedError } from '../../protocol/errors.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import type { SdJwtToSign } from '../../protocol/sd-jwt/sd-jwt.ts'
import { issuedCredential } from '../../protocol/server-session-response.ts'
import { hasChains } from '../../protocol/server-versions.ts'
import { parseVersion } from '../../protocol/versions.ts'
import type { SdJwtIssuers } from '../../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../../schemes/types.ts'
import { hasHashedValue, hasTextLikeHash } from '../../sessions/hashed-values.ts'
import { credentialsToSign, witnessesToIssue } from '../../sessions/issue-credentials.ts'
import { sdJwtsOf } from '../../sessions/sd-jwt-batches.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { refusedAs } from '../workers/refusal.ts'
import { TurnBudget } from '../workers/turn-budget.ts'
import type { PerformEffect } from './effects.ts'
import { type OutcomeSettings, workDone } from './outcomes.ts'
import { type Progress, progressOf } from './progress.ts'
import { signSdJwts } from './sign-sd-jwts.ts'

export type SignDeps = {
  /** the schemes at the start of the session */
  readonly schemesAsOf: (version: string | undefined) => Promise<Schemes>
  readonly clock: Pick<Clock, 'wallNow'>
  readonly pool: Pick<ProofPool, 'sign'>
  readonly random: Pick<Randomness, 'bytes'>
  readonly revocation: Pick<Revocation, 'issue'>
  readonly settings: OutcomeSettings & { readonly sdJwtIssuers: SdJwtIssuers | null }
  /** called once for each issued credential type with such a value (spec/decisions#d25) */
  readonly noteHashedValue: (type: CredentialTypeId, why: HashNote) => void
}

/** `isHashed`: the value is too long, and only its hash is signed. `looksHashed`: the value is signed, but it counts as a hash when it is disclosed. */
export type HashNote = 'isHashed' | 'looksHashed'

export function sign(deps: SignDeps): PerformEffect {
  const noteHashedValue = oncePerType(deps.noteHashedValue)
  const turns = new TurnBudget()
  return async (row, signal) => {
    const progress = progressOf(row)
    const batches = sdJwtsToSign(row, progress, deps)
    const sigs = await sigsOf(row, progress, { ...deps, noteHashedValue }, signal)
    const sdjwts = await signSdJwts(batches, { ...deps, turns }, signal)
    const issued = { sigs, ...(sdjwts.length > 0 && { sdjwts }) }
    return workDone(row, { type: 'server.signed' }, progress, deps.settings, issued)
  }
}

/** The SD-JWTs that belong to the answer. They are determined before the first signature, so that a wrong number of keys leaves no revocation record.
 *  @throws {IssuanceFailedError} */
function sdJwtsToSign(
  row: SessionRow,
  { commitments }: Progress,
  { settings, clock }: Pick<SignDeps, 'settings' | 'clock'>,
): readonly SdJwtToSign[] {
  const { request } = row.request.value
  const hasField = hasChains(parseVersion(protocolVersionOf(row.snapshot)))
  if (request.type !== 'issuing' || commitments === null || !hasField) return []
  const nowSec = Math.floor(clock.wallNow() / 1_000)
  return sdJwtsOf({ request, keys: commitments.keys ?? [], issuers: settings.sdJwtIssuers, nowSec })
}

function oncePerType(note: SignDeps['noteHashedValue']): SignDeps['noteHashedValue'] {
  const noted = { isHashed: new Set<CredentialTypeId>(), looksHashed: new Set<CredentialTypeId>() }
  return (type, why) => {
    if (noted[why].has(type)) return
    noted[why].add(type)
    note(type, why)
  }
}

/** Elements of `sigs`, in the order of the credentials.
 *  @throws {IssuanceFailedError} if a credential cannot be signed */
async function sigsOf(
  row: SessionRow,
  { commitments }: Progress,
  { schemesAsOf, clock, pool, random, revocation, noteHashedValue }: SignDeps,
  signal: AbortSignal,
): Promise<object[]> {
  const { request, schemesVersion } = row.request.value
  if (request.type !== 'issuing' || commitments === null)
    throw new TypeError(`expected an issuance with commitments, got ${request.type}`)
  const schemes = await schemesAsOf(schemesVersion)
  const nowSec = Math.floor(clock.wallNow() / 1_000)
  const share = (bits: number): bigint => randomInteger(bits, random.bytes)
  const needed = witnessesToIssue({ request, schemes, nowSec })
  const witnesses = await Promise.all(needed.map(each => each && revocation.issue(each, signal)))
  const { toSign, shares } = credentialsToSign({ request, commitments, witnesses, schemes, nowSec }, share)
  for (const [i, requested] of request.credentials.entries()) {
    const signed = toSign[i]
    if (signed === undefined) continue
    if (hasHashedValue(signed)) noteHashedValue(requested.credential, 'isHashed')
    if (hasTextLikeHash(requested, signed.key)) noteHashedValue(requested.credential, 'looksHashed')
  }
  const issued = await pool
    .sign(toSign, { requestor: row.requestor, signal })
    .catch(refusedAs(IssuanceFailedError))
  return issued.map((each, i) =>
    issuedCredential({ issued: each, shares: shares[i] ?? new Map(), witness: witnesses[i] ?? null }),
  )
}
