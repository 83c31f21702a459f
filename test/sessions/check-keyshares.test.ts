/** The issuer checks commitments with a keyshare server's part (spec/interface#4.6 rules 4 and 5; spec/cryptography#11.3, #11.4; spec/decisions#d13). @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { suite } from '../suite.ts'
import {
  commitmentBody,
  judgeIssuance,
  type Keyshare,
  keyOf,
  keyshareJwt,
  LOYALTY,
  NOTE,
  prove,
  signJwt,
  toldOfIssuance,
} from './app.ts'
import { arithmetic } from './submissions.ts'

const MISSING = '403 KEYSHARE_PROOF_MISSING'
const USER: Keyshare = { mk: 2n ** 250n + 5n, w: 2n ** 580n + 7n }

const Keyshares = suite("commitments with a keyshare server's part")
const LOYALTY_ONLY = { types: [LOYALTY] }

/** The body for LOYALTY with these JWTs by scheme. */
async function withJwts(
  jwts: (c: bigint) => Promise<readonly (readonly [string, string])[]>,
): Promise<string> {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
  return commitmentBody(message, { proofPJwts: new Map(await jwts(message.c)) })
}

Keyshares('the part is added to U and to the response, and the signed U contains it', async () => {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
  const jwt = await keyshareJwt(USER, message.c)
  const proofPJwts = new Map([['svc-keyshare', jwt]])
  const { told: status, checked } = await judgeIssuance(commitmentBody(message, { proofPJwts }), LOYALTY_ONLY)
  assert.is(status, 'VALID')
  const { n, R } = keyOf(LOYALTY)
  const P = arithmetic.power(R[0] ?? 0n, USER.mk, n)
  assert.equal(checked?.commitments?.U, [((message.commitments[0]?.U ?? 0n) * P) % n])
})

Keyshares('a JWT of another user, for another key or another challenge is INVALID', async () => {
  const others: readonly ((c: bigint) => Promise<string>)[] = [
    c => keyshareJwt({ ...USER, mk: USER.mk + 1n }, c),
    c => keyshareJwt({ ...USER, w: USER.w + 1n }, c),
    c => keyshareJwt(USER, c, keyOf(NOTE)),
    c => keyshareJwt(USER, c, keyOf('svc-keyshare.keyshare.mail')),
    c => keyshareJwt(USER, c + 1n),
  ]
  for (const other of others)
    assert.is(
      await toldOfIssuance(await withJwts(async c => [['svc-keyshare', await other(c)]]), LOYALTY_ONLY),
      'INVALID',
    )
})

Keyshares(
  'a JWT of another scheme alone is KEYSHARE_PROOF_MISSING; beside the right one it is ignored (spec/decisions#d13)',
  async () => {
    const other = await withJwts(async c => [['svc-demo', await keyshareJwt(USER, c)]])
    assert.is(await toldOfIssuance(other, LOYALTY_ONLY), MISSING)
    const both = await withJwts(async c => [
      ['svc-demo', 'nonsense'],
      ['svc-keyshare', await keyshareJwt(USER, c)],
      ['no-such-scheme', 'nonsense'],
    ])
    assert.is(await toldOfIssuance(both, LOYALTY_ONLY), 'VALID')
    const none = commitmentBody(prove([{ commitTo: NOTE }]), {
      proofPJwts: new Map([['svc-demo', 'nonsense']]),
    })
    assert.is(await toldOfIssuance(none, { types: [NOTE] }), 'VALID')
  },
)

Keyshares(
  'a single proofPJwt is read if the map has no JWT for the scheme (spec/decisions#d13)',
  async () => {
    const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
    const jwt = await keyshareJwt(USER, message.c)
    const withSingle = (map: object): string =>
      JSON.stringify({ ...JSON.parse(commitmentBody(message)), ...map, proofPJwt: jwt })
    assert.is(await toldOfIssuance(withSingle({}), LOYALTY_ONLY), 'VALID')
    assert.is(await toldOfIssuance(withSingle({ proofPJwts: {} }), LOYALTY_ONLY), 'VALID')
    assert.is(
      await toldOfIssuance(withSingle({ proofPJwts: { 'svc-keyshare': 'x' } }), LOYALTY_ONLY),
      MISSING,
    )
  },
)

Keyshares(
  'without P the response of the keyshare server covers the whole secret, and replaces that of the app',
  async () => {
    const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
    const { n, R } = keyOf(LOYALTY)
    const P = arithmetic.power(R[0] ?? 0n, USER.mk, n)
    const total = (message.commitments[0]?.sResponse ?? 0n) + USER.w + message.c * USER.mk
    const commitments = message.commitments.map(each => ({
      ...each,
      U: (each.U * P) % n,
      c: 0n,
      sResponse: 0n,
    }))
    const body = async (c: bigint): Promise<string> => {
      const jwt = await signJwt({ c: toBase64(c), s_response: toBase64(total) })
      return commitmentBody(
        { disclosures: [], commitments },
        { proofPJwts: new Map([['svc-keyshare', jwt]]) },
      )
    }
    assert.is(await toldOfIssuance(await body(message.c), LOYALTY_ONLY), 'VALID')
    assert.is(await toldOfIssuance(await body(message.c + 1n), LOYALTY_ONLY), 'INVALID')
  },
)

Keyshares(
  'beside a credential without a keyshare server: each proof gets the part of its own scheme',
  async () => {
    const message = prove([{ commitTo: LOYALTY, keyshare: USER }, { commitTo: NOTE }])
    const proofPJwts = new Map([['svc-keyshare', await keyshareJwt(USER, message.c)]])
    assert.is(
      await toldOfIssuance(commitmentBody(message, { proofPJwts }), { types: [LOYALTY, NOTE] }),
      'VALID',
    )
    assert.is(await toldOfIssuance(commitmentBody(message), { types: [LOYALTY, NOTE] }), MISSING)
  },
)

Keyshares.run()
