/** What issuing costs in CPU time: the arithmetic of one credential, piece by piece, and a whole session beside its arithmetic and the
 *  bare calls of it. @module */
import { rounded } from './cpu.ts'
import { measureArithmetic } from './issuance/arithmetic.ts'
import { measureIssuance } from './issuance/session.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const { node, openssl } = process.versions
  const arithmetic = measureArithmetic()
  const session = withBare(await measureIssuance(), arithmetic)
  if (json) console.log(JSON.stringify({ name: 'issuance', node, openssl, bits: 2048, arithmetic, session }))
  else {
    console.table(arithmetic)
    console.table(session)
  }
}

/** What of the arithmetic of a session is bare calls is known from the arithmetic alone: the check, and the signature without its prime. */
function withBare(
  session: Awaited<ReturnType<typeof measureIssuance>>,
  { check, sign }: ReturnType<typeof measureArithmetic>,
) {
  const overBare = (check.ms + sign.ms) / (check.bareMs + sign.bareMs)
  return {
    ...session,
    bareMs: rounded(session.arithmeticMs / overBare),
    bareRatio: rounded(session.ratio * overBare),
  }
}
