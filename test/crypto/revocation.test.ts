import { checkPrimeSync, randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import {
  eventHash,
  mergeUpdate,
  readAccumulator,
  signAccumulator,
  verifyUpdate,
} from '../../crypto/revocation/accumulator.ts'
import { firstUpdate, resign, revoke } from '../../crypto/revocation/authority.ts'
import { issueWitness, isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { readUpdate, readWitness } from '../../protocol/revocation-json.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'
import { RECORDED, recordedOf } from './recorded-revocation.ts'
import { keyOf, readVectors } from './vectors.ts'

const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')
const keys = { key, privateKey }

const Recorded = suite('revocation data recorded from an existing implementation, 1.3.0')

for (const recorded of RECORDED) {
  const { publicKey: key } = keyOf(recorded.key)
  Recorded(`${recorded.key}: updates verify, and have the recorded content`, () => {
    const { accumulator } = recorded
    const opened = verifyUpdate(recorded.initial, key)
    assert.is(opened.nu, fromBase64(accumulator.nu))
    assert.is(opened.index, accumulator.index)
    assert.is(opened.atSec, accumulator.time)
    assert.is(Buffer.from(opened.eventHash).toString('hex'), accumulator.eventHashHex)
    assert.is(verifyUpdate(recorded.afterThree, key).index, 3)
    assert.equal(verifyUpdate(recorded.lastTwo, key), verifyUpdate(recorded.afterThree, key))
  })
  Recorded(`${recorded.key}: the witness is right, can be updated, and ends with its revocation`, () => {
    for (const arithmetic of [openssl, bigintArithmetic]) {
      assert.ok(isWitnessRight(arithmetic, recorded.witness, key))
      const updated = updateWitness(arithmetic, recorded.witness, recorded.afterThree, key)
      assert.equal(updated, recorded.witnessAfterUpdate)
      assert.is(updateWitness(arithmetic, recorded.witness, recorded.revoking, key), 'revoked')
    }
  })
}
Recorded.run()

type SpecVectors = {
  readonly revocation: Readonly<Record<'initialUpdate' | 'update' | 'witness' | 'updatedWitness', JsonValue>>
  readonly issuance: {
    readonly revocation: {
      readonly attributes: readonly string[]
      readonly issueSignature: { readonly nonrev: JsonValue }
    }
  }
}
const OfSpec = suite('revocation data of the specification')

OfSpec('an issued witness is right, has the number in the credential, and can be updated', () => {
  const { revocation, issuance } = readVectors<SpecVectors>('cryptography-vectors.json')
  const { publicKey } = keyOf('scheme.issuerA-0')
  assert.is(verifyUpdate(readUpdate(revocation.initialUpdate, 'update'), publicKey).index, 0)
  const update = readUpdate(revocation.update, 'update')
  assert.is(verifyUpdate(update, publicKey).index, 3)
  const witness = readWitness(issuance.revocation.issueSignature.nonrev, 'nonrev')
  assert.equal(witness, readWitness(revocation.witness, 'witness'))
  assert.is(witness.e, fromBase64(issuance.revocation.attributes.at(-1) ?? ''))
  for (const arithmetic of [openssl, bigintArithmetic]) {
    assert.ok(isWitnessRight(arithmetic, witness, publicKey))
    const updated = updateWitness(arithmetic, witness, update, publicKey)
    assert.equal(updated, readWitness(revocation.updatedWitness, 'witness'))
  }
})
OfSpec('the hash of event 0 is always the same', () => {
  const first = firstUpdate({ ...keys, nowSec: 5 }, randomBytes).events[0]
  if (first === undefined) throw new Error('expected an event')
  const expected = '1220c88ca8e2655297750c8c785049234d117485eff28e33374d0e88f31ed285617b'
  assert.is(Buffer.from(eventHash(first)).toString('hex'), expected)
})
OfSpec.run()

const Wallets = suite('witnesses: updates, and their refusals (spec/cryptography#14.3, #14.4)')

Wallets('a witness with another u or e, the trivial one, and one under another key are not right', () => {
  const { witness } = recordedOf('svc-demo.fast-0')
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  const { nu } = readAccumulator(witness.signed)
  for (const part of [
    { u: witness.u + 1n },
    { u: 0n },
    { u: witness.u + key.n },
    { u: witness.u - key.n },
    { e: witness.e + 2n },
    { e: -3n },
  ])
    assert.not.ok(isWitnessRight(openssl, { ...witness, ...part }, key))
  assert.not.ok(isWitnessRight(openssl, { ...witness, u: nu, e: 1n }, key), 'the trivial one')
  assert.not.ok(isWitnessRight(openssl, witness, keyOf('svc-demo.uni-0').publicKey))
  assert.not.ok(isWitnessRight(openssl, { ...witness, e: witness.e + 2n ** 300n }, key))
})
Wallets('an older update changes nothing; one that begins too late, or is not right, is an error', () => {
  const { witness, initial, afterThree, lastTwo, witnessAfterUpdate } = recordedOf('svc-demo.gov-0')
  assert.is(updateWitness(openssl, witnessAfterUpdate, initial, key), witnessAfterUpdate)
  assert.is(updateWitness(openssl, witness, initial, key), witness)
  const tooFew = /^events: expected those from 1 to 3, got 2 of them$/
  assert.throws(() => updateWitness(openssl, witness, lastTwo, key), tooFew)
  assert.throws(() => updateWitness(openssl, witness, { ...afterThree, events: [] }, key), /got 0 of them/)
  const unjoined = { ...afterThree, events: afterThree.events.filter(({ index }) => index !== 2) }
  assert.throws(() => updateWitness(openssl, witness, unjoined, key), /each event to follow its predecessor/)
})
Wallets('the events have to join on to the accumulator of the witness', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const { witness, afterThree } = recordedOf('svc-demo.fast-0')
  const other = {
    ...readAccumulator(witness.signed),
    eventHash: readAccumulator(afterThree.signed).eventHash,
  }
  const signed = signAccumulator(other, privateKey, 0)
  assert.throws(
    () => updateWitness(openssl, { ...witness, signed }, afterThree, key),
    /first one to follow the last known event/,
  )
})
Wallets.run()

const Merging = suite('merging a fetched update (spec/cryptography#14.8)')
const { initial, afterThree, lastTwo } = recordedOf('svc-demo.gov-0')

Merging('new events are appended, with the new accumulator; older or equal updates change nothing', () => {
  const added = afterThree.events.slice(1)
  assert.equal(mergeUpdate(initial, afterThree), { signed: afterThree.signed, events: added })
  assert.is(mergeUpdate(afterThree, initial), null)
  assert.is(mergeUpdate(afterThree, afterThree), null)
  assert.is(mergeUpdate(afterThree, lastTwo), null)
  assert.is(mergeUpdate(null, afterThree), afterThree)
})
Merging('the same accumulator with a later signature is taken over, with an earlier one it is not', () => {
  const { atSec } = readAccumulator(afterThree.signed)
  const later = { signed: resign(afterThree.signed, { ...keys, nowSec: atSec + 60 }), events: [] }
  assert.equal(mergeUpdate(afterThree, later), later)
  assert.is(mergeUpdate(later, afterThree), null)
})
Merging('events that do not join, or an update without events for an empty state, are errors', () => {
  assert.throws(
    () => mergeUpdate(null, { ...afterThree, events: [] }),
    /because none are known yet, got none/,
  )
  assert.throws(() => mergeUpdate(initial, lastTwo), /expected those from 1 to 3, got 2/)
  const strange = {
    ...readAccumulator(initial.signed),
    eventHash: readAccumulator(afterThree.signed).eventHash,
  }
  const known = { signed: signAccumulator(strange, privateKey, 0), events: [] }
  assert.throws(() => mergeUpdate(known, afterThree), /first one to follow the last known event/)
  assert.throws(() => mergeUpdate(known, initial), /first one to follow the last known event/)
  const moved = { ...readAccumulator(initial.signed), nu: readAccumulator(afterThree.signed).nu }
  const other = { signed: signAccumulator(moved, privateKey, 0), events: [] }
  assert.throws(() => mergeUpdate(initial, other), /because no event was added, got another/)
})
Merging.run()

const Authority = suite('an authority (spec/cryptography#14.1 to #14.4)')
Authority(
  'begins without revoked credentials, issues, revokes, and later signs the same accumulator again',
  () => {
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
  },
)
Authority('revokes any number at once: a revoked witness ends, and another stays right', () => {
  const first = firstUpdate({ ...keys, nowSec: 100 }, randomBytes)
  const [witness, last] = [0, 1].map(() =>
    issueWitness(openssl, { ...keys, signed: first.signed }, randomBytes),
  )
  if (!witness || !last || !first.events[0]) throw new Error('expected two witnesses and an event')
  const numbers = Array.from({ length: 5_000 }, (_, i) => 2n ** 40n + BigInt(i))
  const primes = numbers.filter(each => checkPrimeSync(each))
  const revocations = { ...keys, signed: first.signed, lastEvent: first.events[0], nowSec: 200 }
  const update = revoke(openssl, { ...revocations, e: [...primes, last.e] }, randomBytes)
  const updated = updateWitness(openssl, witness, update, key)
  assert.ok(primes.length > 128 && updated !== 'revoked' && isWitnessRight(openssl, updated, key))
  assert.is(updateWitness(openssl, last, update, key), 'revoked')
})
Authority('revokes only after the event that its accumulator signs, and at least one credential', () => {
  const { signed, events } = firstUpdate({ ...keys, nowSec: 100 }, randomBytes)
  const [lastEvent] = events
  if (lastEvent === undefined) throw new Error('expected an event')
  const state = { ...keys, signed, lastEvent, e: [101n], nowSec: 200 }
  const wrong = [
    { ...lastEvent, index: 1 },
    { ...lastEvent, e: 3n },
  ]
  for (const each of wrong)
    assert.throws(
      () => revoke(openssl, { ...state, lastEvent: each }, randomBytes),
      /that the accumulator signs/,
    )
  assert.throws(() => revoke(openssl, { ...state, e: [] }, randomBytes), /expected at least one credential/)
})
Authority('gives no result if the keys do not belong together, or a calculation went wrong', () => {
  const { signed, events } = firstUpdate({ ...keys, nowSec: 100 }, randomBytes)
  const other = { ...keyOf('svc-demo.uni-1').privateKey, ecdsa: privateKey.ecdsa ?? '' }
  assert.throws(
    () => issueWitness(openssl, { key, privateKey: other, signed }, randomBytes),
    /expected p q = n/,
  )
  for (const lastEvent of events) {
    const revocations = { key, privateKey: other, signed, lastEvent, e: [101n], nowSec: 200 }
    assert.throws(() => revoke(openssl, revocations, randomBytes), /expected p q = n/)
  }
  const faulty: Arithmetic = {
    ...openssl,
    secretProductByFactors: (powers, factors) => openssl.secretProductByFactors(powers, factors) + 1n,
  }
  assert.throws(() => issueWitness(faulty, { ...keys, signed }, randomBytes), /expected A\^e = Q/)
})
Authority.run()
