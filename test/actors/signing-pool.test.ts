/** Worker threads that sign. Every signature has a prime of its own. A refusal is reported differently from a dead thread. @module */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import {
  type CredentialToSign,
  completeSignature,
  findSignaturePrime,
  verifyCorrectness,
} from '../../crypto/issuance.ts'
import { isProbablePrime } from '../../crypto/prime.ts'
import { draftProofs } from '../../crypto/proof-list.ts'
import { verifySignature } from '../../crypto/signature.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { keyOf } from '../crypto/vectors.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { settle } from './node.ts'

const arithmetic = chooseArithmetic('auto')
const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
const secretKey = 123456789n
const attributes = [42n, 7n, 9n]

function makeCommitment() {
  const commitments = [{ key, randomBlind: [] }]
  const input = { disclosures: [], commitments, secretKey, context: 1n, isSignature: false }
  const [commitment] = draftProofs(arithmetic, input, systemRandomness.bytes).finish(99n).commitments
  return commitment ?? (assert.unreachable('one commitment') as never)
}

const { proof, secrets } = makeCommitment()
const toSign: CredentialToSign = { key, privateKey, U: proof.U, attributes, context: 1n, n2: 77n }
const many = (count: number): CredentialToSign[] => Array.from({ length: count }, () => toSign)

async function withPool(
  use: (pool: ProofPool, thread: () => Promise<Worker>) => Promise<void>,
): Promise<void> {
  const started = once(process, 'worker')
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const [thread] = await started
  try {
    await use(pool, async () => thread)
  } finally {
    await pool.close()
  }
}

const Signing = suite('signing in worker threads')

Signing('a thread returns a signature over the commitment, with a proof for the nonce', () =>
  withPool(async pool => {
    const [issued] = await pool.sign([toSign])
    assert.ok(issued)
    assert.ok(verifyCorrectness(arithmetic, { key, ...issued, context: 1n, n2: 77n }))
    assert.not.ok(verifyCorrectness(arithmetic, { key, ...issued, context: 1n, n2: 78n }))
    const signature = completeSignature(issued.signature, secrets)
    assert.ok(verifySignature(arithmetic, key, signature, [secretKey, ...attributes]))
  }),
)

Signing('no two signatures have the same e, with spare primes and with new ones', () =>
  withPool(async pool => {
    const issued = []
    for (let round = 0; round < 4; round++) {
      issued.push(...(await pool.sign(many(12))))
      for (let i = 0; i < 20; i++) await settle() // some primes are found meanwhile
    }
    const primes = issued.map(({ signature }) => signature.e)
    assert.is(new Set(primes).size, 48)
    assert.ok(primes.every(e => isProbablePrime(arithmetic, e, 5)))
  }),
)

Signing(
  'a prime that was taken for a signature is not used again, even if that signature was refused',
  async () => {
    const handed: bigint[] = []
    const take = (n: bigint): bigint => {
      handed.push(findSignaturePrime(arithmetic, n, systemRandomness.bytes))
      return handed.at(-1) ?? 0n
    }
    const pool = createProofPool({ arithmetic: 'auto', threads: 1, primes: { take, fill: async () => {} } })
    assert.match(await rejection(pool.sign([{ ...toSign, U: 0n }])), 'TaskRefusedError')
    const [issued] = await pool.sign([toSign])
    assert.equal([handed.length, issued?.signature.e], [2, handed[1]])
    await pool.close()
  },
)

Signing('after the first signature, as many primes are found as are to be kept', async () => {
  for (const sparePrimes of [0, 2]) {
    const begun: string[] = []
    const begin = (kind: string) => {
      begun.push(kind)
      return () => {}
    }
    const figures = { begin, waited() {}, watch() {} }
    const pool = createProofPool({ arithmetic: 'auto', threads: 1, sparePrimes, figures })
    await pool.sign([toSign])
    const threeKeys = Array.from({ length: 3 }, () => ({ key }))
    for (let i = 0; i < 6; i++) await pool.keyshare.secretPowers(threeKeys, 3n) // searches for primes start between these tasks
    assert.is(begun.filter(kind => kind.startsWith('findPrime')).length, sparePrimes)
    await pool.close()
  }
})

Signing('waiting signatures count as overload', async () => {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1, maxWaitMs: 50 })
  const signed = pool.sign(many(6))
  assert.is(pool.isOverloaded(), true)
  await signed
  assert.is(pool.isOverloaded(), false)
  await pool.close()
})

const REFUSED: Record<string, Partial<CredentialToSign>> = {
  'a private key of another issuer': { privateKey: { ...privateKey, p: privateKey.p + 2n } },
  'a commitment that is no square': { U: key.n - proof.U },
  'a commitment of nothing': { U: 0n },
  'more attributes than the key has bases for': { attributes: Array(key.R.length).fill(1n) },
}
for (const [title, changes] of Object.entries(REFUSED))
  Signing(`${title}: refused permanently; others are signed`, () =>
    withPool(async pool => {
      const refused = rejection(pool.sign([toSign, { ...toSign, ...changes }]))
      assert.is((await pool.sign([toSign])).length, 1)
      assert.match(await refused, /^TaskRefusedError: \w/)
      for (const secret of [privateKey.p, privateKey.q, 42n]) assert.not.match(await refused, String(secret))
    }),
  )

Signing('a thread that dies is no refusal: one signature fails, and later ones are made', () =>
  withPool(async (pool, thread) => {
    const signing = many(40).map(each => pool.sign([each]))
    await signing[0]
    await (await thread()).terminate()
    const outcomes = await Promise.allSettled(signing)
    const lost = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    assert.is(lost.length, 1)
    assert.not.match(lost[0] ?? '', 'TaskRefusedError')
  }),
)

Signing('if a thread dies while it finds a prime, no signature fails', () =>
  withPool(async (pool, thread) => {
    await pool.sign([toSign]) // starts the search for primes
    await (await thread()).terminate()
    assert.is((await pool.sign(many(3))).length, 3)
  }),
)

Signing('closing during a search for primes reports no error', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const pool = createProofPool({ arithmetic: 'bigint', threads: 1 })
  await pool.sign([toSign])
  await pool.close()
  await settle()
  process.off('unhandledRejection', note)
  assert.equal(unhandled, [])
})

Signing.run()
