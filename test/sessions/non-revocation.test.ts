/** The accumulator that a proof of non-revocation must refer to, and the reported status (spec/cryptography#12.5, #14.6). @module */
import * as assert from 'uvu/assert'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type { SentUpdate } from '../../protocol/sent-updates.ts'
import { suite } from '../suite.ts'
import { type Case, type Credential, judge, NOW_SEC, WEEK_SEC } from './judge.ts'

const BADGE = 'svc-demo.fast.badge'
/** The base index of its attribute `level`. */
const LEVEL = 3
const DISCLOSE = [[[`${BADGE}.level`]]]
const PERMIT = 'svc-demo.gov.permit'

type RequestOfCase = Pick<Case, 'disclose' | 'indices' | 'members'>
/** A request for one badge with a proof of non-revocation. */
const ASKED: RequestOfCase = { disclose: DISCLOSE, indices: [[[0, LEVEL]]], members: { revocation: [BADGE] } }

function badge(index: number, agoSec: number, more: Credential = {}): Credential {
  return { type: BADGE, disclosed: { [LEVEL]: '3' }, provedAt: { index, atSec: NOW_SEC - agoSec }, ...more }
}

function sent(index: number, refreshedAgoSec: number | null = null, type = BADGE, counter = 0) {
  const refreshedAtSec = refreshedAgoSec === null ? null : NOW_SEC - refreshedAgoSec
  const update: SentUpdate = { index, refreshedAtSec, update: {} }
  return new Map([[parseCredentialTypeId(type), new Map([[counter, update]])]])
}

/** Status, and the reported revocation of the first attribute. */
async function told(input: Case, isValid?: boolean): Promise<unknown[]> {
  const { proofStatus, disclosed } = await judge(input, isValid)
  const [attribute] = disclosed?.[0] ?? []
  if (!attribute) return [proofStatus]
  const { notrevoked, notrevokedbefore } = attribute
  const agoSec = notrevokedbefore === undefined ? undefined : NOW_SEC - notrevokedbefore
  return [proofStatus, notrevoked, agoSec]
}

const Rules = suite('rules of revocation at the verifier')

Rules('14.6 rule 1: a proof of a listed type without a proof of non-revocation is INVALID', async () => {
  const bare = { type: BADGE, disclosed: { [LEVEL]: '3' } }
  assert.equal(await told({ ...ASKED, proofs: [bare] }), ['INVALID'])
  const unasked = { disclose: DISCLOSE, indices: [[[0, LEVEL]]], proofs: [bare] } as const
  assert.equal(await told(unasked), ['VALID', undefined, undefined])
  assert.equal(await told({ ...unasked, members: { revocation: [PERMIT] } }), ['VALID', undefined, undefined])
})

Rules(
  '14.6 rule 2: an accumulator older than the sent one is INVALID; the same or a newer one is VALID',
  async () => {
    for (const [theirs, ours, status] of [
      [4, 5, 'INVALID'],
      [5, 5, 'VALID'],
      [6, 5, 'VALID'],
    ] as const) {
      const input = { ...ASKED, proofs: [badge(theirs, 1)], nonRevocation: { sent: sent(ours) } }
      assert.is((await told(input))[0], status, `${theirs} against ${ours}`)
    }
  },
)

Rules(
  '14.6 rule 2: the sent update of the same type and key counts; without one, any accumulator is VALID',
  async () => {
    for (const other of [new Map(), sent(5, null, PERMIT), sent(5, null, BADGE, 1)])
      assert.equal(await told({ ...ASKED, proofs: [badge(0, 1)], nonRevocation: { sent: other } }), [
        'VALID',
        true,
        undefined,
      ])
  },
)

Rules('14.6 rule 2 also applies to a proof of non-revocation that was not requested', async () => {
  const input = { ...ASKED, members: {}, proofs: [badge(4, 1)] }
  assert.equal(await told({ ...input, nonRevocation: { sent: sent(5) } }), ['INVALID'])
  assert.equal(await told(input), ['VALID', true, undefined])
})

Rules('12.5: a wrong proof is INVALID, and nothing is reported about revocation', async () => {
  assert.equal(await told({ ...ASKED, proofs: [badge(5, 1)] }, false), ['INVALID'])
})

