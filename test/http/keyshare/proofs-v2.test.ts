/** getPs, getCommitments and both getResponse of the second version (spec/keyshare-server#8.5). No released app calls any but getPs. @module */
import * as assert from 'uvu/assert'
import { fromBase64, toBase64 } from '../../../crypto/bytes.ts'
import { hashUserInput, type UserInput } from '../../../crypto/keyshare/user-input.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import { headersOf, registered, rowOf, said } from './app.ts'
import { type KeyshareOfTest, power, withKeyshare } from './harness.ts'

const [KEY, SHORT] = ['svc-demo.gov-0', 'svc-demo.uni-0']
const ISSUER = parseIssuerId('svc-demo.gov')
const MISSING = '409 MISSING_COMMITMENT missing previous call to getCommitments'
/** Secrets of the user: m_u, and r behind the commitment. */
const MU = 1111111111111111111111111111111n
const R = 2222222222222222222222222222222222222222n
const NONCE = 123456789n

type User = { readonly userName: string; readonly headers: Readonly<Record<string, string>> }

async function withUser(use: (server: KeyshareOfTest, user: User) => Promise<void>): Promise<void> {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    await use(server, { userName: app.userName, headers: await headersOf(server, app) })
  })
}

function call({ call }: KeyshareOfTest, { headers }: User, path: string, body: unknown): Promise<Answer> {
  return call('POST', `/api/v2/prove/${path}`, { headers, body })
}

/** One proof under the key, and one without the keyshare server. */
function inputOf({ n, R0 }: { n: bigint; R0: bigint }, P: bigint): readonly UserInput[] {
  return [
    {
      key: { issuer: 'svc-demo.gov', counter: 0 },
      val: (power(R0, MU, n) * P) % n,
      comm: power(R0, R, n),
      otherComms: [],
    },
    { key: null, val: 424242n, comm: 131313n, otherComms: [7n] },
  ]
}

/** The input in its form on the wire. */
function written(input: readonly UserInput[]): object[] {
  return input.map(({ key, val, comm, otherComms }) => ({
    ...(key && { key: `${key.issuer}-${key.counter}` }),
    val: toBase64(val),
    comm: toBase64(comm),
    ...(otherComms.length > 0 && { otherComms: otherComms.map(toBase64) }),
  }))
}

/** Calls getPs and getCommitments, with the hash of the later input. */
async function begun(server: KeyshareOfTest, user: User) {
  const key = server.deps.issuerKeys.publicKey(ISSUER, 0)
  const { n, R0 } = { n: key?.n ?? 0n, R0: key?.R[0] ?? 0n }
  const ps = await call(server, user, 'getPs', [KEY])
  const P = fromBase64(Object(ps.json).ps[KEY])
  const input = inputOf({ n, R0 }, P)
  const hashedComms = Buffer.from(hashUserInput(input)).toString('base64')
  const commitments = await call(server, user, 'getCommitments', { keys: [KEY], hw: { hashedComms } })
  return { n, R0, P, input, commitments, Pcommit: () => fromBase64(Object(commitments.json).c[KEY]) }
}

const Second = suite('keyshare server: second version of proofs')

Second('getPs returns P of each key, and nothing is stored', async () => {
  await withUser(async (server, user) => {
    const before = await rowOf(server, user.userName)
    const { status, text, json } = await call(server, user, 'getPs', [KEY, SHORT, KEY])
    assert.equal([status, Object.keys(Object(json).ps)], [200, [KEY, SHORT]])
    assert.match(text, /^\{"ps":\{"svc-demo\.gov-0":"[^"]+","svc-demo\.uni-0":"[^"]+"\}\}$/)
    const { n = 0n, R: [R0 = 0n] = [] } = server.deps.issuerKeys.publicKey(ISSUER, 0) ?? {}
    const { mk } = server.accounts.secretsOf(before)
    assert.is(fromBase64(Object(json).ps[KEY]), power(R0, mk, n))
    assert.equal(await rowOf(server, user.userName), before)
  })
})

