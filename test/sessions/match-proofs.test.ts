/** Matches disclosed attributes with the request (spec/interface#2.4, #2.9; spec/cryptography#12.4 and #12.5). @module */
import * as assert from 'uvu/assert'
import { encodeRandomBlind } from '../crypto/random-blind.ts'
import { suite } from '../suite.ts'
import { IDCARD, judge, NOTE, NOW_SEC, OVER18, told, WEEK_SEC, YES } from './judge.ts'

const Matching = suite('matching the disclosed attributes with the request')

Matching('with fewer items than requested, the result has only extra attributes', async () => {
  const input = { ...YES, disclose: [...OVER18, ...OVER18] }
  assert.equal(await told(input), ['MISSING_ATTRIBUTES'])
  assert.equal(await told({ ...input, indices: [] }), ['MISSING_ATTRIBUTES', ['Eyes']])
})

Matching(
  'the first inner conjunction that fits counts; an item without one is null, and later items are judged',
  async () => {
    const [initials, over18] = [`${IDCARD}.initials`, `${IDCARD}.over18`]
    const proofs = [{ disclosed: { 2: 'A.B.', 4: 'yes' } }]
    const disclose = [[[initials, over18], [initials]], [[over18], [initials]], [[over18]]]
    assert.equal(await told({ disclose, proofs, indices: [[[0, 2]], [[0, 2]], [[0, 4]]] }), [
      'VALID',
      ['A.B.'],
      ['A.B.'],
      ['yes'],
    ])
    assert.equal(
      await told({
        disclose,
        proofs,
        indices: [
          [
            [0, 2],
            [0, 4],
          ],
          [[0, 3]],
          [[0, 4]],
        ],
      }),
      ['MISSING_ATTRIBUTES', ['A.B.', 'yes'], null, ['yes']],
    )
  },
)

Matching('a disclosed index beyond the attributes of the type is ignored', async () => {
  const proofs = [{ disclosed: { 4: 'yes', 9: 0n } }]
  assert.equal(await told({ ...YES, proofs }), ['VALID', ['yes']])
})

Matching('an optional item is satisfied by an empty list, and not by another attribute', async () => {
  const disclose = [[[`${IDCARD}.over18`], []]]
  assert.equal(await told({ ...YES, disclose }), ['VALID', ['yes']])
  assert.equal(await told({ ...YES, disclose, indices: [[]] }), ['VALID', [], ['Eyes']])
  assert.equal(await told({ ...YES, disclose, indices: [[[0, 1]]] }), ['MISSING_ATTRIBUTES', null, ['Eyes']])
})

Matching('surplus indices of an item are ignored, and their attributes are not extra', async () => {
  const proofs = [{ disclosed: { 2: 'A.B.', 3: 'Voorbeeld', 4: 'yes' } }]
  const indices = [
    [
      [0, 4],
      [0, 2],
    ],
  ] as const
  assert.equal(await told({ ...YES, proofs, indices }), ['VALID', ['yes'], ['EVoorbeeld']])
  assert.equal(await told({ ...YES, proofs, indices: [[[0, 4]], [[0, 2]]] }), [
    'VALID',
    ['yes'],
    ['EA.B.', 'EVoorbeeld'],
  ])
})

Matching(
  'a value must be equal byte by byte; notNull excludes null; null differs from the empty text',
  async () => {
    const asked = (request: object, value: string | bigint | null): Promise<unknown[]> => {
      const disclose = [[[{ type: `${IDCARD}.nationality`, ...request }]]]
      return told({ disclose, proofs: [{ disclosed: { 5: value } }], indices: [[[0, 5]]] })
    }
    assert.equal(await asked({ value: 'é' }, 'é'), ['VALID', ['é']])
    assert.equal(await asked({ value: 'e' }, 'é'), ['MISSING_ATTRIBUTES', null])
    assert.equal(await asked({ value: '' }, ''), ['VALID', ['']])
    assert.equal(await asked({ value: '' }, null), ['MISSING_ATTRIBUTES', null])
    assert.equal(await asked({ notNull: true }, null), ['MISSING_ATTRIBUTES', null])
    assert.equal(await asked({ notNull: true }, ''), ['VALID', ['']])
    assert.equal(await asked({}, null), ['VALID', ['Nnull']])
    const brokenText = 2n * 0xffn + 1n // one byte that is not UTF-8: the result shows U+FFFD, but it equals no text
    assert.equal(await asked({}, brokenText), ['VALID', ['\ufffd']])
    assert.equal(await asked({ value: '\ufffd' }, brokenText), ['MISSING_ATTRIBUTES', null])
  },
)

