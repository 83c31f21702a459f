/** CPU of a whole disclosure session (2048 bits; secret key, metadata and 4 attributes, 1 disclosed), compared with the check of its proof alone: see
 *  `tools/bench/sessions/measure.ts`. @module */
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { disclosuresOf } from './sessions/disclosures.ts'
import { measureSessions, PROFILE, summary } from './sessions/measure.ts'

export const TYPE = parseCredentialTypeId('svc-demo.uni.student')
export const ATTRIBUTE = parseAttributeTypeId(`${TYPE}.university`)
export const REQUEST = JSON.stringify({
  request: { '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`, disclose: [[[ATTRIBUTE]]] },
})

/** Creates `count` disclosures of one attribute for the nonce, each with other randomness. */
export function makeBodies(folder: string, nonce: bigint, count: number): Promise<string[]> {
  const attributes = { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' }
  const asked = { attributes: [ATTRIBUTE], nonRevocation: [] }
  return disclosuresOf({ type: TYPE, attributes }, asked, folder, nonce, count)
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
