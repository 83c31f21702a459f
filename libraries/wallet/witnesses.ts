/** Updates witnesses (spec/cryptography#14.4) with a given update, and with earlier events if the update does not reach back to the witness. Only data that the issuer
 *  signed are accepted. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import {
  openAccumulator,
  type RevocationEvent,
  type RevocationUpdate,
  readAccumulator,
  verifyUpdate,
} from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { updateWitness, type Witness } from '../../crypto/revocation/witness.ts'
import type { CredentialType } from '../../schemes/types.ts'
import type { Credential } from './credential.ts'
import { SessionError } from './failure.ts'
import type { StoredRevocation } from './stored.ts'

export type LatestUpdate = (type: CredentialType, keyCounter: number) => Promise<RevocationUpdate | null>

/** @param from index of the first event
 *  @param to index of the last event
 *  @returns these events, in order, not verified */
export type MissingEvents = (
  type: CredentialType,
  keyCounter: number,
  from: number,
  to: number,
) => Promise<readonly RevocationEvent[]>

/** By id of the instance. */
export type Revocations = ReadonlyMap<string, StoredRevocation>

export type WitnessUpdates = {
  readonly changed: Revocations
  /** ids of instances that could not be updated */
  readonly outdated: ReadonlySet<string>
}

/** Instances of one type and key. The same update applies to all of them. */
type Group = Pick<Credential, 'type' | 'key'> & { readonly held: Held[] }
type Held = { readonly id: string; readonly witness: Witness }

/** @throws {CancelledError} */
export async function bringUpToDate(
  arithmetic: Arithmetic,
  credentials: readonly Credential[],
  latest: LatestUpdate,
  events: MissingEvents,
): Promise<WitnessUpdates> {
  const changed = new Map<string, StoredRevocation>()
  const outdated = new Set<string>()
  for (const group of groupsOf(credentials)) {
    const { type, key, held } = group
    const update = await orUndefined(() => latest(type, key.counter))
    if (update === null) continue
    const whole = update && ((await orUndefined(() => withMissing(group, update, events))) ?? update)
    for (const { id, witness } of held) {
      const updated = whole && (await orUndefined(async () => updateWitness(arithmetic, witness, whole, key)))
      if (updated === undefined) outdated.add(id)
      else if (updated === 'revoked') changed.set(id, { witness, isRevoked: true })
      else if (updated !== witness) changed.set(id, { witness: updated, isRevoked: false })
    }
  }
  return { changed, outdated }
}

function groupsOf(credentials: readonly Credential[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { id, type, key, revocation } of credentials) {
    if (!revocation || revocation.isRevoked) continue
    const name = `${type.id}-${key.counter}`
    const group = groups.get(name) ?? { type, key, held: [] }
    group.held.push({ id, witness: revocation.witness })
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Adds the events before the update that the oldest witness needs.
 *  @throws {RevocationDataError} {SessionError} {CancelledError} */
async function withMissing(
  { type, key, held }: Group,
  { signed, events }: RevocationUpdate,
  missing: MissingEvents,
): Promise<RevocationUpdate> {
  const { index } = openAccumulator(signed, key)
  const from = 1 + Math.min(...held.map(({ witness }) => readAccumulator(witness.signed).index))
  const to = (events[0]?.index ?? index + 1) - 1
  if (from > to) return { signed, events }
  const whole = { signed, events: [...(await missing(type, key.counter, from, to)), ...events] }
  verifyUpdate(whole, key)
  return whole
}

/** @returns undefined if it failed because of missing or invalid data of a server */
async function orUndefined<Value>(get: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await get()
  } catch (error) {
    if (error instanceof RevocationDataError || error instanceof SessionError) return undefined
    throw error
  }
}
