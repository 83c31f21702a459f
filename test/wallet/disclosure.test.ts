/** Disclosure messages that a wallet makes from choices: they verify, and contain the requested attributes (spec/interface#2.4, #2.9; spec/cryptography#7, #12.4).
 *  @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Candidate, DisclosureQuery } from '../../libraries/wallet/candidates.ts'
import { chosenCandidates } from '../../libraries/wallet/proofs.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { suite } from '../suite.ts'
import { disclosedBy, newWallet } from './demo-wallets.ts'
import { disclosureBody } from './disclosure-body.ts'
import { asking, type ShortDisclose } from './support.ts'

const CHALLENGE = { context: 1n, nonce: 0x1234_5678_9abc_def0n }
const wallet = await newWallet()

function disclose(request: DisclosureQuery, pick: (candidates: readonly Candidate[]) => number): string {
  const candidates = wallet.candidates(request)
  return disclosureBody(
    wallet,
    chosenCandidates(
      candidates,
      candidates.items.map(item => pick(item.candidates)),
    ),
    CHALLENGE,
  )
}

const Disclosure = suite('disclosure message (spec/interface#2.9)')
Disclosure.after(() => wallet.close())

Disclosure('proofs are in the order of first use; a credential that is used twice has one proof', () => {
  const request = asking([
    [['uni.student.level']],
    [['gov.idcard.familyname', 'uni.student.university']],
    [['gov.idcard.over18']],
  ])
  const text = disclose(request, () => 0)
  const message = parseDisclosureMessage(text)
  assert.is(message.proofs.length, 2)
  assert.equal(message.indices, [
    [{ cred: 0, attr: 4 }],
    [
      { cred: 1, attr: 3 },
      { cred: 0, attr: 2 },
    ],
    [{ cred: 1, attr: 4 }],
  ])
  assert.equal([...(message.proofs[0]?.aDisclosed.keys() ?? [])], [1, 2, 4])
  assert.equal(disclosedBy(text, CHALLENGE), [
    [{ id: 'svc-demo.uni.student.level', value: 'master' }],
    [
      { id: 'svc-demo.gov.idcard.familyname', value: 'Voorbeeld' },
      { id: 'svc-demo.uni.student.university', value: 'Voorbeeld' },
    ],
    [{ id: 'svc-demo.gov.idcard.over18', value: 'yes' }],
  ])
})

Disclosure('two instances of one type are two proofs', () => {
  const request = asking([
    [[{ type: 'fast.note.text', value: '' }]],
    [[{ type: 'fast.note.text', value: 'a' }]],
  ])
  assert.is(parseDisclosureMessage(disclose(request, () => 0)).proofs.length, 2)
})

Disclosure('without attributes to disclose, the message has no proofs', () => {
  const text = disclose(asking([[[], ['fast.note.text']]]), () => 0)
  assert.is(text, '{"proofs":[],"indices":[[]]}')
})

Disclosure('a choice that names no candidate is refused', () => {
  const candidates = wallet.candidates(asking([[['gov.idcard.over18']]]))
  assert.throws(() => chosenCandidates(candidates, []), /choices: expected 1, got 0/)
  for (const choice of [2, -1, 0.5])
    assert.throws(() => chosenCandidates(candidates, [choice]), /choice 0: expected one of 2 candidates/)
})

Disclosure('an instance that is not in the wallet cannot be disclosed', () => {
  const gone = { id: 'svc-demo.fast.note.text', credential: 'gone', index: 2, value: '' }
  const [id] = asking([[['fast.note.text']]]).disclose.flat(2)
  if (!id) throw new Error('no request')
  assert.throws(
    () => disclosureBody(wallet, [{ inner: 0, attributes: [{ ...gone, id: id.type }] }], CHALLENGE),
    /expected an instance of this wallet/,
  )
})

/** Requests for the wallet of the recordings, most of which it can answer. */
const attribute = fc.oneof(
  fc.constantFrom('fast.note.text', 'fast.note.extra', 'fast.note', 'fast.badge.level', 'gov.idcard.over18'),
  fc.record({
    type: fc.constantFrom('fast.note.text', 'fast.note.extra'),
    value: fc.constantFrom(null, '', 'a', 'b', 'hello'),
    notNull: fc.boolean(),
  }),
)
const disclosures: fc.Arbitrary<ShortDisclose> = fc.array(
  fc.array(fc.array(attribute, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 3 },
)

type Conjunction = DisclosureQuery['disclose'][number][number]

/** spec/interface#2.4 and spec/cryptography#12.4, implemented a second time: true if the disclosed attributes answer one inner conjunction. */
function answers(
  conjunction: Conjunction,
  disclosed: readonly { id: string; value: string | null }[],
): boolean {
  if (conjunction.length !== disclosed.length) return false
  return conjunction.every(({ type, value, notNull }, j) => {
    const got = disclosed[j]
    if (got?.id !== type) return false
    if (notNull && got.value === null) return false
    return value === null || got.value === value
  })
}

Disclosure(
  'every candidate verifies and answers the inner conjunction that it names, from one instance per type',
  () => {
    fc.assert(
      fc.property(disclosures, fc.nat(), (short, seed) => {
        const request = asking(short)
        const { items, isSatisfiable } = wallet.candidates(request)
        if (!isSatisfiable) return
        const choices = items.map(({ candidates }) => seed % candidates.length)
        const chosen = chosenCandidates({ items, isSatisfiable }, choices)
        const text = disclosureBody(wallet, chosen, CHALLENGE)
        const disclosed = disclosedBy(text, CHALLENGE)
        for (const [i, { inner }] of chosen.entries())
          assert.ok(answers(request.disclose[i]?.[inner] ?? [], disclosed[i] ?? []))
        for (const [i, item] of parseDisclosureMessage(text).indices.entries())
          for (const [j, { cred }] of item.entries()) {
            const first =
              disclosed[i]?.findIndex(({ id }) => typeOf(id) === typeOf(disclosed[i]?.[j]?.id)) ?? -1
            assert.is(cred, item[first]?.cred)
          }
      }),
      { numRuns: 40 },
    )
  },
)

Disclosure('there are as many candidates as ways to take one fitting instance per type', () => {
  fc.assert(
    fc.property(disclosures, short => {
      const request = asking(short)
      const counts = request.disclose.map(disjunction => disjunction.map(waysToAnswer))
      assert.equal(
        wallet
          .candidates(request)
          .items.map(({ candidates }, i) =>
            (counts[i] ?? []).map((_, inner) => candidates.filter(each => each.inner === inner).length),
          ),
        counts,
      )
    }),
  )
})

function typeOf(id: string | undefined): string | undefined {
  return id?.split('.').slice(0, 3).join('.')
}

function waysToAnswer(conjunction: Conjunction): number {
  const types = [...new Set(conjunction.map(({ type }) => typeOf(type)))]
  return types.reduce((ways, type) => {
    const requests = conjunction.filter(request => typeOf(request.type) === type)
    const fitting = wallet.credentials().filter(view => {
      const values = [...view.attributes, { id: view.type, value: 'present' }]
      return (
        view.type === type && requests.every(request => values.some(value => answers([request], [value])))
      )
    })
    return ways * fitting.length
  }, 1)
}

Disclosure.run()
