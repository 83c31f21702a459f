/** What issuing costs in CPU time: the arithmetic of one credential, piece by piece. @module */
import { measureArithmetic } from './issuance/arithmetic.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const { node, openssl } = process.versions
  const arithmetic = measureArithmetic()
  if (json) console.log(JSON.stringify({ name: 'issuance', node, openssl, bits: 2048, arithmetic }))
  else console.table(arithmetic)
}
