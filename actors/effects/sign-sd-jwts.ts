/** Signs the SD-JWTs of an issuance, a few in each turn of the event loop, so that calls of others wait no longer than a turn. @module */
import type { Randomness } from '../../ports/randomness.ts'
import { type SdJwtToSign, signSdJwt } from '../../protocol/sd-jwt/sd-jwt.ts'
import { measured } from '../workers/measured-work.ts'
import type { TurnBudget } from '../workers/turn-budget.ts'

/** The expected time for one signature, which decides if a turn has room for it. The turn is charged with the actual time. */
const USUAL_MS = 0.2

/** @returns the SD-JWTs in the order of `toSign`
 *  @throws the reason of the signal */
export async function signSdJwts(
  toSign: readonly SdJwtToSign[],
  { turns, random }: { readonly turns: Pick<TurnBudget, 'run'>; readonly random: Pick<Randomness, 'bytes'> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const signed: string[] = []
  for (const each of toSign) {
    signal.throwIfAborted()
    const { result } = await turns.run(USUAL_MS, () => measured(() => signSdJwt(each, random.bytes)))
    signed.push(result)
  }
  return signed
}