Rules(
  '14.6 rule 4: an accumulator older than the tolerance sets notrevokedbefore; the status stays VALID',
  async () => {
    const configured = { toleranceSec: () => 100 }
    for (const [agoSec, revocation, nonRevocation, before] of [
      [600, [BADGE], {}, undefined],
      [601, [BADGE], {}, 601],
      [100, [BADGE], configured, undefined],
      [101, [BADGE], configured, 101],
      [101, { [BADGE]: { tolerance: 101 } }, configured, undefined],
      [102, { [BADGE]: { tolerance: 101 } }, configured, 102],
      [102, { [BADGE]: { tolerance: 0 } }, configured, 102],
      [101, [], configured, 101],
    ] as const) {
      const input = { ...ASKED, members: { revocation }, proofs: [badge(5, agoSec)], nonRevocation }
      assert.equal(await told(input), ['VALID', true, before], `${agoSec} ${JSON.stringify(revocation)}`)
    }
  },
)

Rules('14.6 rule 4: an accumulator from the future is within tolerance', async () => {
  assert.equal(await told({ ...ASKED, proofs: [badge(5, -100_000)] }), ['VALID', true, undefined])
})

Rules(
  '14.6 rule 3: the sent accumulator counts as old as its last confirmation by the authority',
  async () => {
    for (const [theirs, refreshedAgoSec, before] of [
      [5, 1, undefined],
      [5, 650, 650],
      [5, 800, 700],
      [5, null, 700],
      [6, 1, 700],
    ] as const) {
      const nonRevocation = { sent: sent(5, refreshedAgoSec) }
      assert.equal(await told({ ...ASKED, proofs: [badge(theirs, 700)], nonRevocation }), [
        'VALID',
        true,
        before,
      ])
    }
  },
)

Rules('two instances are judged one by one', async () => {
  const disclose = [...DISCLOSE, ...DISCLOSE]
  const twice = { ...ASKED, disclose, indices: [[[0, LEVEL]], [[1, LEVEL]]] as const }
  const nonRevocation = { sent: sent(5) }
  const { proofStatus, disclosed } = await judge({
    ...twice,
    nonRevocation,
    proofs: [badge(5, 1), badge(6, 700)],
  })
  assert.is(proofStatus, 'VALID')
  assert.equal(
    disclosed?.map(list => list?.map(each => [each.notrevoked, each.notrevokedbefore])),
    [[[true, undefined]], [[true, NOW_SEC - 700]]],
  )
  assert.equal(await told({ ...twice, nonRevocation, proofs: [badge(5, 1), badge(4, 1)] }), ['INVALID'])
})

Rules('an optional item may be left out; if it is answered, it needs a proof of non-revocation', async () => {
  const optional = { ...ASKED, disclose: [[[], [`${BADGE}.level`]], [[`${BADGE}.level`]]] }
  const indices = [[], [[0, LEVEL]]] as const
  assert.equal((await judge({ ...optional, indices, proofs: [badge(5, 1)] })).proofStatus, 'VALID')
  const bare = { type: BADGE, disclosed: { [LEVEL]: '3' } }
  const both = [[[1, LEVEL]], [[0, LEVEL]]] as const
  assert.is((await judge({ ...optional, indices: both, proofs: [badge(5, 1), bare] })).proofStatus, 'INVALID')
})

Rules(
  'an expired credential that is not revoked is EXPIRED, and each of its attributes has notrevoked',
  async () => {
    const expired = badge(5, 1, {
      expiresAtSec: NOW_SEC - WEEK_SEC,
      signedAtSec: NOW_SEC - 2 * WEEK_SEC,
      disclosed: { [LEVEL]: '3', 4: 'me' },
    })
    const { proofStatus, disclosed } = await judge({ ...ASKED, proofs: [expired] })
    assert.is(proofStatus, 'EXPIRED')
    assert.equal(
      disclosed?.flat().map(each => [each?.rawvalue, each?.status, each?.notrevoked]),
      [
        ['3', 'PRESENT', true],
        ['me', 'EXTRA', true],
      ],
    )
  },
)

Rules('the members of a disclosed attribute are in the order of the wire', async () => {
  const { disclosed } = await judge({ ...ASKED, proofs: [badge(5, 601)] })
  assert.equal(Object.keys(disclosed?.[0]?.[0] ?? {}), [
    'rawvalue',
    'value',
    'id',
    'status',
    'issuancetime',
    'notrevoked',
    'notrevokedbefore',
  ])
})

Rules.run()
