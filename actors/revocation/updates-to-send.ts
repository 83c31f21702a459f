/** The revocation updates for a connecting app (spec/cryptography#14.6): the latest updates of each type for which a proof of non-revocation is requested.
 *  @module */
import { type RevocationUpdate, readAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import type { SessionRequest } from '../../protocol/request.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import type { SentUpdate, SentUpdates } from '../../protocol/sent-updates.ts'
import type { Revocation } from './revocation.ts'

/** @throws {RevocationError} if no accumulator was ever known */
export async function updatesToSend(
  { nonRevocation }: SessionRequest,
  revocation: Pick<Revocation, 'updates' | 'refreshedAtSec'>,
): Promise<SentUpdates> {
  const sent = nonRevocation.map(async ({ credential, toleranceSec }) => {
    const updates = await revocation.updates(credential, toleranceSec)
    const byKey = [...updates].map(([counter, update]) => [counter, sentUpdate(credential, update)] as const)
    return [credential, new Map(byKey)] as const
  })
  return new Map(await Promise.all(sent))

  function sentUpdate(credential: CredentialTypeId, update: RevocationUpdate): SentUpdate {
    return {
      index: readAccumulator(update.signed).index,
      refreshedAtSec: revocation.refreshedAtSec(credential, update.signed.keyCounter),
      update: writeUpdate(update),
    }
  }
}
