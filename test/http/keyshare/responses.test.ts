/** getResponse, first version (spec/interface#4.5, #4.6; spec/keyshare-server#8.4, #8.6). @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../../crypto/bytes.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { headersOf, registered, rowOf, said } from './app.ts'
import { type KeyshareOfTest, withKeyshare, withMethods } from './harness.ts'

import { committed, LONG, MISSING, pendingOf, responded, SHORT, withUser } from './proof-calls.ts'

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

Response(
  'an unknown key of a request for commitments is searched in newer schemes, which other nodes may have',
  async () => {
    let isKnown = true
    const deps = ({ issuerKeys }: KeyshareOfTest['deps']) => ({
      issuerKeys: {
        publicKey: (...name: Parameters<typeof issuerKeys.publicKey>) =>
          isKnown ? issuerKeys.publicKey(...name) : undefined,
        lookFor: async () => {
          isKnown = true
        },
      },
    })
    await withKeyshare({ deps }, async server => {
      const app = await registered(server)
      const user = { app, headers: await headersOf(server, app) }
      await committed(server, user, [LONG])
      isKnown = false
      assert.is((await responded(server, user)).status, 200)
    })
  },
)

Response('a malformed or negative challenge, or one of 257 bits: 400, and the commitment stays', async () => {
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

Response('a commitment is answered once, also if several ask at once', async () => {
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

Response('after 20 s no commitment is pending: 409', async () => {
  await withUser(async (server, user) => {
    await committed(server, user, [LONG])
    server.clock.advance(20_000)
    assert.is(said(await responded(server, user)), MISSING)
    await committed(server, user, [LONG])
    server.clock.advance(19_999)
    assert.is((await responded(server, user)).status, 200)
  })
})

Response('the pending commitment of a user gets no response for another user', async () => {
  await withUser(async (server, user) => {
    const app = await registered(server)
    const other = { app, headers: await headersOf(server, app) }
    await committed(server, user, [LONG])
    assert.is(said(await responded(server, other)), MISSING)
    assert.is((await responded(server, user)).status, 200)
  })
})

Response('a commitment that was made below one prefix may be answered below the other', async () => {
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

Response('each response to a commitment is in the activity log, and is a use of the account', async () => {
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

Response('a call that fails after it took the commitment has used it up: 500, then 409', async () => {
  let isFailing = false
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    accounts: withMethods(accounts, {
      publicParts: (row, named, calculate) =>
        isFailing ? Promise.reject(new Error('a thread died')) : accounts.publicParts(row, named, calculate),
    }),
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

Response('a last key that is no longer in a scheme: 400, and the commitment is not used up', async () => {
  let isKnown = true
  const deps = ({ issuerKeys }: KeyshareOfTest['deps']) => ({
    issuerKeys: {
      ...issuerKeys,
      publicKey: (...key: Parameters<typeof issuerKeys.publicKey>) =>
        isKnown ? issuerKeys.publicKey(...key) : undefined,
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

Response('an unknown last key of a commitment is searched in newer schemes', async () => {
  let isKnown = true
  const deps = ({ issuerKeys }: KeyshareOfTest['deps']) => ({
    issuerKeys: {
      publicKey: (...key: Parameters<typeof issuerKeys.publicKey>) =>
        isKnown ? issuerKeys.publicKey(...key) : undefined,
      lookFor: async () => {
        isKnown = true
      },
    },
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    const user = { app, headers: await headersOf(server, app) }
    await committed(server, user, [LONG])
    isKnown = false
    assert.is((await responded(server, user)).status, 200)
  })
})

Response.run()
