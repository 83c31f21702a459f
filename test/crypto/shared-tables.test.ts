import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import { SharedTables } from '../../crypto/bignum/shared-tables.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import type { ThreadInput } from './product-thread.ts'
import { change, disclose } from './proofs.ts'
import { keyOf } from './vectors.ts'

const lib = loadLibcrypto()
const MEBIBYTE = 2 ** 20
const POWERS = {
  inverseZ: 5n,
  S: 2n ** 2000n + 7n,
  R: new Map([[0, 2n ** 590n + 1n]]),
  others: [{ base: 9n, exponent: 99n }],
}
const keys = ['svc-demo.fast-0', 'svc-demo.uni-0'].map(id => keyOf(id).publicKey)
const [key = keyOf('').publicKey, otherKey = keyOf('').publicKey] = keys
const expectedOf = (each: IssuerPublicKey): bigint => bigintArithmetic.keyProduct(each, POWERS)

/** The functions of OpenSSL, with count of the numbers that exist. */
function counting(): { readonly lib: Libcrypto; readonly count: () => number } {
  let count = 0
  return {
    count: () => count,
    lib: {
      ...lib,
      newNumber: () => {
        count++
        return lib.newNumber()
      },
      freeNumber: a => {
        count--
        lib.freeNumber(a)
      },
    },
  }
}

const Tables = suite('tables of keys')

Tables('are built once, and only for the bases that a product needs', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted)
  const start = count()
  arithmetic.keyProduct(key, { R: new Map([[0, 3n]]) })
  const one = count()
  arithmetic.keyProduct(key, { R: new Map([[0, 5n]]) })
  assert.is(count(), one)
  arithmetic.keyProduct(key, { R: new Map([[7, 5n]]) })
  assert.is(count() - one, one - start)
})
Tables('of a key that leaves the bounded cache are freed, and built again when it comes back', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted, { tableBytes: 1 })
  assert.is(arithmetic.keyProduct(key, POWERS), expectedOf(key))
  const withOne = count()
  for (const each of [otherKey, key, otherKey, key]) {
    assert.is(arithmetic.keyProduct(each, POWERS), expectedOf(each))
    assert.is(count(), withOne)
  }
})
Tables('no memory is lost: rss stays where it is while tables of 200 MiB come and go', () => {
  const arithmetic = opensslArithmetic(lib, { tableBytes: 1 })
  const round = (): unknown => keys.map(each => arithmetic.keyProduct(each, POWERS))
  // what the system or the heap of JavaScript keeps for itself grows once, what is lost grows each time
  const beside = (): number => process.memoryUsage().rss - process.memoryUsage().heapTotal
  const grown = Array.from({ length: 4 }, () => {
    const before = beside()
    for (let i = 0; i < 25; i++) round()
    return (beside() - before) / MEBIBYTE
  })
  const least = Math.min(...grown)
  assert.ok(least < 12, `grown by at least ${least.toFixed()} MiB each time`)
})
Tables('no call leaves a number behind, not even one that throws', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted)
  arithmetic.keyProduct(key, POWERS)
  const { p, q } = keyOf('svc-demo.fast-0').privateKey
  const powers = [{ base: 3n, exponent: { p: 5n, q: 7n } }]
  arithmetic.secretProductByFactors(powers, { p, q })
  const before = count()
  arithmetic.keyProduct(key, POWERS)
  arithmetic.power(3n, 4n, key.n)
  arithmetic.secretPower(3n, 4n, key.n)
  arithmetic.secretProductByFactors(powers, { p, q })
  arithmetic.inverse(3n, key.n)
  arithmetic.inverse(p, key.n)
  assert.throws(() => arithmetic.keyProduct(key, { S: 2n ** 4000n }))
  assert.throws(() => arithmetic.power(3n, -1n, key.n), /non-negative/)
  assert.is(count(), before)
})
Tables('what is prepared of secret factors is kept for the pairs used last, and freed for the others', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted)
  const powers = [{ base: 3n, exponent: { p: 2n, q: 2n } }]
  const use = (i: number): void => {
    assert.is(arithmetic.secretProductByFactors(powers, { p: 1001n + 2n * BigInt(i), q: 2n ** 61n - 1n }), 9n)
  }
  const start = count()
  use(0)
  const one = count() - start
  for (let i = 0; i < 200; i++) use(i)
  assert.is(count() - start, 64 * one)
})
Tables.run()

const Sharing = suite('tables shared between threads')