Matching(
  'attributes of one type in an inner conjunction come from one instance (rule 3), in two items not always',
  async () => {
    const proofs = [
      { type: NOTE, disclosed: { 2: 'a', 3: 'b' } },
      { type: NOTE, disclosed: { 2: 'c', 3: 'd' } },
    ]
    const both = [[[`${NOTE}.text`, `${NOTE}.extra`]]]
    assert.equal(
      await told({
        disclose: both,
        proofs,
        indices: [
          [
            [1, 2],
            [1, 3],
          ],
        ],
      }),
      ['VALID', ['c', 'd'], ['Ea', 'Eb']],
    )
    const mixed = {
      disclose: both,
      proofs,
      indices: [
        [
          [0, 2],
          [1, 3],
        ],
      ] as const,
    }
    assert.equal(await told(mixed), ['MISSING_ATTRIBUTES', null, ['Eb', 'Ec']])
    const items = [[[`${NOTE}.text`]], [[`${NOTE}.extra`]]]
    assert.equal(await told({ disclose: items, proofs, indices: [[[0, 2]], [[1, 3]]] }), [
      'VALID',
      ['a'],
      ['d'],
      ['Eb', 'Ec'],
    ])
  },
)

Matching('a three-part id asks for the credential: index 1, value "present"', async () => {
  const disclose = [[[IDCARD, `${IDCARD}.over18`]]]
  const input = {
    disclose,
    proofs: YES.proofs ?? [],
    indices: [
      [
        [0, 1],
        [0, 4],
      ],
    ] as const,
  }
  assert.equal(await told(input), ['VALID', ['present', 'yes']])
  const { disclosed } = await judge(input)
  assert.is(disclosed?.[0]?.[0]?.id, IDCARD)
  assert.equal(await told({ ...YES, disclose: [[[IDCARD]]] }), ['MISSING_ATTRIBUTES', null])
})

Matching(
  'the value of a random blind attribute is in base 62; credentials of version 2 have no presence bit',
  async () => {
    const lot = 'svc-demo.fast.lot'
    const proofs = [{ type: lot, disclosed: { 3: encodeRandomBlind('Zz09') } }]
    assert.equal(await told({ disclose: [[[`${lot}.number`]]], proofs, indices: [[[0, 3]]] }), [
      'VALID',
      ['Zz09'],
    ])
    const old = [{ type: NOTE, version: 2 as const, disclosed: { 2: 'male', 3: 0n } }]
    const disclose = [[[`${NOTE}.text`, `${NOTE}.extra`]]]
    assert.equal(
      await told({
        disclose,
        proofs: old,
        indices: [
          [
            [0, 2],
            [0, 3],
          ],
        ],
      }),
      ['VALID', ['male', '']],
    )
  },
)

Matching('an index of an attribute that is not disclosed satisfies nothing', async () => {
  for (const attr of [0, 2, 6, 7, 65_535])
    assert.equal(await told({ ...YES, indices: [[[0, attr]]] }), ['MISSING_ATTRIBUTES', null, ['Eyes']])
})

Matching('the time of issue is the start of the week of the credential', async () => {
  const signedAtSec = NOW_SEC - 3 * WEEK_SEC + 5
  const { disclosed } = await judge({ ...YES, proofs: [{ signedAtSec, disclosed: { 4: 'yes' } }] })
  assert.is(disclosed?.[0]?.[0]?.issuancetime, NOW_SEC - 3 * WEEK_SEC)
})

Matching.run()
