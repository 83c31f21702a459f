/** CPU of a whole disclosure session with a proof of non-revocation (2048 bits; svc-demo.gov.permit, 1 attribute disclosed). It is compared with the check of its
 *  proofs alone. Also the waiting time of submissions from the server's first session on: see `tools/bench/sessions/measure.ts`. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { issueWitness } from '../../crypto/revocation/witness.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { keyOf } from '../../test/crypto/vectors.ts'
import { rounded } from './cpu.ts'
import { disclosuresOf } from './sessions/disclosures.ts'
import { allRounds, PROFILE, settled, summary } from './sessions/measure.ts'

const TYPE = parseCredentialTypeId('svc-demo.gov.permit')
const ATTRIBUTE = parseAttributeTypeId(`${TYPE}.kind`)
const REQUEST = JSON.stringify({
  request: {
    '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`,
    disclose: [[[ATTRIBUTE]]],
    revocation: [TYPE],
  },
})

/** The proofs use an accumulator that the issuer signed before the server created its own. A verifier accepts it while it is no older than the tolerance. */
function makeBodies(folder: string, nonce: bigint, count: number): Promise<string[]> {
  const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')
  const nowSec = Math.floor(Date.now() / 1_000)
  const { signed } = firstUpdate({ key, privateKey, nowSec }, randomBytes)
  const witness = issueWitness(chooseArithmetic('auto'), { key, privateKey, signed }, randomBytes)
  const held = { type: TYPE, attributes: { kind: 'fishing', number: '17' }, witness }
  const nonRevocation = [{ credential: TYPE, toleranceSec: 0 }]
  return disclosuresOf(held, { attributes: [ATTRIBUTE], nonRevocation }, folder, nonce, count)
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const options = { revocation_settings: { [TYPE]: { authority: true } } }
  const rounds = await allRounds({
    request: REQUEST,
    path: 'proofs',
    makeBodies,
    primesPerSession: 0,
    options,
  })
  const { primesMs: _, arithmeticMs: checkMs, ratio, ...measured } = summary(settled(rounds))
  const firstP99ToMedian = rounded(rounds[0]?.waits ?? Number.NaN)
  const facts = { name: 'revocable', node: process.version, store: 'sqlite', bits: 2048 }
  const result = { ...facts, ...measured, firstP99ToMedian, checkMs, ratio }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
