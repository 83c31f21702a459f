/** CPU time of the arithmetic of issuing one credential (2048 bits; secret key, metadata and 5 attributes, svc-demo.gov.idcard). It has three parts: checking the
 *  proof of the wallet's commitment, finding the prime e, and signing with its proof. Each is compared with the same OpenSSL calls alone. @module */
import { createHash, randomBytes } from 'node:crypto'
import { encodeAttribute } from '../../../crypto/attribute.ts'
import type { Arithmetic } from '../../../crypto/bignum/arithmetic.ts'
import { loadLibcrypto } from '../../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../../crypto/bignum/openssl.ts'
import {
  type CredentialToSign,
  findSignaturePrime,
  signCommitment,
  verifyCorrectness,
} from '../../../crypto/issuance.ts'
import { encodeMetadata } from '../../../crypto/metadata.ts'
import { draftProofs, type ProofList, verifyProofs } from '../../../crypto/proof-list.ts'
import { type RandomBytes, randomInteger } from '../../../crypto/random.ts'
import { keyOf } from '../../../test/crypto/vectors.ts'
import { type Comparison, measured, rounded } from '../cpu.ts'

const SECRET_KEY_BITS = 255
/** The primes of each round. Finding one takes between one test and hundreds, so each round finds several, the same ones each time. */
const PRIMES = 16

const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')

/** A commitment as a wallet creates it. */
function makeList(arithmetic: Arithmetic): ProofList {
  const secretKey = randomInteger(SECRET_KEY_BITS, randomBytes)
  const facts = { context: 1n, isSignature: false }
  const input = { disclosures: [], commitments: [{ key, randomBlind: [] }], secretKey, ...facts }
  const nonce = randomInteger(128, randomBytes)
  const commitments = draftProofs(arithmetic, input, randomBytes)
    .finish(nonce)
    .commitments.map(({ proof }) => ({ proof, key, group: '.', randomBlind: [] }))
  return { disclosures: [], commitments, nonce, ...facts }
}

function credentialToSign(list: ProofList): CredentialToSign {
  const metadata = encodeMetadata({
    issuedAtSec: 1_800_000_000,
    expiresAtSec: 1_830_000_000,
    keyCounter: key.counter,
    credentialType: 'svc-demo.gov.idcard',
  })
  const texts = ['M.', 'van den Berg', 'yes', 'NL', 'SPECI2014']
  const attributes = [metadata, ...texts.map(text => encodeAttribute(text))]
  const U = list.commitments[0]?.proof.U ?? 0n
  return { key, privateKey, U, attributes, context: 1n, n2: randomInteger(128, randomBytes) }
}

/** Returns the same bytes in every round. */
function seeded(seed: number): RandomBytes {
  let count = 0
  return n => createHash('shake256', { outputLength: n }).update(`${seed} ${count++}`).digest()
}

/** CPU milliseconds for one credential. */
export function measureArithmetic(): Readonly<Record<'check' | 'prime' | 'sign' | 'all', Comparison>> {
  const openssl = opensslArithmetic(loadLibcrypto())
  const list = makeList(openssl)
  const toSign = credentialToSign(list)
  const e = findSignaturePrime(openssl, key.n, randomBytes)
  const { signature, proof } = signCommitment(openssl, toSign, e, randomBytes)
  if (!verifyProofs(openssl, list) || !verifyCorrectness(openssl, { ...toSign, signature, proof }))
    throw new Error('benchmark: expected what is right')
  const check = measured(arithmetic => verifyProofs(arithmetic, list), { rounds: 101 })
  const findPrimes = (arithmetic: Arithmetic): void => {
    for (let i = 0; i < PRIMES; i++) findSignaturePrime(arithmetic, key.n, seeded(i))
  }
  const prime = measured(findPrimes, { rounds: 15, pieces: PRIMES })
  const sign = measured(arithmetic => signCommitment(arithmetic, toSign, e, randomBytes), { rounds: 101 })
  const sum = (part: 'ms' | 'bareMs' | 'calls'): number => rounded(check[part] + prime[part] + sign[part])
  const ratio = rounded(sum('ms') / sum('bareMs'))
  return { check, prime, sign, all: { ms: sum('ms'), bareMs: sum('bareMs'), calls: sum('calls'), ratio } }
}
