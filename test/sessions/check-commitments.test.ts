/** The judgement of an issuance commitment message (spec/interface#2.9; spec/cryptography#9.2, #16; spec/decisions#d16, #d23): real proofs, right and wrong. @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { suite } from '../suite.ts'
import {
  commitmentBody,
  credential,
  judgeIssuance,
  LOT,
  N2,
  NOTE,
  NOW_SEC,
  OTHER_SECRET,
  prove,
  secretOf,
  toldOfIssuance,
  WEEK_SEC,
} from './app.ts'

const ADDRESS = 'svc-demo.gov.address'
const MALFORMED = '400 MALFORMED_INPUT'

const Commitments = suite('the judgement of commitments')

Commitments('a valid message returns the commitments in their order, and the nonce of the app', async () => {
  const message = prove([{ commitTo: LOT }, { commitTo: NOTE }])
  const { checked } = await judgeIssuance(commitmentBody(message), { types: [LOT, NOTE] })
  assert.equal(checked, {
    judgement: { proofStatus: 'VALID', disclosed: [] },
    commitments: { n2: N2, U: message.commitments.map(({ U }) => U) },
  })
})

Commitments('fewer or more commitments than credentials are MALFORMED_INPUT', async () => {
  const { commitments } = prove([{ commitTo: NOTE }, { commitTo: NOTE }])
  const both = commitmentBody({ disclosures: [], commitments })
  assert.is(await toldOfIssuance(both, { types: [NOTE, NOTE] }), 'VALID')
  assert.is(await toldOfIssuance(both, { types: [NOTE] }), MALFORMED)
  assert.is(await toldOfIssuance(both, { types: [NOTE, NOTE, NOTE] }), MALFORMED)
  assert.is(
    await toldOfIssuance(commitmentBody({ disclosures: [], commitments: [] }), { types: [NOTE] }),
    MALFORMED,
  )
})

Commitments('a disclosure in the place of a commitment is INVALID', async () => {
  const { disclosures } = prove([{ credential: credential(NOTE, ['x', null]), disclosed: [2] }])
  assert.is(
    await toldOfIssuance(commitmentBody({ disclosures, commitments: [] }), { types: [NOTE] }),
    'INVALID',
  )
})

Commitments('a commitment for another key, or for other random blind attributes, is INVALID', async () => {
  const body = (type: string): string => commitmentBody(prove([{ commitTo: type }]))
  assert.is(await toldOfIssuance(body(NOTE), { types: [ADDRESS] }), 'INVALID')
  assert.is(await toldOfIssuance(body(NOTE), { types: [LOT] }), 'INVALID')
  assert.is(await toldOfIssuance(body(LOT), { types: [NOTE] }), 'INVALID')
  const swapped = commitmentBody(prove([{ commitTo: NOTE }, { commitTo: LOT }]))
  assert.is(await toldOfIssuance(swapped, { types: [LOT, NOTE] }), 'INVALID')
})

Commitments('no number can be added to an attribute, the metadata or the secret key (MUST 2)', async () => {
  for (const randomBlind of [[2], [3], [1], [0], [1, 2], [2, 3]]) {
    const message = prove([{ commitTo: NOTE, randomBlind }])
    assert.is(await toldOfIssuance(commitmentBody(message), { types: [NOTE] }), 'INVALID')
  }
  const none = commitmentBody(prove([{ commitTo: LOT, randomBlind: [] }]))
  assert.is(await toldOfIssuance(none, { types: [LOT] }), 'INVALID')
})

Commitments(
  'two secret keys in one message are INVALID: in two commitments, or in a disclosure and a commitment',
  async () => {
    const own = secretOf()
    const other = { ...own, value: OTHER_SECRET }
    const two = prove([
      { commitTo: NOTE, secret: own },
      { commitTo: NOTE, secret: other },
    ])
    assert.is(await toldOfIssuance(commitmentBody(two), { types: [NOTE, NOTE] }), 'INVALID')
    const foreign = credential(NOTE, ['x', null], { secretKey: OTHER_SECRET })
    for (const secret of [own, other]) {
      const message = prove([
        { credential: foreign, disclosed: [2], secret: other },
        { commitTo: NOTE, secret },
      ])
      const session = { types: [NOTE], disclose: [`${NOTE}.text`] }
      const body = commitmentBody(message, { indices: [[{ cred: 0, attr: 2 }]] })
      assert.is(await toldOfIssuance(body, session), secret === other ? 'VALID' : 'INVALID')
    }
  },
)

Commitments(
  'disclosed attributes must match and be valid; below version 2.7 a failure is a remote error (spec/decisions#d23)',
  async () => {
    const indices = [[{ cred: 0, attr: 2 }]]
    const session = { types: [NOTE], disclose: [`${NOTE}.text`] }
    const body = (expiresAtSec: number, attr: number): string => {
      const disclosed = credential(NOTE, ['x', 'y'], { signedAtSec: NOW_SEC - 9 * WEEK_SEC, expiresAtSec })
      return commitmentBody(prove([{ credential: disclosed, disclosed: [attr] }, { commitTo: NOTE }]), {
        indices,
      })
    }
    const cases = [
      [body(NOW_SEC + WEEK_SEC, 2), 'VALID', 'VALID'],
      [body(NOW_SEC - WEEK_SEC, 2), 'EXPIRED', '400 ATTRIBUTES_EXPIRED'],
      [body(NOW_SEC + WEEK_SEC, 3), 'MISSING_ATTRIBUTES', '400 INVALID_PROOFS'],
    ] as const
    for (const [text, status, below] of cases) {
      const { told: above, checked } = await judgeIssuance(text, session)
      assert.is(above, status)
      assert.is(checked?.commitments === null, status !== 'VALID')
      assert.ok(checked?.judgement.disclosed)
      assert.is(await toldOfIssuance(text, { ...session, minor: 7 }), status)
      assert.is(await toldOfIssuance(text, { ...session, minor: 6 }), below)
    }
  },
)

Commitments('an attribute that was not requested is EXTRA, and the credential is issued', async () => {
  const message = prove([{ credential: credential(NOTE, ['x', null]), disclosed: [2] }, { commitTo: NOTE }])
  const { told: status, checked } = await judgeIssuance(commitmentBody(message), { types: [NOTE] })
  assert.is(status, 'VALID')
  assert.equal(
    checked?.judgement.disclosed?.map(list => list?.map(each => each.status)),
    [['EXTRA']],
  )
})

Commitments(
  'a disclosure under an unknown key is MALFORMED_INPUT; one with a range proof or an unknown type is INVALID',
  async () => {
    const session = { types: [NOTE] }
    const { disclosures, commitments } = prove([
      { credential: credential(NOTE, ['x', null]), disclosed: [] },
      { commitTo: NOTE },
    ])
    const metadata = disclosures[0]?.aDisclosed.get(1) ?? 0n
    const underKey7 = disclosures.map(each => ({
      ...each,
      aDisclosed: new Map([[1, metadata + (7n << 128n)]]),
    }))
    assert.is(
      await toldOfIssuance(commitmentBody({ disclosures: underKey7, commitments }), session),
      MALFORMED,
    )
    const body = commitmentBody({ disclosures, commitments })
    assert.is(await toldOfIssuance(body, session), 'VALID')
    assert.is(
      await toldOfIssuance(body.replace('"a_disclosed"', '"rangeproofs":{},"a_disclosed"'), session),
      'INVALID',
    )
    const noType = disclosures.map(each => ({ ...each, aDisclosed: new Map([[1, metadata + 1n]]) }))
    assert.is(await toldOfIssuance(commitmentBody({ disclosures: noType, commitments }), session), 'INVALID')
  },
)

Commitments('two instances of a singleton are INVALID, of another type they are not', async () => {
  const twice = async (type: string, count: number): Promise<string> => {
    const shown = Array.from({ length: count }, () => ({
      credential: credential(type, ['x', 'y', null].slice(0, type === NOTE ? 2 : 3)),
      disclosed: [2],
    }))
    const message = prove([...shown, { commitTo: NOTE }])
    return toldOfIssuance(commitmentBody(message), { types: [NOTE] })
  }
  assert.is(await twice('svc-demo.gov.registration', 1), 'VALID')
  assert.is(await twice(NOTE, 2), 'VALID')
  assert.is(await twice('svc-demo.gov.registration', 2), 'INVALID')
})

Commitments('a nonce of more than 256 bits, or none, is MALFORMED_INPUT', async () => {
  const body = commitmentBody(prove([{ commitTo: NOTE }]))
  const withN2 = (n2: bigint): string => body.replace(`"n_2":"${toBase64(N2)}"`, `"n_2":"${toBase64(n2)}"`)
  assert.is(await toldOfIssuance(withN2(2n ** 256n - 1n), { types: [NOTE] }), 'VALID')
  assert.is(await toldOfIssuance(withN2(2n ** 256n), { types: [NOTE] }), MALFORMED)
  assert.is(await toldOfIssuance(body.replace('n_2', 'n2'), { types: [NOTE] }), MALFORMED)
})

Commitments.run()
