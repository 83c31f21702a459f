/** Candidates of a request (spec/interface#2.4; spec/cryptography#12.3, #12.4). @module */
import * as assert from 'uvu/assert'
import { type Candidate, type DisclosureQuery, findCandidates } from '../../libraries/wallet/candidates.ts'
import type { Credential } from '../../libraries/wallet/credential.ts'
import { suite } from '../suite.ts'
import { asking, NOW_SEC, unsigned, WEEK_SEC } from './support.ts'

const long = { signedAtSec: NOW_SEC - 9 * WEEK_SEC, expiresAtSec: NOW_SEC - WEEK_SEC }
const registration = unsigned('re1', 'svc-demo.gov.registration', { number: '1', over18: 'yes' })
const wallet = [
  unsigned('id1', 'svc-demo.gov.idcard', { initials: 'A', familyname: 'Vries', over18: 'yes' }),
  unsigned('id2', 'svc-demo.gov.idcard', { initials: 'B', familyname: 'Jong', over18: 'no' }),
  unsigned('ad1', 'svc-demo.gov.address', { street: 'Voorstraat', city: 'Utrecht', addition: 'bis' }),
  unsigned('ad2', 'svc-demo.gov.address', { street: 'Duinweg', city: 'Vlieland' }),
  registration,
  unsigned('st1', 'svc-demo.uni.student', { university: 'Voorbeeld', level: '' }),
  unsigned('no1', 'svc-demo.fast.note', { text: 'old' }, long),
  unsigned('rl1', 'svc-demo.old.relic', { value: 'x' }),
  unsigned('pe1', 'svc-demo.gov.permit', { kind: 'fishing', number: '7' }),
]

/** One line for each candidate: inner conjunction, then instance, index and value of each attribute. */
function shown(request: DisclosureQuery): string[][] {
  return findCandidates(request, { credentials: wallet, nowSec: NOW_SEC }).items.map(item =>
    item.candidates.map(({ inner, attributes }) =>
      [inner, ...attributes.map(({ credential, index, value }) => `${credential}:${index}=${value}`)].join(
        ' ',
      ),
    ),
  )
}

const Candidates = suite('candidates of a request (spec/interface#2.4)')

const TABLE: readonly (readonly [title: string, request: DisclosureQuery, expected: string[][]])[] = [
  [
    'an attribute is offered from every instance, oldest first',
    asking([[['gov.idcard.over18']]]),
    [['0 id1:4=yes', '0 id2:4=no']],
  ],
  [
    'several attributes of one type come from one instance (rule 3)',
    asking([[['gov.address.city', 'gov.address.street']]]),
    [['0 ad1:6=Utrecht ad1:2=Voorstraat', '0 ad2:6=Vlieland ad2:2=Duinweg']],
  ],
  [
    'a required value selects the instances that have it',
    asking([[[{ type: 'gov.address.city', value: 'Vlieland' }, 'gov.address.street']]]),
    [['0 ad2:6=Vlieland ad2:2=Duinweg']],
  ],
  [
    'a required value that no instance has gives no candidate',
    asking([[[{ type: 'gov.address.city', value: 'Delft' }]]]),
    [[]],
  ],
  ['the empty value is a value', asking([[[{ type: 'uni.student.level', value: '' }]]]), [['0 st1:4=']]],
  ['null is not the empty value (rule 4)', asking([[[{ type: 'uni.student.remarks', value: '' }]]]), [[]]],
  [
    'an attribute that is null may be disclosed (rule 4)',
    asking([[['gov.address.addition']]]),
    [['0 ad1:4=bis', '0 ad2:4=null']],
  ],
  ['notNull excludes null', asking([[[{ type: 'gov.address.addition', notNull: true }]]]), [['0 ad1:4=bis']]],
  [
    'an empty inner conjunction is a candidate that discloses nothing, in the order of the request (rule 1)',
    asking([[['gov.registration.number'], []]]),
    [['0 re1:2=1', '1']],
  ],
  [
    'a disjunction offers only the inner conjunctions that can be answered',
    asking([[['fast.note.text'], ['gov.registration.number']]]),
    [['1 re1:2=1']],
  ],
  [
    'types in one inner conjunction are combined, the last varies fastest',
    asking([[['gov.idcard.initials', 'gov.address.city']]]),
    [
      [
        '0 id1:2=A ad1:6=Utrecht',
        '0 id1:2=A ad2:6=Vlieland',
        '0 id2:2=B ad1:6=Utrecht',
        '0 id2:2=B ad2:6=Vlieland',
      ],
    ],
  ],
  [
    'requests of one type need not be adjacent',
    asking([[['gov.address.city', 'gov.registration.number', 'gov.address.street']]]),
    [['0 ad1:6=Utrecht re1:2=1 ad1:2=Voorstraat', '0 ad2:6=Vlieland re1:2=1 ad2:2=Duinweg']],
  ],
  [
    'three parts name the credential itself (spec/decisions#d8)',
    asking([[['uni.student']]]),
    [['0 st1:1=present']],
  ],
  [
    'the value of the credential itself is "present"',
    asking([[[{ type: 'uni.student', value: 'present' }]], [[{ type: 'uni.student', value: 'x' }]]]),
    [['0 st1:1=present'], []],
  ],
  ['an expired credential is not offered', asking([[['fast.note.text']]]), [[]]],
  [
    'skipExpiryCheck offers an expired credential',
    asking([[['fast.note.text']]], ['fast.note']),
    [['0 no1:2=old']],
  ],
  [
    'a signature made after its key expired is never offered',
    asking([[['old.relic.value']]], ['old.relic']),
    [[]],
  ],
  ['a revocation attribute is never offered', asking([[['gov.permit.']]]), [[]]],
  [
    'attributes beside a revocation attribute keep their index',
    asking([[['gov.permit.number']]]),
    [['0 pe1:4=7']],
  ],
  [
    'an unknown attribute has no candidate',
    asking([[['gov.idcard.height']], [['gov.nothing.height']]]),
    [[], []],
  ],
  [
    'every outer item has its own candidates',
    asking([[['gov.registration.number']], [['gov.registration.over18']]]),
    [['0 re1:2=1'], ['0 re1:3=yes']],
  ],
  ['a request that asks nothing is satisfiable', asking([]), []],
]

