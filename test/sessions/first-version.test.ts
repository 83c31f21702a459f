/** The option `keyshare_v1` at the issuer (spec/decisions#keyshare_v1): how it distinguishes the versions of a keyshare proof, and how it handles the first one. */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { RemoteError } from '../../protocol/errors.ts'
import { checkSubmission } from '../../sessions/check-submission.ts'
import type { KeyshareV1 } from '../../sessions/first-version.ts'
import { suite } from '../suite.ts'
import {
  commitmentBody,
  credential,
  type Keyshare,
  keyOf,
  keyshareJwt,
  LOYALTY,
  type Message,
  NOTE,
  prove,
  secretOf,
  services,
  signJwt,
  submissionOfIssuance,
} from './app.ts'
import { arithmetic } from './submissions.ts'

const NUMBER = 'svc-keyshare.shop.loyalty.number'
const USER: Keyshare = { mk: 2n ** 250n + 5n, w: 2n ** 580n + 7n }
const SECRET = secretOf()
const { n, R } = keyOf(LOYALTY)
const P = arithmetic.power(R[0] ?? 0n, USER.mk, n)

/** The outcome, and the issuers that were noted. */
async function outcome(body: string, keyshareV1: KeyshareV1, types = [LOYALTY], disclose: string[] = []) {
  const noted: string[] = []
  const input = { ...submissionOfIssuance(body, { types, disclose }), keyshareV1 }
  const noteFirstVersion = (issuer: string): void => {
    noted.push(issuer)
  }
  const told = await checkSubmission(input, { ...services, noteFirstVersion }).then(
    ({ judgement }) => judgement.proofStatus,
    (error: unknown) => {
      if (!(error instanceof RemoteError)) throw error
      return `${error.status} ${error.type} ${error.message}`
    },
  )
  return { told, noted }
}

function withJwt(message: Message, jwt: string, indices: { cred: number; attr: number }[][] = []): string {
  return commitmentBody(message, { proofPJwts: new Map([['svc-keyshare', jwt]]), indices })
}

async function firstVersion(): Promise<string> {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
  return withJwt(message, await keyshareJwt(USER, message.c))
}

/** The response of both halves, and U with P in it, as the second version has them. */
async function secondVersion(changes: { readonly c?: bigint; readonly s?: bigint } = {}): Promise<string> {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }], SECRET)
  const { c = message.c, s = SECRET.randomizer + c * SECRET.value + USER.w + c * USER.mk } = changes
  const jwt = await signJwt({ c: toBase64(c), s_response: toBase64(s) })
  const commitments = message.commitments.map(each => ({
    ...each,
    U: (each.U * P) % n,
    c: 5n,
    sResponse: 6n,
  }))
  return withJwt({ ...message, commitments }, jwt)
}

/** The response is that to challenge c. The challenge in the JWT is c + change. */
function answerTo(c: bigint, change: bigint): Promise<string> {
  return signJwt({ P: toBase64(P), c: toBase64(c + change), s_response: toBase64(USER.w + c * USER.mk) })
}

const OWNED = credential(LOYALTY, ['1'], { secretKey: SECRET.value + USER.mk })
const Versions = suite('keyshare_v1 at the issuer')

Versions('a proof with P is accepted by default, and its issuer is noted', async () => {
  assert.equal(await outcome(await firstVersion(), 'warn'), { told: 'VALID', noted: ['svc-keyshare.shop'] })
})

Versions('allow: a proof with P is accepted, and no issuer is noted', async () => {
  assert.equal(await outcome(await firstVersion(), 'allow'), { told: 'VALID', noted: [] })
})

Versions('refuse: a proof with P is KEYSHARE_PROOF_MISSING, with the expected version', async () => {
  const { told, noted } = await outcome(await firstVersion(), 'refuse')
  assert.match(
    told,
    /^403 KEYSHARE_PROOF_MISSING .*svc-keyshare: expected one of the second version, without P/,
  )
  assert.equal(noted, [])
})

Versions('a proof without P is accepted by every rule, and no issuer is noted', async () => {
  for (const rule of ['warn', 'allow', 'refuse'] as const)
    assert.equal(await outcome(await secondVersion(), rule), { told: 'VALID', noted: [] })
})

Versions('another challenge or response than that of the keyshare server is INVALID', async () => {
  for (const changes of [{ c: 7n }, { s: 7n }])
    assert.is((await outcome(await secondVersion(changes), 'refuse')).told, 'INVALID')
})

Versions(
  'first version: an answer of the keyshare server to another challenge is INVALID, also for a disclosure',
  async () => {
    const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
    const shown = { credential: OWNED, disclosed: [1, 2], keyshare: USER }
    const combined = prove([shown, { commitTo: NOTE }], SECRET)
    for (const [change, told] of [
      [0n, 'VALID'],
      [1n, 'INVALID'],
    ] as const) {
      const issued = withJwt(message, await answerTo(message.c, change))
      assert.is((await outcome(issued, 'warn')).told, told)
      const both = withJwt(combined, await answerTo(combined.c, change), [[{ cred: 0, attr: 2 }]])
      assert.is((await outcome(both, 'warn', [NOTE], [NUMBER])).told, told)
    }
  },
)

Versions('first version: another challenge in the proof of the app is INVALID', async () => {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
  const commitments = message.commitments.map(each => ({ ...each, c: each.c + 1n }))
  const issued = withJwt({ ...message, commitments }, await answerTo(message.c, 0n))
  assert.is((await outcome(issued, 'warn')).told, 'INVALID')
  const combined = prove(
    [{ credential: OWNED, disclosed: [1, 2], keyshare: USER }, { commitTo: NOTE }],
    SECRET,
  )
  const disclosures = combined.disclosures.map(each => ({ ...each, c: each.c + 1n }))
  const jwt = await answerTo(combined.c, 0n)
  const both = withJwt({ ...combined, disclosures }, jwt, [[{ cred: 0, attr: 2 }]])
  assert.is((await outcome(both, 'warn', [NOTE], [NUMBER])).told, 'INVALID')
})

Versions('a P of null counts as absent', async () => {
  const message = prove([{ commitTo: LOYALTY, keyshare: USER }])
  const { c } = message
  const jwt = await signJwt({ P: null, c: toBase64(c), s_response: toBase64(USER.w + c * USER.mk) })
  assert.equal(await outcome(withJwt(message, jwt), 'allow'), { told: 'INVALID', noted: [] })
})

Versions('the rule also applies if only a disclosed credential has a keyshare server', async () => {
  const parts = [{ credential: OWNED, disclosed: [1, 2], keyshare: USER }, { commitTo: NOTE }] as const
  const message = prove(parts, SECRET)
  const body = withJwt(message, await keyshareJwt(USER, message.c), [[{ cred: 0, attr: 2 }]])
  const { told, noted } = await outcome(body, 'warn', [NOTE], [NUMBER])
  assert.equal([told, noted], ['VALID', ['svc-keyshare.shop']])
  assert.match((await outcome(body, 'refuse', [NOTE], [NUMBER])).told, /^403 KEYSHARE_PROOF_MISSING/)
})

Versions.run()
