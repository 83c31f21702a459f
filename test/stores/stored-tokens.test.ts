/** The stored form of the tokens of a session: hashes, and the rows of the version before, which had the tokens themselves (spec/decisions#tokens). */
import * as assert from 'uvu/assert'
import { restoreTokens, storedTokens } from '../../stores/stored-tokens.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { suite } from '../suite.ts'

const Tokens = suite('stored tokens')
const HASHES = {
  requestorTokenHash: hashOfToken('requestor-s'),
  frontendTokenHash: hashOfToken('frontend-s'),
}

Tokens('a session without a callback stores only hashes', () => {
  const stored = storedTokens({ ...HASHES, sentToken: null })
  assert.equal(stored, {
    clientToken: '',
    requestorToken: '',
    frontendToken: `sha256:${HASHES.frontendTokenHash}`,
  })
  assert.equal(restoreTokens(stored, HASHES.requestorTokenHash), { ...HASHES, sentToken: null })
})

Tokens('a session with a callback stores its requestor token, which the server must send', () => {
  const row = { ...HASHES, sentToken: 'requestor-s' }
  assert.equal(restoreTokens(storedTokens(row), HASHES.requestorTokenHash), row)
})

Tokens('a row of the former version is read, with or without the hash of its requestor token', () => {
  const old = { clientToken: 'client-s', requestorToken: 'requestor-s', frontendToken: 'frontend-s' }
  const row = { ...HASHES, sentToken: 'requestor-s' }
  assert.equal(restoreTokens(old), row)
  assert.equal(restoreTokens(old, HASHES.requestorTokenHash), row)
})

Tokens.run()
