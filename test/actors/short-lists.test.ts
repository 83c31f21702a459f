/** Short lists of proofs are verified in the main thread: only lists with a known short cost, one proof in each turn of the event loop. */
import * as assert from 'uvu/assert'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { ShortLists } from '../../actors/workers/short-lists.ts'
import { TurnBudget } from '../../actors/workers/turn-budget.ts'
import { loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import { type ProofList, type ProofOfList, proofsOf } from '../../crypto/proof-list.ts'
import { changeFirst, commit, disclose, openssl } from '../crypto/proofs.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const FAST = 'svc-demo.fast-0'
const right = disclose([[FAST, 2]])
const wrong = { ...right, nonce: 1n }
const long = disclose(Array.from({ length: 4 }, () => [FAST, 2] as const))
/** The number of measurements after which a cost is known. */
const UNTIL_KNOWN = 15

const Short = suite('short lists of proofs')

function proofOf(list: ProofList): ProofOfList {
  const [proof] = proofsOf(list)
  if (proof === undefined) throw new TypeError('expected a list with a proof')
  return proof
}

/** @param tablesOf returns the tables of any key, and is called at each look */
function listsWith(tablesOf: () => SharedArrayBuffer | undefined): ShortLists {
  return new ShortLists({ tablesOf })
}

function noteOften(lists: ShortLists, proof: ProofOfList, ms: number): void {
  for (let i = 0; i < UNTIL_KNOWN; i++) lists.note(proof, ms)
}

Short('a list is short if its proofs take less than 5 ms together, by earlier measurements', () => {
  const tables = new SharedArrayBuffer(8)
  const lists = listsWith(() => tables)
  const proof = proofOf(right)
  for (let i = 1; i < UNTIL_KNOWN; i++) {
    lists.note(proof, 2)
    assert.is(lists.costsOf([proof]), null, 'too few measurements')
  }
  lists.note(proof, 2)
  assert.equal(lists.costsOf([proof, proof]), [2, 2])
  assert.is(lists.costsOf([proof, proof, proof]), null, 'their sum counts')
})

Short('a list whose proofs take 5 ms together is not short', () => {
  const tables = new SharedArrayBuffer(8)
  const lists = listsWith(() => tables)
  const proof = proofOf(right)
  noteOften(lists, proof, 2.5)
  assert.equal(lists.costsOf([proof]), [2.5])
  assert.is(lists.costsOf([proof, proof]), null)
})

Short(
  'work of 5 ms together shares a turn of the event loop, and further work waits for another turn',
  async () => {
    const turns = new TurnBudget()
    const entered: number[] = []
    for (const ms of [2.5, 2.5, 1]) void turns.run(ms, () => ({ tookMs: 0, entered: entered.push(ms) }))
    await new Promise(setImmediate)
    assert.equal(entered, [2.5, 2.5])
    await new Promise(setImmediate)
    assert.equal(entered, [2.5, 2.5, 1])
  },
)

Short('work that takes longer than expected leaves less room in its turn', async () => {
  const turns = new TurnBudget()
  const entered: number[] = []
  for (const tookMs of [4.5, 1, 1]) void turns.run(1, () => ({ tookMs, entered: entered.push(tookMs) }))
  await new Promise(setImmediate)
  assert.equal(entered, [4.5])
  await new Promise(setImmediate)
  assert.equal(entered, [4.5, 1, 1])
})

Short('a measurement while the machine did something else does not count', () => {
  const tables = new SharedArrayBuffer(8)
  const lists = listsWith(() => tables)
  const proof = proofOf(right)
  noteOften(lists, proof, 1)
  for (let i = 0; i < UNTIL_KNOWN >> 1; i++) lists.note(proof, 1_000)
  assert.equal(lists.costsOf([proof]), [1])
  lists.note(proof, 1_000)
  assert.is(lists.costsOf([proof]), null, 'most of them took as long')
})

Short('the cost of a proof does not apply to other shapes, and to other tables', () => {
  const [first, second] = [new SharedArrayBuffer(8), new SharedArrayBuffer(8)]
  let tables = first
  const lists = listsWith(() => tables)
  const proof = proofOf(right)
  noteOften(lists, proof, 1)
  assert.equal(lists.costsOf([proof]), [1])
  for (const other of [disclose([[FAST, 2, 3]]), disclose([[FAST]]), commit(FAST, []).list])
    assert.is(lists.costsOf([proofOf(other)]), null)
  tables = second
  assert.is(lists.costsOf([proof]), null, 'the measurements with the first tables do not apply')
  tables = first
  assert.equal(lists.costsOf([proof]), [1])
})

Short('the cost of a proof does not apply to longer exponents, and to other bases', () => {
  const tables = new SharedArrayBuffer(8)
  const lists = listsWith(() => tables)
  const proof = proofOf(right)
  if (proof.kind !== 'disclosure') throw new TypeError('expected a disclosure')
  const withValues = (changes: Partial<typeof proof.proof>): ProofOfList => ({
    ...proof,
    proof: { ...proof.proof, ...changes },
  })
  const [index = 0] = [...proof.proof.aDisclosed.keys()].slice(-1)
  const disclosing = (...values: (readonly [number, bigint])[]): ProofOfList =>
    withValues({ aDisclosed: new Map(values) })
  const [absent, given, longer] = [0n, 2n ** 100n, 2n ** 255n].map(value =>
    disclosing([1, 5n], [index, value]),
  )
  if (!absent || !given || !longer) throw new TypeError('expected three proofs')
  noteOften(lists, given, 1)
  assert.equal(lists.costsOf([given]), [1])
  assert.equal(lists.costsOf([disclosing([1, 5n], [index, 2n ** 200n])]), [1], 'about as long')
  assert.equal(lists.costsOf([disclosing([1, 5n], [index, 2n ** 100n], [9, 0n])]), [1], '0 costs nothing')
  for (const other of [
    absent,
    longer,
    disclosing([1, 5n], [index + 1, 2n ** 100n]),
    ...(['vResponse', 'eResponse'] as const).map(name =>
      withValues({ ...given.proof, [name]: proof.proof[name] << 300n }),
    ),
  ])
    assert.is(lists.costsOf([other]), null)
})

Short('a question about costs builds no tables for a key', () => {
  const arithmetic = opensslArithmetic(loadLibcrypto())
  const lists = new ShortLists(arithmetic)
  const { key } = proofOf(right)
  assert.is(lists.costsOf([proofOf(right)]), null)
  assert.is(arithmetic.tablesOf(key), undefined)
  const { tables } = arithmetic.share(key)
  assert.is(arithmetic.tablesOf({ ...key }), tables)
  assert.is(arithmetic.tablesOf({ ...key, S: key.S + 1n }), undefined, 'a key with other bases has no tables')
})

Short('for one key, only the costs of the latest shapes are kept', () => {
  const tables = new SharedArrayBuffer(8)
  const lists = listsWith(() => tables)
  const { proof, ...rest } = proofOf(right)
  const numbered = (number: number): ProofOfList =>
    Object.assign({}, rest, { proof: { ...proof, aResponses: new Map([[number, 1n]]) } }) as ProofOfList
  for (let i = 0; i <= 200; i++) noteOften(lists, numbered(i), 1)
  assert.equal([lists.costsOf([numbered(0)]), lists.costsOf([numbered(1)])], [null, [1]])
})

Short('without tables no list is short', () => {
  const lists = listsWith(() => undefined)
  noteOften(lists, proofOf(right), 0)
  assert.is(lists.costsOf([proofOf(right)]), null)
})

const MOST_SHORT = 3
/** The assumed cost of a proof: two fit into a turn of 5 ms. */
const COST_MS = 2

/** A pool in which lists of at most 3 proofs count as short.
 *  @param use gets the numbers of the turns in which this thread calculated a product, one for each proof, and the costs that the pool noted */
async function withPool(
  threads: number,
  use: (pool: ProofPool, turnsOfProducts: number[], noted: number[]) => Promise<void>,
): Promise<void> {
  const { keyProduct } = openssl
  let turn = 0
  const count = (): void => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const turnsOfProducts: number[] = []
  const counted: typeof keyProduct = (...input) => {
    turnsOfProducts.push(turn)
    return keyProduct(...input)
  }
  Object.assign(openssl, { keyProduct: counted })
  const noted: number[] = []
  const shortLists = {
    costsOf: (proofs: readonly unknown[]) => (proofs.length <= MOST_SHORT ? proofs.map(() => COST_MS) : null),
    note: (_: unknown, ms: number) => void noted.push(ms),
  }
  const pool = createProofPool({ arithmetic: 'openssl', threads, shortLists })
  try {
    await use(pool, turnsOfProducts, noted)
  } finally {
    Object.assign(openssl, { keyProduct })
    clearImmediate(counting)
    await pool.close()
  }
}

Short('a short list is checked in this thread, with the same verdicts as in other threads', () =>
  withPool(1, async (pool, products) => {
    const broken = changeFirst(right, each => ({ ...each, proof: { ...each.proof, A: 0n } }))
    const lists = [right, wrong, broken, right, commit(FAST, []).list]
    assert.equal(await Promise.all(lists.map(each => pool.verify(each))), [true, false, false, true, true])
    assert.is(products.length, 4, 'one is refused before any arithmetic')
  }),
)

Short('a list that is not short goes to a thread; the durations of proofs in both threads are recorded', () =>
  withPool(1, async (pool, products, noted) => {
    assert.is(await pool.verify(long), true)
    assert.equal([products.length, noted.length], [0, long.disclosures.length])
    assert.is(await pool.verify(right), true)
    assert.equal([products.length, noted.length], [1, long.disclosures.length + 1])
    assert.ok(noted.every(ms => ms > 0))
  }),
)

Short('the durations of proofs in an invalid message are not recorded', () =>
  withPool(1, async (pool, products, noted) => {
    const cheap = changeFirst(right, each => ({ ...each, proof: { ...each.proof, A: 2n } }))
    for (const list of [wrong, cheap]) assert.is(await pool.verify(list), false)
    assert.equal([products.length, noted], [2, []])
  }),
)

Short('a turn of the event loop has room for proofs of 5 ms in all, for any number of threads', async () => {
  for (const threads of [1, 4])
    await withPool(threads, async (pool, products) => {
      const three = { ...right, disclosures: Array.from({ length: 3 }, () => right.disclosures).flat() }
      await Promise.all([right, wrong, three, wrong, right].map(each => pool.verify(each)))
      assert.is(products.length, 7)
      const inTurn = [...new Set(products)].map(turn => products.filter(each => each === turn).length)
      assert.ok(Math.max(...inTurn) <= 2, 'a single proof fills a turn if it took longer than expected')
    })
})

Short('the waiting proofs of an aborted message are not calculated', () =>
  withPool(1, async (pool, products) => {
    const claim = new AbortController()
    const first = Promise.all([right, right, right].map(each => pool.verify(each)))
    const over = rejection(pool.verify(right, claim))
    claim.abort(new Error('the claim is over'))
    assert.is(await over, 'Error: the claim is over')
    assert.equal(await first, [true, true, true])
    assert.is(products.length, 3)
  }),
)

Short.run()
