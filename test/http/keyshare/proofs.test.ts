/** getCommitments and getResponse, first version (specification 4.5, 4.6; keyshare note 8.1 to 8.4, 8.6). @module */
import * as assert from 'uvu/assert'
import { openRandomizer } from '../../../accounts/records.ts'
import { bitLength, fromBase64, toBase64 } from '../../../crypto/bytes.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import { type App, headersOf, registered, rowOf, said } from './app.ts'
import { type KeyshareOfTest, power, STORAGE_KEYS, withKeyshare, withMethods } from './harness.ts'

const [LONG, SHORT, OTHER] = ['svc-demo.gov-0', 'svc-demo.uni-0', 'svc-demo.uni-1']
const MISSING = '409 MISSING_COMMITMENT missing previous call to getCommitments'

type Logged = { readonly app: App; readonly headers: Readonly<Record<string, string>> }

async function withUser(use: (server: KeyshareOfTest, user: Logged) => Promise<void>): Promise<void> {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    await use(server, { app, headers: await headersOf(server, app) })
  })
}

function committed({ call }: KeyshareOfTest, { headers }: Logged, body: unknown): Promise<Answer> {
  return call('POST', '/prove/getCommitments', { headers, body })
}

function responded({ call }: KeyshareOfTest, { headers }: Logged, body = '5'): Promise<Answer> {
  return call('POST', '/prove/getResponse', { headers, body })
}

function keyOf({ deps }: KeyshareOfTest, name: string) {
  const at = name.lastIndexOf('-')
  const key = deps.schemes.publicKey(parseIssuerId(name.slice(0, at)), Number(name.slice(at + 1)))
  if (key === undefined) throw new Error(`no key ${name}`)
  return { n: key.n, R0: key.R[0] ?? 0n }
}

/** w_k as it waits in the account. */
async function pendingOf(server: KeyshareOfTest, { app }: Logged): Promise<bigint> {
  const { commitment, userName } = await rowOf(server, app.userName)
  if (commitment === null) throw new Error('no commitment')
  return openRandomizer(commitment.sealedRandomizer, userName, STORAGE_KEYS)
}

const Commitments = suite('keyshare server: commitments')

