import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import type { Arithmetic, KeyPowers, SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import { between, FORMS } from './forms.ts'
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

/** The functions of OpenSSL, with a count of the allocated numbers. */
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

/** The finished rows, table after table: 1/Z, S, G, H, R_0, R_1, ... */
function rowsDone(arithmetic: Arithmetic, each = key): readonly number[] {
  const { tables = new SharedArrayBuffer(8) } = arithmetic.share(each)
  return [...new Int32Array(tables, 8, 4 + each.R.length)]
}

/** Computes products until all tables that they need are finished. */
function buildAll(arithmetic: Arithmetic, each = key, powers: KeyPowers = POWERS): void {
  const sum = (): number => rowsDone(arithmetic, each).reduce((rows, more) => rows + more, 0)
  for (let before = -1; before < sum(); ) {
    before = sum()
    arithmetic.keyProduct(each, powers)
  }
}

const Tables = suite('tables of keys')

Tables('are built once, a few rows with each product, and only for the bases that a product needs', () => {
  const arithmetic = opensslArithmetic(lib)
  const none = Array.from({ length: 16 }, () => 0)
  assert.equal(rowsDone(arithmetic), none)
  arithmetic.keyProduct(key, POWERS)
  assert.equal(rowsDone(arithmetic), [1, 1, ...none.slice(2)])
  buildAll(arithmetic)
  const all = rowsDone(arithmetic)
  assert.equal(
    all.map(rows => rows > 0),
    none.map((_, i) => [0, 1, 4].includes(i)),
  )
  arithmetic.keyProduct(key, { R: new Map([[7, 5n]]) })
  assert.equal(rowsDone(arithmetic), all.with(11, 1))
})
Tables('every product is right while they are built: with none, with some and with all rows', () => {
  for (const form of FORMS) {
    const arithmetic = opensslArithmetic(form)
    for (let i = 0; i < 20; i++) assert.is(arithmetic.keyProduct(key, POWERS), expectedOf(key))
    assert.ok(rowsDone(arithmetic)[4])
  }
})
Tables('of a key that is evicted from the bounded cache are freed, and built again at its next use', () => {
  const arithmetic = opensslArithmetic(lib, { tableBytes: 1 })
  buildAll(arithmetic)
  const before = arithmetic.share(key).tables
  for (const each of [otherKey, key, otherKey, key]) {
    assert.is(arithmetic.keyProduct(each, POWERS), expectedOf(each))
    assert.is(rowsDone(arithmetic, each)[1], 1)
  }
  assert.is.not(arithmetic.share(key).tables, before)
})
Tables('no memory leaks: rss does not grow while tables of 200 MiB are built and freed', () => {
  const arithmetic = opensslArithmetic(lib, { tableBytes: 1 })
  const round = (): void => {
    for (const each of keys) buildAll(arithmetic, each)
  }
  // memory that the system or JavaScript's heap reserves grows once, and a leak grows each time
  const beside = (): number => process.memoryUsage().rss - process.memoryUsage().heapTotal
  const grown = Array.from({ length: 4 }, () => {
    const before = beside()
    for (let i = 0; i < 25; i++) round()
    return (beside() - before) / MEBIBYTE
  })
  const least = Math.min(...grown)
  assert.ok(least < 12, `grown by at least ${least.toFixed()} MiB each time`)
})
Tables('without calculations take hardly any memory, for any number of keys', async () => {
  const arithmetic = opensslArithmetic(lib)
  const keys = Array.from({ length: 90 }, (_, i): IssuerPublicKey => {
    const R = Array.from({ length: 42 }, (_, index) => BigInt(index + 2) ** 2n)
    return { ...key, n: 2n ** 2_047n + 2n * BigInt(i) + 1n, R }
  })
  const before = process.memoryUsage().rss
  for (let round = 0; round < 4; round++)
    for (const each of keys) {
      arithmetic.share(each)
      await new Promise(setImmediate) // collected memory is freed
    }
  const grown = (process.memoryUsage().rss - before) / MEBIBYTE
  assert.ok(grown < 100, `grown by ${grown.toFixed()} MiB`)
})
Tables('of one key take 6 MB at most for 2048 bits, for any number of bases', () => {
  const { publicKey } = keyOf('svc-demo.gov-0')
  const bytesOf = (each: IssuerPublicKey): number =>
    opensslArithmetic(lib).share(each).tables?.byteLength ?? 0
  for (const bases of [2, 12, 20, 60, 200]) {
    const R = Array.from({ length: bases }, (_, i) => publicKey.R[i % publicKey.R.length] ?? 1n)
    const bytes = bytesOf({ ...publicKey, R })
    assert.ok(bytes <= 6_000_000 + 4_096, `${bases} bases: ${bytes} bytes`)
    assert.ok(bytes >= 1_500_000, `${bases} bases: ${bytes} bytes`)
  }
})
Tables('no call leaks a number of OpenSSL, not even one that throws', () => {
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
Tables('prepared numbers of secret factors are kept for the pairs used last, and freed for others', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted)
  const powers = [{ base: 3n, exponent: { p: 2n, q: 2n }, isFixed: true }]
  const use = (i: number): void => {
    assert.is(arithmetic.secretProductByFactors(powers, { p: 1001n + 2n * BigInt(i), q: 2n ** 61n - 1n }), 9n)
  }
  const start = count()
  use(0)
  const one = count() - start
  for (let i = 0; i < 200; i++) use(i)
  assert.is(count() - start, 64 * one)
})
Tables('the remainders of bases modulo the factors of a key are kept, those of 64 bases', () => {
  const { lib: counted, count } = counting()
  const arithmetic = opensslArithmetic(counted)
  const { p, q } = keyOf('svc-demo.fast-0').privateKey
  const numbersAfter = (base: bigint, isFixed: boolean): number => {
    const powers = [{ base, exponent: { p: 1n, q: 1n }, isFixed }]
    assert.is(arithmetic.secretProductByFactors(powers, { p, q }), base)
    return count()
  }
  const start = numbersAfter(2n, false)
  assert.is(numbersAfter(3n, true), start + 2)
  assert.is(numbersAfter(3n, true), start + 2)
  for (let i = 0n; i < 100n; i++) numbersAfter(5n + i, true)
  assert.is(count(), start + 2 * 64)
})
Tables.run()

const Sharing = suite('tables shared between threads')

Sharing('a thread that adopts a key does not build finished rows again', () => {
  const owner = opensslArithmetic(lib)
  const guest = opensslArithmetic(lib, { tableBytes: 1 })
  buildAll(owner)
  const before = rowsDone(owner)
  const adopted = guest.adopt(structuredCloneOf(owner.share(key)))
  assert.equal(rowsDone(guest), before)
  assert.is(guest.keyProduct(adopted, POWERS), expectedOf(key))
  guest.adopt(owner.share(otherKey))
  assert.is(owner.keyProduct(key, POWERS), expectedOf(key))
})
Sharing('the owner uses a table that a guest built', () => {
  const owner = opensslArithmetic(lib)
  const guest = opensslArithmetic(lib)
  buildAll(guest, guest.adopt(structuredCloneOf(owner.share(key))))
  assert.ok(rowsDone(owner)[4])
  assert.equal(rowsDone(owner), rowsDone(guest))
  assert.is(owner.keyProduct(key, POWERS), expectedOf(key))
})
Sharing('in the thread that shared a key, adopting it changes nothing', () => {
  const owner = opensslArithmetic(lib)
  buildAll(owner)
  const { tables } = owner.share(key)
  assert.is(owner.keyProduct(owner.adopt(structuredCloneOf(owner.share(key))), POWERS), expectedOf(key))
  assert.is(owner.share(key).tables, tables)
})
Sharing('after the owner evicts a key, a guest keeps using its tables until it adopts others', () => {
  const owner = opensslArithmetic(lib, { tableBytes: 1 })
  const guest = opensslArithmetic(lib)
  const adopted = guest.adopt(owner.share(key))
  const { tables } = guest.share(key)
  owner.share(otherKey)
  assert.is(guest.keyProduct(adopted, POWERS), expectedOf(key))
  assert.is(guest.share(key).tables, tables)
  guest.adopt(owner.share(otherKey))
  assert.is.not(guest.share(key).tables, tables, 'tables that the owner evicted are evicted here, too')
})
Sharing('a key that its owner uses again is adopted with its new tables', () => {
  const owner = opensslArithmetic(lib, { tableBytes: 1 })
  const guest = opensslArithmetic(lib)
  guest.adopt(owner.share(key))
  owner.share(otherKey)
  const again = owner.share(key)
  assert.is(guest.keyProduct(guest.adopt(again), POWERS), expectedOf(key))
  assert.is(guest.share(key).tables, again.tables)
})
Sharing('two threads build the same row at once: a reader sees only finished numbers', () => {
  for (const form of FORMS) {
    const owner = opensslArithmetic(form)
    const power = (): bigint => owner.keyProduct(key, { S: 7n })
    const expected = bigintArithmetic.keyProduct(key, { S: 7n })
    buildAll(owner, key, { S: 7n })
    const shared = owner.share(key)
    const states = new Int32Array(shared.tables ?? new SharedArrayBuffer(0), 8)
    const done = states[1] ?? 0
    const read: bigint[] = []
    const readMeanwhile = (): void => {
      if (read.length === 40) return
      Atomics.store(states, 1, done) // the other builder is done
      read.push(power())
    }
    const guest = opensslArithmetic(between(form, readMeanwhile))
    guest.adopt(shared)
    Atomics.store(states, 1, 0)
    assert.is(guest.keyProduct(key, { S: 7n }), expected)
    assert.is(read.length, 40)
    assert.equal(new Set(read), new Set([expected]))
  }
})
Sharing('tables with numbers in another form are not used', () => {
  const [first, ...others] = FORMS.map(form => opensslArithmetic(form))
  if (first === undefined) throw new Error('expected a form')
  buildAll(first)
  for (const other of others) {
    const adopted = other.adopt(first.share(key))
    assert.is(other.keyProduct(adopted, POWERS), expectedOf(key))
  }
})
Sharing('BigInt has no tables: only the key itself is shared', () => {
  const shared = bigintArithmetic.share(key)
  assert.is(bigintArithmetic.adopt(shared), key)
  const openssl = opensslArithmetic(lib)
  assert.is(openssl.keyProduct(openssl.adopt(shared), POWERS), expectedOf(key))
})

/** A copy, as it arrives in a message to another thread: the memory is the same, the objects differ. */
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
