/** What a connecting app is sent of revocation (`spec/cryptography.md` 14.6): for each type of which a proof of non-revocation is asked for, the latest
 *  updates. @module */
import { readAccumulator } from '../crypto/revocation/accumulator.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { SessionRequest } from '../protocol/request.ts'
import { writeUpdate } from '../protocol/revocation-json.ts'
import type { SentUpdate, SentUpdates } from '../protocol/sent-updates.ts'
import type { Revocation } from './revocation/revocation.ts'

/** @throws {RevocationError} if there never was anything to send */
export async function updatesToSend(
  { nonRevocation }: SessionRequest,
  revocation: Pick<Revocation, 'updates' | 'refreshedAtSec'>,
): Promise<SentUpdates> {
  const sent = new Map<CredentialTypeId, ReadonlyMap<number, SentUpdate>>()
  for (const { credential, toleranceSec } of nonRevocation) {
    const byKey = [...(await revocation.updates(credential, toleranceSec))].map(
      ([counter, update]): [number, SentUpdate] => [
        counter,
        {
          index: readAccumulator(update.signed).index,
          refreshedAtSec: revocation.refreshedAtSec(credential, counter),
          update: writeUpdate(update),
        },
      ],
    )
    sent.set(credential, new Map(byKey))
  }
  return sent
}
