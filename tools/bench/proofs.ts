/** CPU time of checking one disclosure proof (2048 bits; secret key, metadata and 4 attributes, 1 disclosed), with both backends. It is compared with the same
 *  OpenSSL calls alone; the difference is the cost of this program. If this process has two fast ways to multiply, `words` is the second one. `coldMs` and
 *  `evictedMs` are the total costs of building the tables of a key, which its first checks share. @module */
import { randomBytes } from 'node:crypto'
import { encodeAttribute } from '../../crypto/attribute.ts'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import type { NumberAddress } from '../../crypto/bignum/inner-functions.ts'
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { draftProofs, type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { randomInteger } from '../../crypto/random.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { keyOf } from '../../test/crypto/vectors.ts'
import { cpuMs, median, rounded } from './cpu.ts'

const ROUNDS = 151
const BIGINT_ROUNDS = 15
/** Few proofs per round, so that other load of the machine affects both sides. */
const PROOFS_PER_ROUND = 5
/** Number of warm-up checks for the compiler, whose threads are included. */
const WARM_UP = 1_500
const SECRET_KEY_BITS = 255

/** The number of digits of a number modulo a key of 2048 bits. */
const LARGE_DIGITS = 40
const EVICTIONS = 5

/** Keeps these objects referenced: recorded calls contain addresses in their memory, which would otherwise be freed. */
const recorded: Arithmetic[] = []

type MultiplyWordsArguments = [
  r: NumberAddress,
  a: NumberAddress,
  b: NumberAddress,
  n: NumberAddress,
  n0: NumberAddress,
  words: number,
]
type Digits = [r: NumberAddress, a: NumberAddress, b: NumberAddress, n: NumberAddress, k0: number]

/** One proof as a wallet creates it. */
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

/** Number of products until the tables of a key are complete. Each product builds a few rows. */
const UNTIL_BUILT = 40

/** Records the modular multiplications of one check, after the tables of its key are complete, so that they can be repeated. */
function recordCalls(lib: Libcrypto, message: ProofList) {
  const words: MultiplyWordsArguments[] = []
  const digits: Digits[] = []
  const { multiplyWords } = lib
  const multiplyDigits = new Map(
    [...lib.multiplyDigits].map(([size, multiply]) => [
      size,
      (...call: Digits): void => {
        digits.push(call)
        multiply(...call)
      },
    ]),
  )
  const recorder = {
    ...lib,
    multiplyDigits,
    multiplyWords: (...call: MultiplyWordsArguments): void => {
      words.push(call)
      multiplyWords?.(...call)
    },
  }
  const arithmetic = opensslArithmetic(recorder)
  recorded.push(arithmetic)
  for (let i = 0; i < UNTIL_BUILT; i++) verify(arithmetic, message)
  words.length = 0
  digits.length = 0
  verify(arithmetic, message)
  const inDigits = lib.multiplyDigits.get(LARGE_DIGITS)
  const bare = (): void => {
    for (const [r, a, b, n, k0] of digits) inDigits?.(r, a, b, n, k0)
    for (const [r, a, b, n, n0, length] of words) multiplyWords?.(r, a, b, n, n0, length)
  }
  return { calls: [...words, ...digits], bare }
}

/** Compares the check with its bare multiplications, for one way to multiply. Both run in each round, so that other load of the machine affects both. */
function compareForm(lib: Libcrypto, message: ProofList) {
  const arithmetic = opensslArithmetic(lib)
  const { calls, bare } = recordCalls(lib, message)
  const check = (): void => verify(arithmetic, message)
  const { tables } = arithmetic.share(message.disclosures[0]?.key ?? keyOf('svc-demo.gov-0').publicKey)
  const firstMs = cpuMs(UNTIL_BUILT, check) * UNTIL_BUILT
  cpuMs(WARM_UP, check)
  cpuMs(WARM_UP, bare)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    openssl: cpuMs(PROOFS_PER_ROUND, check),
    bare: cpuMs(PROOFS_PER_ROUND, bare),
  }))
  // each key evicts the tables of the other; this measures the cost of rebuilding them, without the checks themselves
  const crowded = opensslArithmetic(lib, { tableBytes: 1 })
  const others = [keyOf('svc-demo.uni-0').publicKey]
  const evicted = Array.from({ length: EVICTIONS }, () => {
    for (const key of others) crowded.share(key)
    return cpuMs(1, () => {
      for (let i = 0; i < UNTIL_BUILT; i++) verify(crowded, message)
    })
  })
  const opensslMs = median(rounds.map(round => round.openssl))
  const squarings = calls.filter(([, a, b]) => a === b).length
  return {
    opensslMs: rounded(opensslMs),
    squarings,
    multiplications: calls.length - squarings,
    calls: calls.length,
    bareMs: rounded(median(rounds.map(round => round.bare))),
    ratio: rounded(median(rounds.map(round => round.openssl / round.bare))),
    mostTableBytes: tables?.byteLength ?? 0,
    coldMs: rounded(firstMs - UNTIL_BUILT * opensslMs),
    evictedMs: rounded(median(evicted) - UNTIL_BUILT * opensslMs),
  }
}

function measure() {
  const lib = loadLibcrypto()
  const message = makeMessage(opensslArithmetic(lib))
  const best = compareForm(lib, message)
  const words =
    lib.multiplyDigits.size > 0 ? { words: compareForm({ ...lib, multiplyDigits: new Map() }, message) } : {}
  const bigint = Array.from({ length: BIGINT_ROUNDS }, () =>
    cpuMs(1, () => verify(bigintArithmetic, message)),
  )
  const form = lib.multiplyDigits.size > 0 ? 'digits' : 'words'
  return { form, ...best, bigintMs: rounded(median(bigint)), ...words }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const facts = {
    name: 'proofs',
    node: process.version,
    openssl: process.versions.openssl,
    bits: 2048,
    hidden: 4,
    disclosed: 2,
  }
  const result = { ...facts, ...measure() }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