Commitments(
  'P and Pcommit of each key, once and in the order of their names, with one w_k for all',
  async () => {
    await withUser(async (server, user) => {
      const { status, json, text } = await committed(server, user, [LONG, SHORT, OTHER, LONG])
      assert.equal([status, Object.keys(Object(json).c)], [200, [LONG, SHORT, OTHER]])
      assert.match(text, /^\{"c":\{"svc-demo\.gov-0":\{"P":"[^"]+","Pcommit":"[^"]+"\},/)
      const { mk } = server.accounts.secretsOf(await rowOf(server, user.app.userName))
      const wk = await pendingOf(server, user)
      for (const name of [LONG, SHORT, OTHER]) {
        const { n, R0 } = keyOf(server, name)
        const { P, Pcommit } = Object(json).c[name]
        assert.equal([fromBase64(P), fromBase64(Pcommit)], [power(R0, mk, n), power(R0, wk, n)])
      }
    })
  },
)

Commitments('a key that is named twice is calculated once', async () => {
  const asked: number[] = []
  const deps = ({ powers }: KeyshareOfTest['deps']) => ({
    powers: {
      ...powers,
      keyshare: withMethods(powers.keyshare, {
        commitments(named, secrets) {
          asked.push(named.length)
          return powers.keyshare.commitments(named, secrets)
        },
      }),
    },
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    await committed(server, { app, headers: await headersOf(server, app) }, [LONG, SHORT, LONG, LONG])
    assert.equal(asked, [2])
  })
})

Commitments('w_k has 640 bits, and 592 as soon as one key has 1024', async () => {
  const random = { ...systemRandomness, bytes: (count: number) => new Uint8Array(count).fill(0xff) }
  await withKeyshare({ deps: () => ({ random }) }, async server => {
    const app = await registered(server)
    const user = { app, headers: await headersOf(server, app) }
    for (const [names, bits] of [
      [[LONG, OTHER], 640],
      [[LONG, SHORT], 592],
      [[SHORT], 592],
    ] as const) {
      await committed(server, user, names)
      assert.is(bitLength(await pendingOf(server, user)), bits)
    }
  })
})

Commitments('a new one takes the place of the one that waits: no two are answered', async () => {
  await withUser(async (server, user) => {
    await committed(server, user, [LONG])
    const first = await pendingOf(server, user)
    await committed(server, user, [SHORT])
    assert.is.not(await pendingOf(server, user), first)
    assert.is((await responded(server, user)).status, 200)
    assert.is(said(await responded(server, user)), MISSING)
  })
})

Commitments(
  'no list, no key, a key that is none, and one that no scheme has: 400, and nothing waits',
  async () => {
    await withUser(async (server, user) => {
      for (const [body, message] of [
        ['{', /./],
        [{}, /./],
        ['null', /no key specified/],
        [[], /no key specified/],
        [['svc-demo.gov'], /public key id/],
        [['svc-demo.gov-x'], /public key id/],
        [['svc-demo.gov-7'], /public key not found/],
        [['nowhere.gov-0'], /public key not found/],
        [[LONG, 'svc-demo.gov-7'], /public key not found/],
        [[{ issuer: 'svc-demo.gov', counter: 0 }], /./],
      ] as const) {
        const { status, json } = await committed(server, user, body)
        assert.is(status, 400, JSON.stringify(body))
        assert.match(Object(json).message, message)
      }
      assert.is((await rowOf(server, user.app.userName)).commitment, null)
    })
  },
)

Commitments(
  'while too many proofs wait: 503 with Retry-After; a response is never refused for that',
  async () => {
    let isOverloaded = false
    const overloaded = ({ powers }: KeyshareOfTest['deps']) => ({
      powers: { ...powers, isOverloaded: () => isOverloaded },
    })
    await withKeyshare({ deps: overloaded }, async server => {
      const app = await registered(server)
      const user = { app, headers: await headersOf(server, app) }
      await committed(server, user, [LONG])
      isOverloaded = true
      const { status, headers } = await committed(server, user, [LONG])
      assert.equal([status, headers['retry-after']], [503, '2'])
      const getPs = await server.call('POST', '/api/v2/prove/getPs', { headers: user.headers, body: [LONG] })
      assert.is(getPs.status, 503)
      assert.is((await responded(server, user)).status, 200)
    })
  },
)

Commitments('what waits is stored sealed, and says neither P nor w_k', async () => {
  await withUser(async (server, user) => {
    const { json } = await committed(server, user, [SHORT, LONG])
    const { commitment } = await rowOf(server, user.app.userName)
    const wk = Buffer.from(toBase64(await pendingOf(server, user)), 'base64')
    assert.is(commitment?.lastKey, LONG)
    assert.not(Buffer.from(commitment?.sealedRandomizer ?? wk).includes(wk))
    assert.not(JSON.stringify(await rowOf(server, user.app.userName)).includes(Object(json).c[LONG].P))
  })
})

Commitments.run()

const Response = suite('keyshare server: responses')

Response('s = w_k + c*m_k, not reduced, and P under the last key; signed, as text', async () => {
  await withUser(async (server, user) => {
    const c = 2n ** 256n - 1n
    for (const [body, value] of [
      [JSON.stringify(toBase64(c)), c],
      [String(c), c],
      ['12345', 12345n],
      ['"MDk="', 12345n],
      ['""', 0n],
      ['null', 0n],
    ] as const) {
      const { json } = await committed(server, user, [SHORT, LONG])
      const wk = await pendingOf(server, user)
      const { mk } = server.accounts.secretsOf(await rowOf(server, user.app.userName))
      const { status, headers, text } = await responded(server, user, body)
      assert.equal([status, headers['content-type']], [200, 'text/plain'])
      const { ProofP, sub } = Object(claimsIn(text))
      assert.equal(ProofP, {
        P: Object(json).c[LONG].P,
        c: toBase64(value),
        s_response: toBase64(wk + value * mk),
      })
      assert.is(sub, 'ProofP')
    }
  })
})

Response('a challenge that is none, negative, or of 257 bits: 400, and the commitment waits on', async () => {
  await withUser(async (server, user) => {
    await committed(server, user, [LONG])
    for (const body of [
      '',
      '{',
      '-1',
      '1.5',
      '1e3',
      '{}',
      '[]',
      '"MDk"',
      '"MDk=" x',
      JSON.stringify(toBase64(2n ** 256n)),
      String(2n ** 256n),
    ])
      assert.match(said(await responded(server, user, body)), /^400 INVALID_REQUEST/, body)
    assert.match(said(await responded(server, user, String(2n ** 256n))), /challenge out of bounds/)
    assert.is((await responded(server, user)).status, 200)
  })
})

Response('a commitment is answered once: also when two ask at once', async () => {
  await withUser(async (server, user) => {
    assert.is(said(await responded(server, user)), MISSING)
    for (let i = 0; i < 10; i++) {
      await committed(server, user, [LONG])
      const answers = await Promise.all([1, 2, 3, 4].map(c => responded(server, user, String(c))))
      assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
      assert.is((await rowOf(server, user.app.userName)).commitment, null)
    }
  })
})

Response('after 20 s there is nothing to answer: 409', async () => {
  await withUser(async (server, user) => {
    await committed(server, user, [LONG])
    server.clock.advance(20_000)
    assert.is(said(await responded(server, user)), MISSING)
    await committed(server, user, [LONG])
    server.clock.advance(19_999)
    assert.is((await responded(server, user)).status, 200)
  })
})

Response('what waits for one user is not answered to another', async () => {
  await withUser(async (server, user) => {
    const app = await registered(server)
    const other = { app, headers: await headersOf(server, app) }
    await committed(server, user, [LONG])
    assert.is(said(await responded(server, other)), MISSING)
    assert.is((await responded(server, user)).status, 200)
  })
})

Response('what is begun below one prefix is answered below the other', async () => {
  await withUser(async (server, user) => {
    for (const [begun, answered] of [
      ['', '/api/v1'],
      ['/api/v1', ''],
    ]) {
      await server.call('POST', `${begun}/prove/getCommitments`, { headers: user.headers, body: [LONG] })
      const response = await server.call('POST', `${answered}/prove/getResponse`, {
        headers: user.headers,
        body: '5',
      })
      assert.is(response.status, 200)
    }
  })
})

Response('each is in the activity log, once there was a commitment; it counts as a use', async () => {
  await withUser(async (server, user) => {
    await responded(server, user)
    await committed(server, user, [LONG])
    server.clock.advance(5_000)
    await responded(server, user)
    await responded(server, user)
    const { id, seenAt } = await rowOf(server, user.app.userName)
    const events = (await server.store.accounts.log(id, 0, 9)).map(({ event }) => event)
    assert.equal([events, seenAt], [['SESSION', 'PIN_CHECK_SUCCESS'], server.clock.now()])
  })
})

Response('whoever fails after the commitment was taken has spent it: 500, then 409', async () => {
  let isFailing = false
  const deps = ({ powers }: KeyshareOfTest['deps']) => ({
    powers: {
      ...powers,
      keyshare: withMethods(powers.keyshare, {
        secretPowers: (named, secret) =>
          isFailing
            ? Promise.reject(new Error('a thread died'))
            : powers.keyshare.secretPowers(named, secret),
      }),
    },
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    const user = { app, headers: await headersOf(server, app) }
    await committed(server, user, [LONG])
    isFailing = true
    assert.is(said(await responded(server, user)), '500 INTERNAL_ERROR')
    isFailing = false
    assert.is(said(await responded(server, user)), MISSING)
  })
})

Response('a last key that no scheme has any more: 400, and the commitment is not spent', async () => {
  let isKnown = true
  const deps = ({ schemes }: KeyshareOfTest['deps']) => ({
    schemes: {
      ...schemes,
      publicKey: (...key: Parameters<typeof schemes.publicKey>) =>
        isKnown ? schemes.publicKey(...key) : undefined,
    },
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    const user = { app, headers: await headersOf(server, app) }
    await committed(server, user, [LONG])
    isKnown = false
    assert.match(said(await responded(server, user)), /^400 INVALID_REQUEST public key not found/)
    isKnown = true
    assert.is((await responded(server, user)).status, 200)
  })
})

Response.run()