for (const [title, request, expected] of TABLE)
  Candidates(title, () => assert.equal(shown(request), expected))

Candidates('a credential is valid in the second of its expiry, and expired after it', () => {
  const request = asking([[['gov.registration.number']]])
  const { expiresAtSec } = registration.metadata
  assert.is(
    findCandidates(request, { credentials: [registration], nowSec: expiresAtSec }).isSatisfiable,
    true,
  )
  assert.is(
    findCandidates(request, { credentials: [registration], nowSec: expiresAtSec + 1 }).isSatisfiable,
    false,
  )
})

Candidates('missing lists the ids without values, for each inner conjunction', () => {
  const request = asking([
    [
      [{ type: 'gov.address.city', value: 'Delft' }, 'gov.address.street', 'gov.registration.number'],
      ['fast.note.text', 'fast.badge.level'],
    ],
    [['gov.registration.number']],
  ])
  const { items, isSatisfiable } = findCandidates(request, { credentials: wallet, nowSec: NOW_SEC })
  assert.is(isSatisfiable, false)
  assert.equal(items[0]?.missing, [
    ['svc-demo.gov.address.city', 'svc-demo.gov.address.street'],
    ['svc-demo.fast.note.text', 'svc-demo.fast.badge.level'],
  ])
  assert.equal(items[1]?.missing, [])
})

Candidates('an item is optional if one of its inner conjunctions is empty', () => {
  const request = asking([[['gov.nothing.x'], []], [['gov.registration.number']]])
  const { items } = findCandidates(request, { credentials: wallet, nowSec: NOW_SEC })
  assert.is(items[0]?.isOptional, true)
  assert.is(items[1]?.isOptional, false)
})

Candidates('an item has at most 100 candidates, shared equally by its inner conjunctions', () => {
  const notes = Array.from({ length: 300 }, (_, i) =>
    unsigned(`n${i}`, 'svc-demo.fast.note', { text: `${i}` }),
  )
  const request = asking([[['fast.note.text'], ['fast.note.extra', 'gov.registration.number'], []]])
  const [item] = findCandidates(request, { credentials: [...notes, registration], nowSec: NOW_SEC }).items
  const counts = [0, 1, 2].map(
    inner => item?.candidates.filter(candidate => candidate.inner === inner).length,
  )
  assert.equal(counts, [33, 33, 1])
})

