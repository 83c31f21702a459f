import * as assert from 'uvu/assert'
import { systemRandomness } from '../../ports/randomness.ts'
import { suite } from '../suite.ts'

const { token, pairingCode, nonce, userName } = systemRandomness

const Randomness = suite('randomness of a running server (session-server 4)')

Randomness('a token has 20 characters of the 62, and every one of them occurs', () => {
  const tokens = Array.from({ length: 500 }, token)
  for (const text of tokens) assert.match(text, /^[A-Za-z0-9]{20}$/)
  assert.is(new Set(tokens.join('')).size, 62)
  assert.is(new Set(tokens).size, tokens.length)
})

Randomness(
  'the name of a user has 12 characters of the 62, and every one of them occurs (keyshare note 4.1)',
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
Randomness.run()
