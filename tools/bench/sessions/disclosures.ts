/** The submissions of wallets in the measured disclosure sessions, created beforehand. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { type HeldCredential, walletWith } from '../../../libraries/testing/sign-credentials.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import type { AttributeTypeId } from '../../../protocol/ids.ts'
import type { NonRevocationRequest } from '../../../protocol/request-members.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { DEMO_SCHEMES } from '../../../test/project.ts'
import { disclosureBody } from '../../../test/wallet/disclosure-body.ts'

type DisclosureContent = {
  readonly attributes: readonly AttributeTypeId[]
  readonly nonRevocation: readonly NonRevocationRequest[]
}

/** Creates `count` disclosures of attributes of the credential for the nonce, each with other randomness.
 *  @param folder a path that does not exist */
export async function disclosuresOf(
  held: HeldCredential,
  { attributes, nonRevocation }: DisclosureContent,
  folder: string,
  nonce: bigint,
  count: number,
): Promise<string[]> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const deps = { schemes, arithmetic: chooseArithmetic('auto'), clock: createSystemClock(), randomBytes }
  const wallet = await walletWith(folder, [held], deps)
  const disclose = [[attributes.map(type => ({ type, value: null, notNull: false }))]]
  const { items } = wallet.candidates({ disclose, skipExpiryCheck: [], nonRevocation })
  const chosen = items.flatMap(({ candidates }) => candidates.slice(0, 1))
  const answer = { context: 1n, nonce, nonRevocation }
  const bodies = Array.from({ length: count }, () => disclosureBody(wallet, chosen, answer))
  await wallet.close()
  return bodies
}
