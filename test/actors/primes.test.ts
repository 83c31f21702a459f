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

Kept('nothing is found before it is needed, nor for lengths that were not', async () => {
  const { found, primes } = counting()
  await primes.fill()
  assert.equal(found, [])
  assert.is(primes.take(N1024), null)
  await primes.fill()
  assert.equal(found, Array(MOST).fill(N1024))
})

Kept('each leaves once; when there are no more, the answer is none', async () => {
  const { primes } = counting()
  primes.take(N1024)
  await primes.fill()
  const taken = Array.from({ length: MOST }, () => primes.take(N1024))
  assert.is(new Set(taken).size, MOST)
  assert.is(primes.take(N1024), null)
})

Kept('keys of one length share them, keys of another do not', async () => {
  const { found, primes } = counting()
  primes.take(N1024)
  await primes.fill()
  assert.is(primes.take(N1024 + 2n), 1n)
  assert.is(primes.take(N2048), null)
  await primes.fill()
  assert.equal(found.slice(MOST, MOST + 1), [N2048], 'what there is fewest of comes first')
  assert.is(found.length, 2 * MOST + 1)
})

Kept('while there is other work none is found, and the next is not begun when work comes', async () => {
  let isIdle = false
  const { found, primes } = counting(() => isIdle)
  primes.take(N1024)
  await primes.fill()
  assert.is(found.length, 0)
  isIdle = true
  const filling = primes.fill()
  isIdle = false
  await filling
  assert.is(found.length, 1, 'the one that was begun is found')
  assert.is(primes.take(N1024), 1n)
})

Kept('one at a time, however often it is asked for', async () => {
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

Kept('a failure ends it, without a loop; the next call tries again', async () => {
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
