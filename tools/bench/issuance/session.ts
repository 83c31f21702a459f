/** CPU of a whole issuance session of one credential (2048 bits; secret key, metadata and 5 attributes, svc-demo.gov.idcard) with prepared primes. It is compared
 *  with its arithmetic alone, the check of the commitment and the signature with its proof: see `tools/bench/sessions/measure.ts`. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { draftProofs } from '../../../crypto/proof-list.ts'
import { randomInteger } from '../../../crypto/random.ts'
import { commitmentMessage } from '../../../protocol/commitment-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import { keyOf } from '../../../test/crypto/vectors.ts'
import { measureSessions, PROFILE, summary } from '../sessions/measure.ts'

const SECRET_KEY_BITS = 255
const N2_BITS = 128
const ATTRIBUTES = {
  initials: 'M.',
  familyname: 'van den Berg',
  over18: 'yes',
  nationality: 'NL',
  docnumber: 'SPECI2014',
}
const REQUEST = JSON.stringify({
  request: {
    '@context': `${PROFILE.contextBase}/ld/request/issuance/v2`,
    credentials: [{ credential: 'svc-demo.gov.idcard', attributes: ATTRIBUTES }],
  },
})

async function makeBodies(_folder: string, nonce: bigint, count: number): Promise<string[]> {
  const { publicKey: key } = keyOf('svc-demo.gov-0')
  const secretKey = randomInteger(SECRET_KEY_BITS, randomBytes)
  const commitments = [{ key, randomBlind: [] }]
  const input = { disclosures: [], commitments, secretKey, context: 1n, isSignature: false }
  return Array.from({ length: count }, () => {
    const created = draftProofs(chooseArithmetic('auto'), input, randomBytes).finish(nonce)
    const proofs = { disclosures: [], commitments: created.commitments.map(({ proof }) => proof) }
    const n2 = randomInteger(N2_BITS, randomBytes)
    return writeJson(commitmentMessage({ ...proofs, n2, indices: [], proofPJwts: new Map() }))
  })
}

/** CPU milliseconds per session. `primesMs`, for its prime, is not included.
 *  @param atOnce number of wallets that submit at once */
export async function measureIssuance(atOnce?: number): Promise<ReturnType<typeof summary>> {
  const one = { request: REQUEST, path: 'commitments', makeBodies, primesPerSession: 1 } as const
  return summary(await measureSessions({ ...one, ...(atOnce !== undefined && { atOnce }) }))
}
