/** Short lists of credentials are signed in the main thread, in several turns of the event loop: only lists with a known short cost and with spare primes. */
import * as assert from 'uvu/assert'
import type { ArithmeticFigures } from '../../actors/metrics/arithmetic-figures.ts'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { ShortLists } from '../../actors/workers/short-lists.ts'
import { type CredentialToSign, findSignaturePrime, verifyCorrectness } from '../../crypto/issuance.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { commit, openssl } from '../crypto/proofs.ts'
import { keyOf } from '../crypto/vectors.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const FAST = 'svc-demo.fast-0'
const { publicKey: key, privateKey } = keyOf(FAST)
const U = commit(FAST, []).list.commitments[0]?.proof.U ?? 0n
const toSign: CredentialToSign = { key, privateKey, U, attributes: [7n, 8n], context: 1n, n2: 77n }
const many = (count: number): CredentialToSign[] => Array.from({ length: count }, () => toSign)
/** The number of secret products in one signature. */
const PRODUCTS = 5
/** The number of measurements after which a cost is known. */
const UNTIL_KNOWN = 15
/** The simulated time of a secret product. Only products advance that time, so other load on the machine does not matter. */
const PRODUCT_MS = 0.02
/** The assumed cost of a signature: two fit into a turn of 5 ms. */
const COST_MS = 2

const Short = suite('short lists of credentials')

Short(
  'the cost of a signature is estimated from others with the same private key and similar attributes',
  () => {
    const lists = new ShortLists({ tablesOf: () => undefined })
    for (let i = 0; i < UNTIL_KNOWN; i++) {
      assert.is(lists.costsOf([toSign]), null, 'too few measurements')
      lists.note(toSign, COST_MS)
    }
    assert.equal(lists.costsOf(many(2)), [COST_MS, COST_MS])
    assert.is(lists.costsOf(many(3)), null, 'their sum counts')
    for (const other of [{ attributes: [7n] }, { privateKey: { ...privateKey } }])
      assert.is(lists.costsOf([{ ...toSign, ...other }]), null)
  },
)

type Seen = {
  /** the number of the turn of the event loop in which this thread calculated each secret product */
  readonly products: number[]
  readonly noted: number[]
}

/** A pool in which lists of at most 3 credentials count as short.
 *  @param primes number of spare primes */
async function withPool(
  primes: number,
  use: (pool: ProofPool, seen: Seen) => Promise<void>,
  { figures, costMs = COST_MS }: { readonly figures?: ArithmeticFigures; readonly costMs?: number } = {},
): Promise<void> {
  const { secretProductByFactors } = openssl
  const seen: Seen = { products: [], noted: [] }
  let turn = 0
  const count = (): void => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const counted: typeof secretProductByFactors = (...input) => {
    seen.products.push(turn)
    return secretProductByFactors(...input)
  }
  const found = Array.from({ length: primes }, () =>
    findSignaturePrime(openssl, key.n, systemRandomness.bytes),
  )
  Object.assign(openssl, { secretProductByFactors: counted })
  const pool = createProofPool({
    arithmetic: 'openssl',
    threads: 1,
    figures,
    shortLists: {
      costsOf: pieces => (pieces.length <= 3 ? pieces.map(() => costMs) : null),
      note: (_, ms) => void seen.noted.push(ms),
    },
    primes: { take: () => found.pop() ?? null, fill: async () => {} },
  })
  try {
    await use(pool, seen)
  } finally {
    Object.assign(openssl, { secretProductByFactors })
    clearImmediate(counting)
    await pool.close()
  }
}

Short('a short list is signed in this thread, with valid signatures and different primes', () =>
  withPool(3, async (pool, { products, noted }) => {
    const issued = await pool.sign(many(3))
    assert.ok(issued.every(each => verifyCorrectness(openssl, { key, ...each, context: 1n, n2: 77n })))
    assert.is(new Set(issued.map(({ signature }) => signature.e)).size, 3)
    assert.equal([products.length, noted.length], [3 * PRODUCTS, 3])
  }),
)

Short('a list that is not short goes to a thread, and so does a signature whose prime must be found', () =>
  withPool(4, async (pool, { products, noted }) => {
    assert.is((await pool.sign(many(4))).length, 4)
    assert.equal([products.length, noted.length], [0, 4])
    assert.is((await pool.sign(many(2))).length, 2)
    assert.equal([products.length, noted.length], [0, 6])
    assert.ok(
      noted.every(ms => ms > 0),
      'their durations are recorded',
    )
  }),
)

Short('a turn of the event loop has room for signatures of 5 ms in all', () =>
  withPool(7, async (pool, { products }) => {
    await Promise.all([many(3), many(3), many(1)].map(list => pool.sign(list)))
    assert.is(products.length, 7 * PRODUCTS)
    const inTurn = [...new Set(products)].map(turn => products.filter(each => each === turn).length)
    assert.ok(Math.max(...inTurn) <= 2 * PRODUCTS)
    assert.ok(inTurn.every(count => count % PRODUCTS === 0))
  }),
)

Short('a signature whose prime must be found occupies a whole thread', async () => {
  const begun: string[] = []
  const begin = (kind: string) => {
    begun.push(kind)
    return () => {}
  }
  await withPool(
    0,
    async pool => {
      const signed = pool.sign(many(3))
      const atOnce = begun.length
      await signed
      assert.is(atOnce, 1, 'a thread does one at a time')
    },
    { figures: { begin, waited() {}, watch() {} } },
  )
})

Short(
  'a signature in this thread counts with its own duration, without earlier ones of the turn',
  async () => {
    let read = (): { readonly estimatedMs: number } => ({ estimatedMs: 0 })
    const figures: ArithmeticFigures = {
      begin: () => () => {},
      waited() {},
      watch(given) {
        read = given
      },
    }
    const together = (pool: ProofPool) => Promise.all(Array.from({ length: 40 }, () => pool.sign(many(1))))
    await withPool(
      120,
      async (pool, { products, noted }) => {
        let estimatedMs = Number.NaN
        Object.assign(performance, { now: () => products.length * PRODUCT_MS })
        try {
          for (let round = 0; round < 2; round++) await together(pool)
          const signed = together(pool)
          estimatedMs = read().estimatedMs
          await signed
        } finally {
          Reflect.deleteProperty(performance, 'now')
        }
        // the guess before the first measurement still has a small weight
        assert.ok(estimatedMs < 2 * 40 * PRODUCTS * PRODUCT_MS, `${estimatedMs} ms for 40`)
        assert.is(noted.length, 120)
        assert.is(new Set(products.slice(0, 40 * PRODUCTS)).size, 1, 'all of a round in one turn')
      },
      { figures, costMs: 0.1 },
    )
  },
)

Short('a commitment that is refused in a thread is refused here too, and others are signed', () =>
  withPool(2, async (pool, { products, noted }) => {
    const refused = rejection(pool.sign([{ ...toSign, U: key.n - U }]))
    assert.is((await pool.sign([toSign])).length, 1)
    assert.match(await refused, /^TaskRefusedError: \w/)
    assert.ok(products.length > PRODUCTS)
    assert.is(noted.length, 1, 'the duration of a refused signature is not recorded')
  }),
)
Short.run()
