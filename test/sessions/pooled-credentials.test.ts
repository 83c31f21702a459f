/** Two users who answer one session together (spec/cryptography#7.4): all credentials of a scheme must have the same secret key, also with a keyshare
 *  server. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import {
  commitmentBody,
  credential,
  disclosureBody,
  judgeIssuance,
  judgeSession,
  type Keyshare,
  keyshareJwt,
  LOYALTY,
  NOTE,
  OTHER_SECRET,
  type Part,
  prove,
  SECRET,
  secretOf,
} from './app.ts'

const MAIL = 'svc-keyshare.keyshare.mail'

const Pooled = suite('credentials of two users in one message')

/** The outcome of disclosing the first attribute of both types, if the second credential belongs to a user with that secret key. */
async function together(types: readonly [string, string], secondSecret: bigint): Promise<string> {
  const own = secretOf(SECRET)
  const parts = types.map((type, i): Part => {
    const secret = i === 0 ? own : { ...own, value: secondSecret }
    return { credential: credential(type, ['x', null], { secretKey: secret.value }), disclosed: [2], secret }
  })
  const request = {
    '@context': 'https://irma.app/ld/request/disclosure/v2',
    disclose: [[[types[0]]], [[types[1]]]],
  }
  const indices = [0, 1].map(cred => [{ cred, attr: 1 }])
  return (await judgeSession(disclosureBody(prove(parts), indices), request)).told
}

for (const types of [
  [LOYALTY, MAIL],
  [NOTE, 'svc-demo.uni.student'],
] as const)
  Pooled(
    `in one proof group, two secret keys are INVALID, and one is VALID: ${types.join(', ')}`,
    async () => {
      assert.is(await together(types, SECRET), 'VALID')
      assert.is(await together(types, OTHER_SECRET), 'INVALID')
    },
  )

Pooled(
  'in two groups, two secret keys are VALID: they cannot be compared, as a keyshare server has part of one',
  async () => {
    assert.is(await together([LOYALTY, NOTE], OTHER_SECRET), 'VALID')
  },
)

Pooled(
  'an issuance is INVALID if the disclosed credential of a keyshare scheme belongs to another user',
  async () => {
    const user: Keyshare = { mk: 2n ** 250n + 5n, w: 2n ** 580n + 7n }
    const own = secretOf(SECRET)
    for (const [secretKey, expected] of [
      [SECRET, 'VALID'],
      [OTHER_SECRET, 'INVALID'],
    ] as const) {
      const secret = { ...own, value: secretKey }
      const shown = credential(LOYALTY, ['x', null], { secretKey: secretKey + user.mk })
      const message = prove([
        { credential: shown, disclosed: [2], secret, keyshare: user },
        { commitTo: LOYALTY, secret: own, keyshare: user },
      ])
      const proofPJwts = new Map([['svc-keyshare', await keyshareJwt(user, message.c)]])
      const body = commitmentBody(message, { proofPJwts, indices: [[{ cred: 0, attr: 2 }]] })
      const session = { types: [LOYALTY], disclose: [`${LOYALTY}.number`] }
      assert.is((await judgeIssuance(body, session)).told, expected)
    }
  },
)

Pooled.run()