Second(
  'getCommitments returns only Pcommit; the sum of both responses verifies under the challenge of the server',
  async () => {
    await withUser(async (server, user) => {
      for (const sig of [false, true]) {
        const { n, R0, input, commitments, Pcommit } = await begun(server, user)
        assert.match(commitments.text, /^\{"c":\{"svc-demo\.gov-0":"[^"]+"\}\}$/)
        const challengeBody = { nonce: toBase64(NONCE), sig, UserChallengeInput: written(input) }
        // c*m_u is added below, once the answer has given c
        const answer = await call(server, user, 'getResponse', { ...challengeBody, resp: toBase64(R) })
        assert.equal([answer.status, answer.headers['content-type']], [200, 'text/plain'])
        const { ProofP } = Object(claimsIn(answer.text))
        assert.equal(Object.keys(ProofP), ['c', 's_response'])
        const c = fromBase64(ProofP.c)
        const whole = fromBase64(ProofP.s_response) + c * MU
        const [{ val, comm } = { val: 0n, comm: 0n }] = input
        assert.is(power(R0, whole, n), (power(val, c, n) * ((comm * Pcommit()) % n)) % n)
      }
    })
  },
)

Second('the linkable response is only that of the server, with P under the last key', async () => {
  await withUser(async (server, user) => {
    const { n, R0, P, input, Pcommit } = await begun(server, user)
    const body = { nonce: toBase64(NONCE), resp: 'AQ==', UserChallengeInput: written(input) }
    const { ProofP } = Object(claimsIn((await call(server, user, 'getResponseLinkable', body)).text))
    assert.is(ProofP.P, toBase64(P))
    const c = fromBase64(ProofP.c)
    assert.is(power(R0, fromBase64(ProofP.s_response), n), (Pcommit() * power(P, c, n)) % n)
  })
})

Second('other input than the app committed to: 500, and the commitment is used up', async () => {
  await withUser(async (server, user) => {
    for (const path of ['getResponse', 'getResponseLinkable']) {
      const { input } = await begun(server, user)
      const right = { nonce: toBase64(NONCE), resp: 'AQ==', UserChallengeInput: written(input) }
      const [first, second] = written(input)
      const wrong = { ...right, UserChallengeInput: [{ ...first, comm: 'AQ==' }, second] }
      assert.is(
        said(await call(server, user, path, wrong)),
        '500 INTERNAL_ERROR incorrect commitment hash sent in commitment request',
      )
      assert.is(said(await call(server, user, path, right)), MISSING)
    }
  })
})

Second('a commitment is answered once, by either kind of response', async () => {
  await withUser(async (server, user) => {
    const { input } = await begun(server, user)
    const body = { nonce: 1, resp: 1, UserChallengeInput: written(input) }
    const paths = ['getResponse', 'getResponseLinkable', 'getResponse']
    const answers = await Promise.all(paths.map(path => call(server, user, path, body)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409])
  })
})

Second('a commitment of one version gets no response of the other: 409, and it stays pending', async () => {
  await withUser(async (server, user) => {
    const first = { headers: user.headers, body: '5' }
    const { input } = await begun(server, user)
    const second = { nonce: 1, resp: 1, UserChallengeInput: written(input) }
    assert.is(said(await server.call('POST', '/prove/getResponse', first)), MISSING)
    assert.is((await call(server, user, 'getResponse', second)).status, 200)
    await server.call('POST', '/prove/getCommitments', { headers: user.headers, body: [KEY] })
    for (const path of ['getResponse', 'getResponseLinkable'])
      assert.is(said(await call(server, user, path, second)), MISSING)
    assert.is((await server.call('POST', '/prove/getResponse', first)).status, 200)
  })
})

Second(
  'no key and a malformed body are 400; an unknown key is 500, before a commitment is stored',
  async () => {
    await withUser(async (server, user) => {
      const hw = { hashedComms: Buffer.alloc(32).toString('base64') }
      const unknown = /^500 INTERNAL_ERROR public key not found/
      for (const [path, body, answer] of [
        ['getPs', [], /^400 INVALID_REQUEST no key specified/],
        ['getPs', '{', /^400 INVALID_REQUEST/],
        ['getPs', ['svc-demo.gov-7'], unknown],
        ['getCommitments', [KEY], /^400 INVALID_REQUEST/],
        ['getCommitments', { keys: [], hw }, /^400 INVALID_REQUEST no key specified/],
        ['getCommitments', { keys: [KEY] }, /^400 INVALID_REQUEST/],
        [
          'getCommitments',
          { keys: [KEY], hw: { hashedComms: 'AAA' } },
          /^400 INVALID_REQUEST hw.hashedComms/,
        ],
        ['getCommitments', { keys: ['svc-demo.gov-7'], hw }, unknown],
      ] as const)
        assert.match(said(await call(server, user, path, body)), answer, path)
      assert.is((await rowOf(server, user.userName)).commitment, null)
    })
  },
)

Second('a hash of another length is accepted, matches no input, and the commitment is used up', async () => {
  await withUser(async (server, user) => {
    const { input } = await begun(server, user)
    const right = { nonce: 1, resp: 1, UserChallengeInput: written(input) }
    for (const hashedComms of ['', 'AAAA', Buffer.alloc(64).toString('base64')]) {
      const commitments = await call(server, user, 'getCommitments', { keys: [KEY], hw: { hashedComms } })
      assert.is(commitments.status, 200)
      assert.match(
        said(await call(server, user, 'getResponse', right)),
        /^500 INTERNAL_ERROR incorrect commitment/,
      )
      assert.match(said(await call(server, user, 'getResponse', right)), /^409/)
    }
  })
})

Second('a malformed request for a response is 400, and the commitment stays pending', async () => {
  await withUser(async (server, user) => {
    const { input } = await begun(server, user)
    const right = { nonce: 1, resp: 1, UserChallengeInput: written(input) }
    const [entry] = written(input)
    for (const changes of [
      { nonce: undefined },
      { resp: undefined },
      { nonce: -1 },
      { sig: 'true' },
      { UserChallengeInput: {} },
      { UserChallengeInput: [{ ...entry, val: null }] },
      { UserChallengeInput: [{ ...entry, comm: undefined }] },
      { UserChallengeInput: [{ ...entry, key: 'x' }] },
      { UserChallengeInput: Array.from({ length: 257 }, () => entry) },
    ])
      for (const path of ['getResponse', 'getResponseLinkable'])
        assert.match(
          said(await call(server, user, path, { ...right, ...changes })),
          /^400/,
          JSON.stringify(changes),
        )
    assert.is((await call(server, user, 'getResponse', right)).status, 200)
  })
})

Second('an input under an unknown key: 500', async () => {
  await withUser(async (server, user) => {
    const entry: UserInput = {
      key: { issuer: 'svc-demo.gov', counter: 7 },
      val: 1n,
      comm: 1n,
      otherComms: [],
    }
    const hashedComms = Buffer.from(hashUserInput([entry])).toString('base64')
    await call(server, user, 'getCommitments', { keys: [KEY], hw: { hashedComms } })
    const body = { nonce: 1, resp: 1, UserChallengeInput: written([entry]) }
    assert.match(
      said(await call(server, user, 'getResponse', body)),
      /^500 INTERNAL_ERROR public key not found/,
    )
  })
})

Second('an app that committed to an empty input gets a response, too', async () => {
  await withUser(async (server, user) => {
    const hashedComms = Buffer.from(hashUserInput(null)).toString('base64')
    await call(server, user, 'getCommitments', { keys: [KEY], hw: { hashedComms } })
    assert.is((await call(server, user, 'getResponse', { nonce: 1, resp: 1 })).status, 200)
  })
})

Second.run()