Sharing('whoever adopts a key builds nothing that is there already, and frees nothing', () => {
  const owner = opensslArithmetic(lib)
  const { lib: counted, count } = counting()
  const guest = opensslArithmetic(counted, { tableBytes: 1 })
  owner.keyProduct(key, POWERS)
  const before = count()
  const adopted = guest.adopt(structuredCloneOf(owner.share(key)))
  assert.is(guest.keyProduct(adopted, POWERS), expectedOf(key))
  guest.adopt(owner.share(otherKey))
  assert.is(count(), before)
  assert.is(owner.keyProduct(key, POWERS), expectedOf(key))
})
Sharing('a table that the guest built serves the owner', () => {
  const { lib: counted, count } = counting()
  const owner = opensslArithmetic(counted)
  const guest = opensslArithmetic(lib)
  const start = count()
  guest.keyProduct(guest.adopt(owner.share(key)), POWERS)
  assert.is(owner.keyProduct(key, POWERS), expectedOf(key))
  assert.is(count(), start)
})
Sharing('in the thread that shared a key, adopting it changes nothing', () => {
  const { lib: counted, count } = counting()
  const owner = opensslArithmetic(counted)
  owner.keyProduct(key, POWERS)
  const before = count()
  assert.is(owner.keyProduct(owner.adopt(owner.share(key)), POWERS), expectedOf(key))
  assert.is(count(), before)
})
Sharing('after the owner let a key go, a guest makes its own tables and later adopts the new ones', () => {
  const owner = opensslArithmetic(lib, { tableBytes: 1 })
  const { lib: counted, count } = counting()
  const guest = opensslArithmetic(counted)
  const start = count()
  const adopted = guest.adopt(owner.share(key))
  owner.keyProduct(key, POWERS)
  owner.keyProduct(otherKey, POWERS)
  assert.is(guest.keyProduct(adopted, POWERS), expectedOf(key))
  assert.ok(count() > start)
  owner.keyProduct(key, POWERS)
  guest.adopt(owner.share(key))
  assert.is(count(), start)
  assert.is(guest.keyProduct(adopted, POWERS), expectedOf(key))
})
Sharing('two that build the same table at once: whoever reads meanwhile finds finished numbers only', () => {
  const owner = opensslArithmetic(lib)
  const power = (): bigint => owner.keyProduct(key, { S: 7n })
  const expected = power()
  const shared = owner.share(key)
  const states = new Int32Array(shared.tables ?? new SharedArrayBuffer(0), 8)
  const [stateOfS, missing, ready] = [3, 0, 2]
  const read: bigint[] = []
  const slow: Libcrypto = {
    ...lib,
    multiply(...numbers) {
      if (read.length < 8) {
        Atomics.store(states, stateOfS, ready) // the first builder, who was thought dead
        read.push(power())
      }
      lib.multiply(...numbers)
    },
  }
  Atomics.store(states, stateOfS, missing)
  const guest = opensslArithmetic(slow)
  assert.is(guest.keyProduct(guest.adopt(shared), { S: 7n }), expected)
  assert.equal(new Set(read), new Set([expected]))
})
Sharing('tables are not freed while somebody is inside, and nobody enters after', () => {
  const layouts = [{ first: 0, rows: 1, rowBits: 8, width: 3 }]
  const owner = new SharedTables(layouts, 1n)
  const guest = new SharedTables(layouts, owner.buffer)
  assert.ok(guest.enter())
  assert.is(owner.retire(), undefined)
  assert.not.ok(guest.enter())
  guest.leave()
  assert.ok(owner.retire())
  assert.not.ok(owner.enter())
})
Sharing('the tables of a key that is let go while in use are freed at a later occasion', () => {
  const { lib: counted, count } = counting()
  const owner = opensslArithmetic(counted, { tableBytes: 1 })
  const start = count()
  const { tables = new SharedArrayBuffer(0) } = owner.share(key)
  owner.keyProduct(key, POWERS)
  const users = new Int32Array(tables, 8, 1)
  Atomics.add(users, 0, 1) // another thread is inside
  owner.share(otherKey)
  assert.ok(count() > start)
  Atomics.sub(users, 0, 1)
  owner.share(key)
  assert.is(count(), start)
})
Sharing('BigInt has no tables: the key itself is what is shared', () => {
  const shared = bigintArithmetic.share(key)
  assert.is(bigintArithmetic.adopt(shared), key)
  const openssl = opensslArithmetic(lib)
  assert.is(openssl.keyProduct(openssl.adopt(shared), POWERS), expectedOf(key))
})

/** As a message to another thread arrives: the memory is the same, the objects are others. */
function structuredCloneOf(shared: SharedKey): SharedKey {
  return structuredClone(shared)
}

async function answersOf(input: ThreadInput): Promise<readonly boolean[]> {
  const file = new URL(`./product-thread${import.meta.url.slice(-3)}`, import.meta.url)
  const worker = new Worker(file, { workerData: input })
  const [answers] = await once(worker, 'message')
  await worker.terminate()
  return answers
}
Sharing('worker threads that start on one key at the same time answer as the main thread does', async () => {
  const valid = disclose([['svc-demo.gov-0', 2]])
  const invalid = change(valid, ({ vResponse }) => ({ vResponse: vResponse + 1n }))
  const owner = opensslArithmetic(lib)
  const shared = owner.share(keyOf('svc-demo.gov-0').publicKey)
  const ask = (message: ProofList): Promise<readonly boolean[]> => answersOf({ shared, message, times: 3 })
  const [first, second, third] = await Promise.all([ask(valid), ask(invalid), ask(valid)])
  assert.equal(first, [true, true, true])
  assert.equal(second, [false, false, false])
  assert.equal(third, [true, true, true])
})
Sharing.run()
