/** CPU of a whole disclosure session (2048 bits; secret key, metadata and 4 attributes, of which 1 is disclosed), beside the check of its proof alone:
 *  see `bench/sessions/measure.ts`. @module */

import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import { createSystemClock } from '../ports/clock.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../protocol/ids.ts'
import { loadSchemes } from '../schemes/load.ts'
import { DEMO_SCHEMES } from '../test/project.ts'
import { disclosureBody } from '../test/wallet/disclosure-body.ts'
import { walletWith } from '../testing/sign-credentials.ts'
import { measureSessions, PROFILE, summary } from './sessions/measure.ts'

const TYPE = parseCredentialTypeId('svc-demo.uni.student')
export const ATTRIBUTE = parseAttributeTypeId(`${TYPE}.university`)
export const REQUEST = JSON.stringify({
  request: { '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`, disclose: [[[ATTRIBUTE]]] },
})

/** So many disclosures of one attribute, each with other randomness, in answer to the nonce. */
export async function makeBodies(folder: string, nonce: bigint, count: number): Promise<string[]> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const deps = { schemes, arithmetic: chooseArithmetic('auto'), clock: createSystemClock(), randomBytes }
  const attributes = { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' }
  const wallet = await walletWith(folder, [{ type: TYPE, attributes }], deps)
  const disclose = [[[{ type: ATTRIBUTE, value: null, notNull: false }]]]
  const { items } = wallet.candidates({ disclose, skipExpiryCheck: [], nonRevocation: [] })
  const chosen = items.flatMap(({ candidates }) => candidates.slice(0, 1))
  const bodies = Array.from({ length: count }, () => disclosureBody(wallet, chosen, { context: 1n, nonce }))
  await wallet.close()
  return bodies
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const rounds = await measureSessions({ request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 })
  const { primesMs: _, arithmeticMs: checkMs, ratio, ...measured } = summary(rounds)
  const facts = {
    name: 'sessions',
    node: process.version,
    store: 'sqlite',
    bits: 2048,
    hidden: 4,
    disclosed: 2,
  }
  const result = { ...facts, ...measured, checkMs, ratio }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
