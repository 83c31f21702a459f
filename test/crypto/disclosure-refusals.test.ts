import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import type { DisclosureProof } from '../../crypto/disclosure.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { suite } from '../suite.ts'
import {
  ATTRIBUTES,
  CHALLENGE,
  change,
  changeFirst,
  createProofs,
  disclose,
  isValid,
  openssl,
  SECRET_KEY,
  withEntry,
  without,
} from './proofs.ts'
import { keyOf } from './vectors.ts'

const Refusals = suite('disclosure proofs: what is refused (spec/cryptography#7.2, #7.4 and #16)')

const message = disclose([['svc-demo.fast-0', 2], ['svc-demo.uni-0']])
const { LeCommit, LvCommit, LmCommit } = systemParameters(keyOf('svc-demo.fast-0').publicKey.n)
const { p, q } = keyOf('svc-demo.fast-0').privateKey
/** The order of the bases: an exponent may change by this without changing its power. */
const ORDER = ((p - 1n) / 2n) * ((q - 1n) / 2n)
const power = (bits: number): bigint => 2n ** BigInt(bits)

Refusals('another challenge: context, nonce, kind of session', () => {
  assert.ok(isValid(message))
  assert.not.ok(isValid({ ...message, context: 2n }))
  assert.not.ok(isValid({ ...message, nonce: message.nonce + 1n }))
  assert.not.ok(isValid({ ...message, isSignature: true }))
  assert.not.ok(isValid({ ...message, context: -1n }))
  assert.not.ok(isValid({ ...message, nonce: -1n }))
})
Refusals('an empty list, and more than 256 proofs, before any arithmetic', () => {
  assert.not.ok(isValid({ ...message, disclosures: [] }))
  const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
  const many = Array.from({ length: 257 }, () => message.disclosures[0]).filter(each => each !== undefined)
  assert.not.ok(verifyProofs(unusable, { ...message, disclosures: many }))
})
Refusals('each number changed by one', () => {
  assert.not.ok(isValid(change(message, ({ c }) => ({ c: c + 1n }))))
  assert.not.ok(isValid(change(message, ({ A }) => ({ A: A + 1n }))))
  assert.not.ok(isValid(change(message, ({ eResponse }) => ({ eResponse: eResponse + 1n }))))
  assert.not.ok(isValid(change(message, ({ vResponse }) => ({ vResponse: vResponse + 1n }))))
  for (const index of message.disclosures[0]?.proof.aResponses.keys() ?? [])
    assert.not.ok(
      isValid(
        change(message, ({ aResponses }) => ({
          aResponses: withEntry(aResponses, index, (aResponses.get(index) ?? 0n) + 1n),
        })),
      ),
    )
  for (const index of message.disclosures[0]?.proof.aDisclosed.keys() ?? [])
    assert.not.ok(
      isValid(
        change(message, ({ aDisclosed }) => ({
          aDisclosed: withEntry(aDisclosed, index, (aDisclosed.get(index) ?? 0n) + 1n),
        })),
      ),
    )
})
Refusals('numbers below zero', () => {
  for (const part of [{ c: -1n }, { A: -1n }, { eResponse: -1n }, { vResponse: -1n }])
    assert.not.ok(isValid(change(message, () => part)))
  assert.not.ok(isValid(change(message, ({ vResponse }) => ({ vResponse: vResponse - ORDER * 2n ** 1100n }))))
  assert.not.ok(isValid(change(message, ({ aResponses }) => ({ aResponses: withEntry(aResponses, 3, -1n) }))))
  assert.not.ok(isValid(change(message, ({ aDisclosed }) => ({ aDisclosed: withEntry(aDisclosed, 2, -1n) }))))
})
Refusals('A outside 1 to n - 1; A = 0 would hold for any attributes', () => {
  const { n } = keyOf('svc-demo.fast-0').publicKey
  assert.not.ok(isValid(change(message, () => ({ A: 0n }))))
  assert.not.ok(isValid(change(message, () => ({ A: n }))))
  assert.not.ok(isValid(change(message, ({ A }) => ({ A: A + n }))))
})
Refusals('a response that is too large, though its power is the same', () => {
  const multiple = ORDER * 2n ** 20n
  assert.not.ok(isValid(change(message, ({ eResponse }) => ({ eResponse: eResponse + ORDER }))))
  assert.not.ok(
    isValid(change(message, ({ vResponse }) => ({ vResponse: vResponse + ORDER * power(LvCommit - 1000) }))),
  )
  assert.not.ok(
    isValid(
      change(message, ({ aResponses }) => ({
        aResponses: withEntry(aResponses, 4, (aResponses.get(4) ?? 0n) + multiple),
      })),
    ),
  )
  assert.ok(
    isValid(change(message, ({ vResponse }) => ({ vResponse: vResponse + ORDER }))),
    'this response is still within its size',
  )
})
Refusals('responses up to their bound reach the arithmetic, one bit more is refused before', () => {
  const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
  const calls: unknown[] = []
  const counting = { ...bigintArithmetic, keyProduct: () => BigInt(calls.push(0)) }
  const sizes: [number, (x: bigint) => Partial<DisclosureProof>][] = [
    [LeCommit + 1, eResponse => ({ eResponse })],
    [LvCommit + 1, vResponse => ({ vResponse })],
    [
      LmCommit + 1,
      x => ({ aResponses: withEntry(message.disclosures[0]?.proof.aResponses ?? new Map(), 3, x) }),
    ],
  ]
  for (const [bits, part] of sizes) {
    assert.not.ok(
      verifyProofs(
        unusable,
        change(message, () => part(power(bits))),
      ),
    )
    assert.not.ok(
      verifyProofs(
        counting,
        change(message, () => part(power(bits) - 1n)),
      ),
    )
    assert.is(calls.splice(0).length, 2)
  }
  const sameC = (c: bigint): ProofList => ({
    ...message,
    disclosures: message.disclosures.map(each => ({ ...each, proof: { ...each.proof, c } })),
  })
  assert.not.ok(verifyProofs(unusable, sameC(power(256))))
  assert.not.ok(verifyProofs(counting, sameC(power(256) - 1n)))
  assert.is(calls.splice(0).length, 2)
  assert.not.ok(verifyProofs(unusable, { ...message, nonce: power(256) }))
})
Refusals('an index that is both hidden and disclosed: its value could be chosen at will', () => {
  for (const [index, value] of [
    [3, 999n],
    [4, 2n ** 185n],
  ] as const) {
    const forged = change(message, ({ aDisclosed, aResponses, c }) => ({
      aDisclosed: withEntry(aDisclosed, index, value),
      aResponses: withEntry(aResponses, index, (aResponses.get(index) ?? 0n) + c * (power(300) - value)),
    }))
    assert.not.ok(isValid(forged))
  }
  assert.not.ok(isValid(change(message, ({ aResponses }) => ({ aResponses: withEntry(aResponses, 1, 0n) }))))
  assert.not.ok(isValid(change(message, ({ aResponses }) => ({ aResponses: withEntry(aResponses, 2, 0n) }))))
})
Refusals('a secret key that is not hidden, or metadata that is not disclosed', () => {
  assert.not.ok(isValid(change(message, ({ aResponses }) => ({ aResponses: without(aResponses, 0) }))))
  assert.not.ok(isValid(change(message, ({ aDisclosed }) => ({ aDisclosed: without(aDisclosed, 1) }))))
  const disclosesSecret = change(message, ({ aDisclosed, aResponses }) => ({
    aDisclosed: withEntry(aDisclosed, 0, SECRET_KEY),
    aResponses: without(aResponses, 0),
  }))
  assert.not.ok(isValid({ ...disclosesSecret, disclosures: disclosesSecret.disclosures.slice(0, 1) }))
})
Refusals(
  'an index without a base, that is no whole number, or disclosed beyond the attributes of the type',
  () => {
    const bases = keyOf('svc-demo.fast-0').publicKey.R.length
    for (const index of [-1, 0.5, bases, 2 ** 31, Number.NaN]) {
      assert.not.ok(
        isValid(change(message, ({ aResponses }) => ({ aResponses: withEntry(aResponses, index, 0n) }))),
      )
      assert.not.ok(
        isValid(change(message, ({ aDisclosed }) => ({ aDisclosed: withEntry(aDisclosed, index, 0n) }))),
      )
    }
    assert.ok(
      isValid(change(message, ({ aResponses }) => ({ aResponses: withEntry(aResponses, bases - 1, 0n) }))),
    )
    assert.ok(
      isValid(
        change(message, ({ aDisclosed, aResponses }) => ({
          aDisclosed: withEntry(aDisclosed, 4, 0n),
          aResponses,
        })),
      ) === false,
    )
    const beyond = change(message, ({ aDisclosed }) => ({ aDisclosed: withEntry(aDisclosed, 6, 0n) }))
    assert.not.ok(isValid(beyond))
    assert.ok(isValid(changeFirst(beyond, each => ({ ...each, attributeCount: 5 }))))
  },
)
Refusals('different secret keys in one group; in different groups they are not compared', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const attributes = ATTRIBUTES.slice(0, 2)
  const stranger = {
    signature: signAttributes(openssl, { key, privateKey, secretKey: 7n, attributes }, randomBytes),
    attributes,
    key,
  }
  const made = createProofs([{ credential: stranger, disclosed: [2] }], { secretKey: 7n })
  const disclosures = made.map(proof => ({
    proof,
    key,
    group: 'a',
    attributeCount: 1,
    revocationIndex: null,
  }))
  const alone = { ...message, disclosures }
  assert.ok(isValid(alone))
  const response = (text: string): ProofList => changeFirst(message, each => ({ ...each, group: text }))
  assert.ok(isValid(response('a')))
  const shifted = change(message, ({ aResponses }) => ({
    aResponses: withEntry(aResponses, 0, (aResponses.get(0) ?? 0n) + 1n),
  }))
  assert.not.ok(isValid(shifted))
})
Refusals('proofs of one message with different challenges', () => {
  const other = disclose([['svc-demo.fast-0', 2]])
  assert.not.ok(
    isValid({ ...message, disclosures: [...message.disclosures.slice(0, 1), ...other.disclosures] }),
  )
})
Refusals('another key than the one that signed', () => {
  const other = keyOf('svc-demo.uni-0').publicKey
  assert.not.ok(isValid(changeFirst(message, each => ({ ...each, key: other }))))
})
Refusals('a proof of arbitrary numbers is refused without an exception', () => {
  const number = fc.oneof(fc.bigInt({ min: -2n, max: power(700) }), fc.bigInt({ min: 0n, max: power(2100) }))
  const map = fc
    .array(fc.tuple(fc.integer({ min: -1, max: 13 }), number), { maxLength: 6 })
    .map(entries => new Map([[0, 5n], ...entries]))
  const proof = fc.record({
    c: fc.bigInt({ min: -1n, max: power(256) }),
    A: number,
    eResponse: fc.bigInt({ min: 0n, max: power(457) }),
    vResponse: number,
    aResponses: map,
    aDisclosed: map.map(m => withEntry(without(m, 0), 1, 3n)),
  })
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  fc.assert(
    fc.property(proof, fc.integer({ min: 0, max: 12 }), (each, attributeCount) => {
      const disclosures = [{ proof: each, key, group: '.', attributeCount, revocationIndex: null }]
      assert.not.ok(isValid({ ...CHALLENGE, disclosures, commitments: [] }))
    }),
    { numRuns: 60 },
  )
})
Refusals.run()
