/** The facts that all suites of kills share: an issuer with a key of 4096 bits, whose proofs take long to check, one with a key of 1024 bits that issues, and a
 *  wallet with a card of each. @module */
import { join } from 'node:path'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { walletWith } from '../../libraries/testing/sign-credentials.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { readVector } from '../project.ts'
import { type MadeIssuer, makeScheme, temporaryFolder } from '../schemes/make-scheme.ts'

export type KillFacts = {
  /** the folder of the schemes, and one for stores */
  readonly schemes: string
  readonly folder: string
  readonly wallet: Wallet
  end(): Promise<void>
}

export const SLOW_CARD = 'scheme.issuerD.card'
export const CARD = 'scheme.issuerA.card'
export const TICKET = 'scheme.issuerA.ticket'

const ATTRIBUTES = { name: 'Ann', colour: 'blue' }

type Keys = { readonly keys: Record<string, { readonly public: string; readonly private: string }> }

function issuers(): MadeIssuer[] {
  const { keys } = readVector('cryptography-vectors.json') as Keys // in its recorded form
  const keysOf = (issuer: string, counter: number) => {
    const key = keys[`scheme.${issuer}-${counter}`]
    return key ? [{ counter, public: key.public, private: key.private }] : []
  }
  const card = { name: 'card', attributes: ['name', 'colour'] }
  return [
    { name: 'issuerD', keys: keysOf('issuerD', 3), types: [card] },
    {
      name: 'issuerA',
      keys: keysOf('issuerA', 0),
      types: [card, { name: 'ticket', attributes: ['seat', 'row'] }],
    },
  ]
}

export async function killFacts(): Promise<KillFacts> {
  const { path: folder, remove } = await temporaryFolder()
  const schemes = join(folder, 'schemes')
  await makeScheme(schemes, { id: 'scheme', issuers: issuers() })
  const wallet = await walletWith(
    join(folder, 'wallet'),
    [SLOW_CARD, CARD].map(type => ({ type, attributes: ATTRIBUTES })),
    {
      schemes: await loadSchemes(schemes),
      arithmetic: chooseArithmetic('auto'),
      clock: createSystemClock(),
      randomBytes: systemRandomness.bytes,
    },
  )
  return {
    schemes,
    folder,
    wallet,
    async end() {
      await wallet.close()
      await remove()
    },
  }
}
