/** A wallet: its credentials, what it accepts, and disclosures that verify (spec 2.4, 2.9; cryptography 6, 7). @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseDisclosureMessage } from '../../protocol/app-messages.ts'
import type { Candidate, Disclosing } from '../../wallet/candidates.ts'
import { addDemoCredentials, DEMO_CREDENTIALS } from '../../wallet/demo-credentials.ts'
import { WalletError } from '../../wallet/errors.ts'
import { chosenCandidates } from '../../wallet/proofs.ts'
import { createWallet, openWallet } from '../../wallet/wallet.ts'
import { deps, disclosedBy, newWallet } from './demo-wallets.ts'
import { asking, NOW_SEC, type ShortDisclose, temporaryFolder, WEEK_SEC } from './support.ts'

const CHALLENGE = { context: 1n, nonce: 0x1234_5678_9abc_def0n }

async function refused(promise: Promise<unknown>, reason: RegExp): Promise<void> {
  try {
    await promise
  } catch (error) {
    assert.instance(error, WalletError)
    assert.match(error instanceof Error ? error.message : '', reason)
    return
  }
  assert.unreachable('expected a refusal')
}

const Wallet = suite('wallet')
const wallet = await newWallet()

Wallet(
  'the demo credentials have a choice, an absent value, a random blind value and an expired one',
  async () => {
    const demo = await newWallet(DEMO_CREDENTIALS)
    const views = demo.credentials()
    assert.is(views.length, DEMO_CREDENTIALS.length)
    const addresses = views.filter(({ type }) => type === 'svc-demo.gov.address')
    assert.equal(
      addresses.map(({ attributes }) => attributes[2]),
      [
        { id: 'svc-demo.gov.address.addition', value: 'bis' },
        { id: 'svc-demo.gov.address.addition', value: null },
      ],
    )
    const lot = views.find(({ type }) => type === 'svc-demo.fast.lot')
    assert.match(lot?.attributes[1]?.value ?? '', /^[0-9a-zA-Z]{40,43}$/)
    assert.equal(
      views.filter(({ isExpired }) => isExpired).map(({ type }) => type),
      ['svc-demo.old.relic'],
    )
    const [idcard] = views
    const week = Math.floor(NOW_SEC / WEEK_SEC) * WEEK_SEC
    assert.is(idcard?.signedAtSec, week)
    assert.ok((idcard?.expiresAtSec ?? 0) > NOW_SEC + 4 * 365 * 24 * 3600)
    await demo.close()
  },
)

Wallet('an opened wallet has what the created one had', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await createWallet(dir, { developerMode: false }, deps)
  await addDemoCredentials(created, deps)
  await created.setDeveloperMode(true)
  const views = created.credentials()
  await created.close()
  const opened = await openWallet(dir, deps)
  assert.is(opened.dir, dir)
  assert.is(opened.developerMode, true)
  assert.equal(opened.credentials(), views)
  await opened.close()
})

Wallet('a credential whose scheme is not there is kept and not shown', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await createWallet(dir, { developerMode: true }, deps)
  await addDemoCredentials(created, deps, DEMO_CREDENTIALS.slice(0, 1))
  await created.close()
  const blind = { ...deps, schemes: { ...deps.schemes, credentialTypeByHash: () => undefined } }
  const without = await openWallet(dir, blind)
  assert.equal(without.credentials(), [])
  await without.setDeveloperMode(false)
  await without.close()
  const again = await openWallet(dir, deps)
  assert.is(again.credentials().length, 1)
  await again.close()
})

Wallet('a new instance of a singleton type takes the place of the old one', async () => {
  const own = await newWallet([])
  const registration = (number: string) => ({
    type: 'svc-demo.gov.registration',
    attributes: { number, over18: 'yes' },
  })
  await addDemoCredentials(own, deps, [registration('1'), DEMO_CREDENTIALS[0] ?? registration('x')])
  await addDemoCredentials(own, deps, [registration('2')])
  assert.equal(
    own.credentials().map(({ attributes }) => attributes[0]?.value),
    ['A.M.', '2'],
  )
  await own.close()
})

Wallet('a credential with a wrong signature is not kept, and none that came with it', async () => {
  const own = await newWallet([])
  const right: Parameters<typeof own.receive>[0][] = []
  await addDemoCredentials(
    { ...own, receive: async issue => void right.push(issue) },
    deps,
    DEMO_CREDENTIALS.slice(0, 2),
  )
  const [issue] = right
  if (!issue) throw new Error('nothing was issued')
  const wrong = own.receive(secretKey =>
    issue(secretKey).map((credential, i) =>
      i === 0 ? credential : { ...credential, attributes: credential.attributes.with(-1, 3n) },
    ),
  )
  await refused(wrong, /the signature of svc-demo.gov.address is not valid/)
  await refused(
    own.receive(secretKey => issue(secretKey + 1n)),
    /the signature of svc-demo.gov.idcard is not valid/,
  )
  await refused(
    own.receive(() => [{ attributes: [1n], signature: { A: 1n, e: 1n, v: 1n } }]),
    /not among the schemes/,
  )
  await refused(
    own.receive(() => [{ attributes: [], signature: { A: 1n, e: 1n, v: 1n } }]),
    /not among the schemes/,
  )
  assert.equal(own.credentials(), [])
  await own.close()
})

Wallet('more attributes than the type has are refused', async () => {
  const own = await newWallet([])
  const lengthened = {
    ...own,
    receive: (issue: Parameters<typeof own.receive>[0]) =>
      own.receive(secretKey =>
        issue(secretKey).map(each => ({ ...each, attributes: [...each.attributes, 0n] })),
      ),
  }
  const [idcard] = DEMO_CREDENTIALS
  await refused(
    addDemoCredentials(lengthened, deps, idcard ? [idcard] : []),
    /expected at most 5 attributes of svc-demo.gov.idcard/,
  )
  await own.close()
})

Wallet(
  'demo credentials of unknown types or attributes, or without a required one, are refused',
  async () => {
    const own = await newWallet([])
    const add = (type: string, attributes: Record<string, string>) =>
      addDemoCredentials(own, deps, [{ type, attributes }])
    await refused(add('svc-demo.gov.crown', {}), /expected the demo schemes and their private keys/)
    await refused(add('svc-demo.fast.note', { text: 'a', txet: 'b' }), /unknown attribute txet/)
    await refused(add('svc-demo.fast.note', { extra: 'b' }), /svc-demo.fast.note.text: expected a value/)
    await own.close()
  },
)

Wallet('neither the list nor the candidates show the secret key or a signature', () => {
  const file = readFileSync(join(wallet.dir, 'wallet.json'), 'utf8')
  const secrets = [...file.matchAll(/"(?:secretKey|A|v)":"([^"]+)"/g)].map(match => match[1] ?? '')
  assert.ok(secrets.length > 10)
  const shown = JSON.stringify([
    wallet,
    wallet.credentials(),
    wallet.candidates(asking([[['gov.idcard.over18']]])),
  ])
  for (const secret of secrets) assert.not.ok(shown.includes(secret))
})

function disclose(request: Disclosing, pick: (candidates: readonly Candidate[]) => number): string {
  const candidates = wallet.candidates(request)
  return wallet.disclose(
    chosenCandidates(
      candidates,
      candidates.items.map(item => pick(item.candidates)),
    ),
    CHALLENGE,
  )
}

const Disclosure = suite('disclosure message (spec 2.9)')
Disclosure.after(() => wallet.close())

Disclosure('proofs stand in order of first use; a credential that is used twice has one proof', () => {
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

Disclosure('nothing to disclose is a message without proofs', () => {
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
    () => wallet.disclose([{ inner: 0, attributes: [{ ...gone, id: id.type }] }], CHALLENGE),
    /expected an instance of this wallet/,
  )
})

/** Requests about the wallet of the recordings, mostly such that it has something. */
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

type Conjunction = Disclosing['disclose'][number][number]

/** Spec 2.4 and cryptography 12.4, said again in other words: whether one inner conjunction is answered by what is disclosed. */
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
        const text = wallet.disclose(chosen, CHALLENGE)
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

Wallet.run()
Disclosure.run()
