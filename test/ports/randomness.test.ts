import * as assert from 'uvu/assert'
import { pooledBytes, systemRandomness } from '../../ports/randomness.ts'
import { suite } from '../suite.ts'

const { token, pairingCode, nonce, userName } = systemRandomness

const Randomness = suite('randomness of a running server (spec/session-server#4)')

Randomness('a token has 20 characters of the 62, and every one of them occurs', () => {
  const tokens = Array.from({ length: 500 }, token)
  for (const text of tokens) assert.match(text, /^[A-Za-z0-9]{20}$/)
  assert.is(new Set(tokens.join('')).size, 62)
  assert.is(new Set(tokens).size, tokens.length)
})

Randomness(
  'the name of a user has 12 characters of the 62, and every one of them occurs (spec/keyshare-server#4.1)',
  () => {
    const names = Array.from({ length: 500 }, userName)
    for (const name of names) assert.match(name, /^[A-Za-z0-9]{12}$/)
    assert.is(new Set(names.join('')).size, 62)
    assert.is(new Set(names).size, names.length)
  },
)

Randomness('a pairing code has four digits, leading zeros included', () => {
  const codes = Array.from({ length: 500 }, pairingCode)
  for (const code of codes) assert.match(code, /^\d{4}$/)
  assert.ok(codes.some(code => code.startsWith('0')))
})

Randomness('a nonce is below 2^128 and uses its upper half', () => {
  const nonces = Array.from({ length: 200 }, nonce)
  assert.ok(nonces.every(value => value >= 0n && value < 1n << 128n))
  assert.ok(nonces.some(value => value >= 1n << 127n))
})

Randomness('all characters are equally likely: a byte modulo 62 would favour the first eight', () => {
  const count = 40_000
  const text = Array.from({ length: count / 20 }, token).join('')
  const share = (text.match(/[a-h]/g)?.length ?? 0) / count
  // 8/62 is 0.129, and 40/256 would be 0.156: the limit is eight standard deviations from both
  assert.ok(share < 0.1426, `${share} of the characters are of the first eight`)
})

/** A source of numbered bytes, and the pools that it has filled. */
function numbered() {
  const pools: Uint8Array[] = []
  let last = 0
  const take = pooledBytes(pool => {
    pools.push(pool)
    for (const i of pool.keys()) pool[i] = last = (last % 251) + 1 // never 0, and another order in each pool
  })
  return { take, pools }
}

Randomness('each byte of a pool is returned once, and a pool with too few bytes left is filled again', () => {
  const { take, pools } = numbered()
  const taken = Array.from({ length: 103 }, () => [...take(20)])
  assert.is(pools.length, 3)
  const next = (byte: number, steps = 1): number => ((byte - 1 + steps) % 251) + 1
  for (const [i, bytes] of taken.entries()) {
    assert.is(bytes.length, 20)
    const before = taken[i - 1]?.at(-1) ?? 0
    // 51 times 20 bytes of the 1,024: the last 4 are discarded
    const first = i === 0 ? 1 : next(before, i % 51 === 0 ? 5 : 1)
    assert.equal(
      bytes,
      Array.from({ length: 20 }, (_, at) => next(first, at)),
    )
  }
})

Randomness('the pool overwrites the bytes that it returned, and the returned copy does not change', () => {
  const { take, pools } = numbered()
  const [first, second] = [take(20), take(16)]
  const [pool = new Uint8Array()] = pools
  assert.ok(pool.subarray(0, 36).every(byte => byte === 0))
  assert.ok(pool.subarray(36).every(byte => byte !== 0))
  assert.ok([...first, ...second].every(byte => byte !== 0))
})

Randomness('more bytes than a pool holds are refused', () => {
  const { take } = numbered()
  assert.is(take(1_024).length, 1_024)
  assert.throws(() => take(1_025), /expected at most 1024 bytes, got 1025/)
})
Randomness.run()