Candidates('many instances of many types in one inner conjunction give 100 candidates', () => {
  const ids = ['idcard.over18', 'address.city', 'registration.number', 'permit.kind'].map(id => `gov.${id}`)
  const many = ids.flatMap(id => {
    const [issuer, credential, name = ''] = id.split('.')
    return Array.from({ length: 50 }, (_, i) =>
      unsigned(`${id}${i}`, `svc-demo.${issuer}.${credential}`, { [name]: 'x' }),
    )
  })
  const [item] = findCandidates(asking([[ids]]), { credentials: many, nowSec: NOW_SEC }).items
  assert.is(new Set(item?.candidates.map(candidate => JSON.stringify(candidate))).size, 100)
})

Candidates('of more than 100 inner conjunctions the first 100 are offered', () => {
  const disjunction = Array.from({ length: 150 }, () => ['gov.registration.number'])
  const [item] = findCandidates(asking([disjunction]), { credentials: wallet, nowSec: NOW_SEC }).items
  assert.equal(
    item?.candidates.map(({ inner }) => inner),
    Array.from({ length: 100 }, (_, i) => i),
  )
})

const witness = { u: 1n, e: 1n, signed: { data: new Uint8Array(0), keyCounter: 0 } }
const badge = (id: string, level: string, revocation?: Credential['revocation']): Credential => ({
  ...unsigned(id, 'svc-demo.fast.badge', { level }),
  ...(revocation && { revocation }),
})
const BADGES = [
  badge('ba1', '1'),
  badge('ba2', '2', { witness, isRevoked: true }),
  badge('ba3', '3', { witness, isRevoked: false }),
  badge('ba4', '4', { witness, isRevoked: false }),
]
const amongBadges = (request: DisclosureQuery, earlier: readonly Candidate[] = []) =>
  findCandidates(
    request,
    { credentials: [...wallet, ...BADGES], outdated: new Set(['ba4']), nowSec: NOW_SEC },
    earlier,
  )

Candidates(
  'if non-revocation is requested, only instances that can prove it are candidates (spec/cryptography#14.6)',
  () => {
    const request = asking(
      [
        [['fast.badge.level'], ['gov.registration.number']],
        [['fast.note.text'], []],
      ],
      [],
      ['fast.badge'],
    )
    const { items, isSatisfiable } = amongBadges(request)
    assert.is(isSatisfiable, true)
    assert.equal(
      items[0]?.candidates.map(({ attributes }) => attributes[0]?.credential),
      ['ba3', 're1'],
    )
    assert.equal(
      items[0]?.unprovable.map(({ credential, reason }) => [credential, reason]),
      [
        ['ba1', 'no-witness'],
        ['ba4', 'outdated'],
        ['ba2', 'revoked'],
      ],
    )
    assert.equal(items[1]?.unprovable, [])
  },
)

Candidates('if non-revocation is not requested, a revoked instance is offered last', () => {
  const { items } = amongBadges(asking([[['fast.badge.level']]], [], ['gov.permit']))
  assert.equal(
    items[0]?.candidates.map(({ attributes }) => attributes[0]?.credential),
    ['ba1', 'ba3', 'ba4', 'ba2'],
  )
  assert.equal(items[0]?.unprovable, [])
})

Candidates('unprovable lists each instance that fits an inner conjunction once', () => {
  const { items, isSatisfiable } = amongBadges(
    asking(
      [[[{ type: 'fast.badge.level', value: '2' }], ['fast.badge.level', 'fast.note.text']]],
      [],
      ['fast.badge'],
    ),
  )
  assert.is(isSatisfiable, false)
  assert.equal(items[0]?.missing, [['svc-demo.fast.badge.level'], ['svc-demo.fast.note.text']])
  assert.equal(
    items[0]?.unprovable.map(({ credential }) => credential),
    ['ba2', 'ba1', 'ba4'],
  )
})

Candidates('attributes of the earlier session must be provable in the next one too', () => {
  const [item] = amongBadges(asking([[['fast.badge.level']]])).items
  const revokedThenValid = [3, 1].flatMap(i => item?.candidates[i] ?? [])
  const again = amongBadges(asking([], [], ['fast.badge']), revokedThenValid).items
  assert.equal(
    again.map(({ candidates, unprovable }) => [candidates.length, unprovable[0]?.reason]),
    [
      [0, 'revoked'],
      [1, undefined],
    ],
  )
})

Candidates.run()
