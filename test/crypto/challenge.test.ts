import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fromBase64, toBase64 } from '../../crypto/bytes.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import { KEYS, readVectors } from './vectors.ts'

type Recorded = {
  readonly cases: readonly {
    readonly derHex: string
    readonly sha256Hex: string
    readonly signatureSession: boolean
    readonly values: readonly string[]
  }[]
}
const Challenge = suite('hash of a list of integers (spec/cryptography#3)')

Challenge('it is SHA-256 of the DER sequence: optional TRUE, count, integers', () => {
  const der = createHash('sha256').update('301502010502010002017f02020080020200ff02020100', 'hex')
  assert.is(hashCommit([0n, 127n, 128n, 255n, 256n], false), BigInt(`0x${der.digest('hex')}`))
  const signature = createHash('sha256').update('300f0101ff020103020101020102020103', 'hex')
  assert.is(hashCommit([1n, 2n, 3n], true), BigInt(`0x${signature.digest('hex')}`))
})
Challenge('a negative integer is refused', () => {
  assert.throws(() => hashCommit([-1n], false), /non-negative/)
})
for (const [index, recorded] of readVectors<Recorded>('crypto/hash-to-challenge.json').cases.entries())
  Challenge(`list ${index} hashes as recorded`, () => {
    const hash = hashCommit(recorded.values.map(fromBase64), recorded.signatureSession)
    assert.is(hash, BigInt(`0x${recorded.sha256Hex}`))
  })

type Note = { hashCommit: { hash: string; issig: boolean; values: string[] }[] }
for (const [index, { hash, issig, values }] of readVectors<Note>(
  'cryptography-vectors.json',
).hashCommit.entries())
  Challenge(`list ${index} of the specification hashes as given`, () => {
    assert.is(toBase64(hashCommit(values.map(fromBase64), issig)), hash)
  })
Challenge.run()

const Parameters = suite('system parameters (spec/cryptography#1)')

Parameters('they follow from the exact length of the modulus; other lengths are refused', () => {
  for (const { publicKey, parameters } of KEYS.values())
    if (parameters) assert.equal(systemParameters(publicKey.n), parameters)
  assert.is(systemParameters(2n ** 4095n).LvCommit, 5508)
  assert.throws(() => systemParameters(2n ** 2048n), /1024, 2048 or 4096 bits, got 2049/)
  assert.throws(() => systemParameters(0n), /got 0/)
})
Parameters.run()
