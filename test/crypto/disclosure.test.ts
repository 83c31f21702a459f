import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import { change, createProofs, credentialOf, disclose, isValid, SIZES } from './proofs.ts'
import { keyOf } from './vectors.ts'

const Law = suite('disclosure proofs: the verifier accepts made proofs (spec/cryptography#7.2)')

for (const id of SIZES)
  Law(
    `${id}: proofs that disclose nothing, some or all attributes are valid, and disclose just those values`,
    () => {
      const all = credentialOf(id).attributes.map((_, i) => i + 1)
      for (const disclosed of id === 'scheme.issuerD-3' ? [[3]] : [[], [3], all]) {
        const message = disclose([[id, ...disclosed]])
        assert.ok(isValid(message))
        const expected = [1, ...disclosed.filter(i => i !== 1)].map(i => [
          i,
          credentialOf(id).attributes[i - 1],
        ])
        assert.equal([...(message.disclosures[0]?.proof.aDisclosed ?? [])], expected)
      }
    },
  )
Law('proofs from keys of all sizes share one challenge and one response for the secret key', () => {
  const message = disclose(SIZES.map(id => [id, 2]))
  assert.ok(isValid(message))
  assert.is(new Set(message.disclosures.map(({ proof }) => proof.aResponses.get(0))).size, 1)
  assert.not.ok(isValid({ ...message, disclosures: message.disclosures.slice(1) }))
  assert.not.ok(isValid({ ...message, disclosures: message.disclosures.toReversed() }))
})
Law('with BigInt alone the same holds', () => {
  const chosen = [{ credential: credentialOf('svc-demo.fast-0'), disclosed: [2] }]
  const [proof] = createProofs(chosen, { arithmetic: bigintArithmetic })
  const message = disclose([['svc-demo.fast-0']])
  assert.ok(isValid(change(message, () => proof ?? {})))
})
Law(
  'every randomizer has its own size; that of the secret key has 592 bits for every key (spec/cryptography#17)',
  () => {
    for (const id of SIZES.slice(0, 2)) {
      const { LRA, LeCommit, LvCommit, LmCommit } = systemParameters(keyOf(id).publicKey.n)
      const asked: number[] = []
      const source = (n: number): Uint8Array => {
        asked.push(8 * n)
        return randomBytes(n)
      }
      createProofs([{ credential: credentialOf(id), disclosed: [2, 3, 4] }], { source })
      assert.equal(asked, [592, LmCommit, LRA, LeCommit, Math.ceil(LvCommit / 8) * 8])
    }
  },
)
Law('an index that the credential does not have cannot be disclosed', () => {
  for (const index of [0, -1, 6, 1.5, Number.NaN])
    assert.throws(() => disclose([['svc-demo.fast-0', index]]), /indices to disclose: expected 1 to 5/)
})
Law('a credential has its metadata, and no more attributes than its key has bases', () => {
  const owned = credentialOf('svc-demo.fast-0')
  const disclosing = (attributes: readonly bigint[]): (() => unknown) => {
    return () => createProofs([{ credential: { ...owned, attributes }, disclosed: [1] }])
  }
  const bases = owned.key.R.length
  const many = (count: number): bigint[] => Array.from({ length: count }, () => 1n)
  for (const count of [1, bases - 1]) assert.not.throws(disclosing(many(count)))
  const expected = new RegExp(`attributes: expected 1 to ${bases - 1}, got `)
  for (const count of [0, bases]) assert.throws(disclosing(many(count)), expected)
})
Law.run()
