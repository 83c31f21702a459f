/** The option `keyshare_v1` of a keyshare server (spec/decisions#keyshare_v1). */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../../crypto/bytes.ts'
import { hashUserInput, type UserInput } from '../../../crypto/keyshare/user-input.ts'
import type { KeyshareV1 } from '../../../sessions/first-version.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import { headersOf, registered, rowOf, said } from './app.ts'
import { type KeyshareOfTest, withKeyshare } from './harness.ts'
import { committed, LONG, type Logged, OTHER, responded, SHORT } from './proof-calls.ts'

const REFUSED = /^400 INVALID_REQUEST first version of the proofs: expected getCommitments/

function withRule(
  keyshareV1: KeyshareV1,
  use: (server: KeyshareOfTest, user: Logged) => Promise<void>,
): Promise<void> {
  const deps = ({ settings }: KeyshareOfTest['deps']) => ({ settings: { ...settings, keyshareV1 } })
  return withKeyshare({ deps }, async server => {
    const app = await registered(server)
    await use(server, { app, headers: await headersOf(server, app) })
  })
}

const INPUT: readonly UserInput[] = [{ key: null, val: 424242n, comm: 131313n, otherComms: [] }]

/** A whole round of the second version. */
async function second({ call }: KeyshareOfTest, { headers }: Logged, path: string): Promise<Answer> {
  const hashedComms = Buffer.from(hashUserInput(INPUT)).toString('base64')
  const commit = { keys: [LONG], hw: { hashedComms } }
  assert.is((await call('POST', '/api/v2/prove/getCommitments', { headers, body: commit })).status, 200)
  const input = INPUT.map(({ val, comm }) => ({ val: toBase64(val), comm: toBase64(comm) }))
  const body = { nonce: 1, resp: 1, UserChallengeInput: input }
  return call('POST', `/api/v2/prove/${path}`, { headers, body })
}

/** The issuers in the warnings. */
function warnedOf({ log }: KeyshareOfTest): string[] {
  const lines = log.map(line => JSON.parse(line))
  return lines.filter(({ msg }) => /first version/.test(msg)).map(({ level, issuer }) => `${level} ${issuer}`)
}

const First = suite('keyshare server: keyshare_v1')

First(
  'by default, calls of the first version are answered, with one warning per issuer and day',
  async () => {
    await withRule('warn', async (server, user) => {
      for (let round = 0; round < 2; round++) {
        assert.is((await committed(server, user, [SHORT, LONG, OTHER])).status, 200)
        assert.is((await responded(server, user)).status, 200)
      }
      assert.equal(warnedOf(server), ['40 svc-demo.uni', '40 svc-demo.gov'])
    })
  },
)

First('the linkable response causes a warning, too; other calls of the second version do not', async () => {
  await withRule('warn', async (server, user) => {
    assert.is((await second(server, user, 'getResponse')).status, 200)
    assert.equal(warnedOf(server), [])
    assert.is((await second(server, user, 'getResponseLinkable')).status, 200)
    assert.equal(warnedOf(server), ['40 svc-demo.gov'])
  })
})

First('a call without a valid JWT causes no warning', async () => {
  await withRule('warn', async (server, user) => {
    const headers = { ...user.headers, Authorization: 'x' }
    assert.is((await committed(server, { ...user, headers }, [LONG])).status, 400)
    assert.equal(warnedOf(server), [])
  })
})

First('allow answers calls of the first version without a warning', async () => {
  await withRule('allow', async (server, user) => {
    assert.is((await committed(server, user, [LONG])).status, 200)
    assert.is((await responded(server, user)).status, 200)
    assert.is((await second(server, user, 'getResponseLinkable')).status, 200)
    assert.equal(warnedOf(server), [])
  })
})

First(
  'refuse answers 400 to calls of the first version, on every path, and stores no commitment',
  async () => {
    await withRule('refuse', async (server, user) => {
      const { headers } = user
      for (const prefix of ['', '/api/v1'])
        for (const [path, body] of [
          ['getCommitments', [LONG]],
          ['getResponse', '5'],
        ] as const)
          assert.match(said(await server.call('POST', `${prefix}/prove/${path}`, { headers, body })), REFUSED)
      assert.is((await rowOf(server, user.app.userName)).commitment, null)
    })
  },
)

First('refuse answers the second version, except the linkable response, whose commitment stays', async () => {
  await withRule('refuse', async (server, user) => {
    assert.match(said(await second(server, user, 'getResponseLinkable')), REFUSED)
    assert.is.not((await rowOf(server, user.app.userName)).commitment, null)
    assert.is((await second(server, user, 'getResponse')).status, 200)
    assert.equal(warnedOf(server), [])
  })
})

First.run()
