import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { mergeUpdate, readAccumulator, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate, resign, revoke } from '../../crypto/revocation/authority.ts'
import { issueWitness, isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'
import { RECORDED } from './recorded-revocation.ts'
import { keyOf } from './vectors.ts'

const Recorded = suite('revocation data recorded from an existing implementation, 1.3.0')

for (const recorded of RECORDED) {
  const { publicKey: key } = keyOf(recorded.key)
  Recorded(`${recorded.key}: updates verify, and say what was recorded`, () => {
    const { accumulator } = recorded
    const opened = verifyUpdate(recorded.initial, key)
    assert.is(opened.nu, fromBase64(accumulator.nu))
    assert.is(opened.index, accumulator.index)
    assert.is(opened.atSec, accumulator.time)
    assert.is(Buffer.from(opened.eventHash).toString('hex'), accumulator.eventHashHex)
    assert.is(verifyUpdate(recorded.afterThree, key).index, 3)
    assert.equal(verifyUpdate(recorded.lastTwo, key), verifyUpdate(recorded.afterThree, key))
  })
  Recorded(
    `${recorded.key}: the witness is right, follows the update, and does not survive its revocation`,
    () => {
      for (const arithmetic of [openssl, bigintArithmetic]) {
        assert.ok(isWitnessRight(arithmetic, recorded.witness, key))
        const updated = updateWitness(arithmetic, recorded.witness, recorded.afterThree, key)
        assert.equal(updated, recorded.witnessAfterUpdate)
        assert.is(updateWitness(arithmetic, recorded.witness, recorded.revoking, key), 'revoked')
      }
    },
  )
}
Recorded.run()

const Authority = suite('an authority (note 14.1 to 14.4)')
const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')
const keys = { key, privateKey }

Authority('begins with nothing revoked, issues, revokes, and says the same anew later', () => {
  for (const arithmetic of [openssl, bigintArithmetic]) {
    const first = firstUpdate({ ...keys, nowSec: 100 }, randomBytes)
    assert.is(verifyUpdate(first, key).index, 0)
    const witnesses = [0, 1, 2].map(() =>
      issueWitness(arithmetic, { ...keys, signed: first.signed }, randomBytes),
    )
    assert.ok(witnesses.every(witness => isWitnessRight(arithmetic, witness, key)))
    const [one, two, three] = witnesses
    if (!one || !two || !three || !first.events[0]) throw new Error('expected three witnesses and an event')
    const state = { ...keys, signed: first.signed, lastEvent: first.events[0] }
    const second = revoke(arithmetic, { ...state, e: [one.e, two.e], nowSec: 200 }, randomBytes)
    assert.equal([second.events.length, verifyUpdate(second, key).index], [2, 2])
    assert.is(updateWitness(arithmetic, one, second, key), 'revoked')
    assert.is(updateWitness(arithmetic, two, second, key), 'revoked')
    const updated = updateWitness(arithmetic, three, second, key)
    if (updated === 'revoked') throw new Error('expected a witness')
    assert.ok(isWitnessRight(arithmetic, updated, key))
    assert.equal(mergeUpdate(first, second), second)
    const signed = resign(second.signed, { ...keys, nowSec: 300 })
    assert.is(readAccumulator(signed).atSec, 300)
    assert.equal(updateWitness(arithmetic, updated, { signed, events: [] }, key), { ...updated, signed })
  }
})
Authority.run()
