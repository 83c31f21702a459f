/** Spare primes for signatures: each is used once, and they are searched for only while the threads are idle. @module */
import * as assert from 'uvu/assert'
import { Primes } from '../../actors/workers/primes.ts'
import { suite } from '../suite.ts'
import { deferred, settle } from './node.ts'

/** The maximum number of spare primes of each length. */
const MOST = 5
const N1024 = 2n ** 1023n + 1n
const N2048 = 2n ** 2047n + 1n

/** Finds 1, 2, 3, ... for keys of any length. */
function counting(isIdle = () => true) {
  let last = 0n
  const found: bigint[] = []
  const find = async (n: bigint): Promise<bigint> => {
    found.push(n)
    return ++last
  }
  return { found, primes: new Primes({ find, isIdle, most: MOST }) }
}

const Kept = suite('primes that are kept')

Kept('no prime is searched for before one of its length was requested', async () => {
  const { found, primes } = counting()
  await primes.fill()
  assert.equal(found, [])
  assert.is(primes.take(N1024), null)
  await primes.fill()
  assert.equal(found, Array(MOST).fill(N1024))
})

Kept('each prime is returned once; without a spare prime the result is null', async () => {
  const { primes } = counting()
  primes.take(N1024)
  await primes.fill()
  const taken = Array.from({ length: MOST }, () => primes.take(N1024))
  assert.is(new Set(taken).size, MOST)
  assert.is(primes.take(N1024), null)
})

Kept('keys of one length share primes, and keys of another length do not', async () => {
  const { found, primes } = counting()
  primes.take(N1024)
  await primes.fill()
  assert.is(primes.take(N1024 + 2n), 1n)
  assert.is(primes.take(N2048), null)
  await primes.fill()
  assert.equal(found.slice(MOST, MOST + 1), [N2048], 'the length with the fewest primes comes first')
  assert.is(found.length, 2 * MOST + 1)
})

Kept('no search begins while there is other work, and none follows when work arrives', async () => {
  let isIdle = false
  const { found, primes } = counting(() => isIdle)
  primes.take(N1024)
  await primes.fill()
  assert.is(found.length, 0)
  isIdle = true
  const filling = primes.fill()
  isIdle = false
  await filling
  assert.is(found.length, 1, 'the search that had begun finds its prime')
  assert.is(primes.take(N1024), 1n)
})

Kept('one search runs at a time, also after several calls', async () => {
  const { promise, resolve } = deferred<bigint>()
  let begun = 0
  const find = (): Promise<bigint> => {
    begun += 1
    return begun === 1 ? promise : Promise.resolve(7n)
  }
  const primes = new Primes({ find, isIdle: () => true, most: MOST })
  primes.take(N1024)
  void primes.fill()
  await primes.fill()
  await settle()
  assert.is(begun, 1)
  resolve(5n)
  await settle()
  assert.is(begun, MOST)
})

Kept('a failure ends the searches; the next call tries again', async () => {
  let tries = 0
  const find = async (): Promise<bigint> => {
    tries += 1
    throw new Error('the thread died')
  }
  const primes = new Primes({ find, isIdle: () => true, most: MOST })
  primes.take(N1024)
  await primes.fill()
  assert.is(tries, 1)
  await primes.fill()
  assert.is(tries, 2)
})

Kept.run()
