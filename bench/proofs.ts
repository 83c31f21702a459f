/** CPU time of checking one disclosure proof (2048 bits; secret key, metadata and 4 attributes, of which 1 is disclosed), with both
 *  backends, beside the same calls of OpenSSL on their own: what is above them is the cost of everything around. @module */
import { randomBytes } from 'node:crypto'
import { encodeAttribute } from '../crypto/attribute.ts'
import type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../crypto/bignum/bigint.ts'
import { type Address, type Libcrypto, loadLibcrypto } from '../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../crypto/bignum/openssl.ts'
import { encodeMetadata } from '../crypto/metadata.ts'
import { draftProofs, type ProofList, verifyProofs } from '../crypto/proof-list.ts'
import { randomInteger } from '../crypto/random.ts'
import { signAttributes } from '../test/crypto/sign-attributes.ts'
import { keyOf } from '../test/crypto/vectors.ts'
import { cpuMs, median, rounded } from './cpu.ts'

const ROUNDS = 151
const BIGINT_ROUNDS = 15
/** The proofs per round are few, so that whatever else the machine does meets both sides. */
const PROOFS_PER_ROUND = 5
/** The checks until the compiler, whose threads count too, has settled. */
const WARM_UP = 1_500
const SECRET_KEY_BITS = 255

type Call = readonly [result: Address, a: Address, b: Address, mont: Address, ctx: Address]

/** One proof, made as a wallet does. */
function makeMessage(arithmetic: Arithmetic): ProofList {
  const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')
  const secretKey = randomInteger(SECRET_KEY_BITS, randomBytes)
  const metadata = encodeMetadata({
    issuedAtSec: 1_800_000_000,
    expiresAtSec: 1_830_000_000,
    keyCounter: key.counter,
    credentialType: 'svc-demo.gov.idcard',
  })
  const texts = ['Margaretha', 'van den Berg', '1984-11-05', 'yes']
  const attributes = [metadata, ...texts.map(text => encodeAttribute(text))]
  const signature = signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, randomBytes)
  const challenge = { context: 1n, isSignature: false }
  const nonce = randomInteger(128, randomBytes)
  const disclosures = [{ credential: { signature, attributes, key }, disclosed: [attributes.length] }]
  const input = { disclosures, commitments: [], secretKey, ...challenge }
  const [proof] = draftProofs(arithmetic, input, randomBytes).finish(nonce).disclosures
  if (proof === undefined) throw new Error('benchmark: expected one proof')
  const toVerify = { proof, key, group: '.', attributeCount: texts.length, revocationIndex: null }
  return { disclosures: [toVerify], commitments: [], nonce, ...challenge }
}

function verify(arithmetic: Arithmetic, message: ProofList): void {
  if (!verifyProofs(arithmetic, message)) throw new Error('benchmark: expected a valid proof')
}

/** The modular multiplications that one check makes once the tables of its key exist. */
function recordCalls(lib: Libcrypto, message: ProofList): readonly Call[] {
  const calls: Call[] = []
  const multiply = (...call: Call): void => {
    calls.push(call)
    lib.multiply(...call)
  }
  const arithmetic = opensslArithmetic({ ...lib, multiply })
  verify(arithmetic, message)
  calls.length = 0
  verify(arithmetic, message)
  return calls
}

function measure() {
  const lib = loadLibcrypto()
  const openssl = opensslArithmetic(lib)
  const message = makeMessage(openssl)
  const calls = recordCalls(lib, message)
  const { multiply } = lib
  const bare = (): void => {
    for (const [r, a, b, mont, ctx] of calls) multiply(r, a, b, mont, ctx)
  }
  cpuMs(WARM_UP, () => verify(openssl, message))
  cpuMs(WARM_UP, bare)
  // one after the other in each round: whatever else the machine does slows both down
  const rounds = Array.from({ length: ROUNDS }, () => ({
    openssl: cpuMs(PROOFS_PER_ROUND, () => verify(openssl, message)),
    bare: cpuMs(PROOFS_PER_ROUND, bare),
  }))
  const bigint = Array.from({ length: BIGINT_ROUNDS }, () =>
    cpuMs(1, () => verify(bigintArithmetic, message)),
  )
  const squarings = calls.filter(([, a, b]) => a === b).length
  return {
    opensslMs: median(rounds.map(round => round.openssl)),
    bigintMs: median(bigint),
    squarings,
    multiplications: calls.length - squarings,
    calls: calls.length,
    bareMs: median(rounds.map(round => round.bare)),
    ratio: median(rounds.map(round => round.openssl / round.bare)),
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const { ratio, opensslMs, bigintMs, bareMs, ...counts } = measure()
  const result = {
    name: 'proofs',
    node: process.version,
    openssl: process.versions.openssl,
    bits: 2048,
    hidden: 4,
    disclosed: 2,
    opensslMs: rounded(opensslMs),
    bigintMs: rounded(bigintMs),
    ...counts,
    bareMs: rounded(bareMs),
    ratio: rounded(ratio),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
