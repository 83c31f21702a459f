/** CPU of issuing: the arithmetic of one credential, in parts; and a whole session, compared with its arithmetic and with the bare calls. @module */
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

/** The share of bare calls in the arithmetic of a session is derived from the arithmetic alone: the check, and the signature without its prime. */
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
