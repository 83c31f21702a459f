/** What issuing costs in CPU time: the arithmetic of one credential, piece by piece, and a whole session beside its arithmetic. @module */
import { measureArithmetic } from './issuance/arithmetic.ts'
import { measureIssuance } from './issuance/session.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const { node, openssl } = process.versions
  const arithmetic = measureArithmetic()
  const session = await measureIssuance()
  if (json) console.log(JSON.stringify({ name: 'issuance', node, openssl, bits: 2048, arithmetic, session }))
  else {
    console.table(arithmetic)
    console.table(session)
  }
}
