/** getCommitments, first version (spec/interface#4.5, #4.6; spec/keyshare-server#8.1 to #8.3, #8.6). @module */
import * as assert from 'uvu/assert'
import { bitLength, fromBase64, toBase64 } from '../../../crypto/bytes.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { appJwt } from '../../accounts/jwts.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { headersOf, PIN, registered, rowOf, said, WRONG_PIN } from './app.ts'
import { type KeyshareOfTest, power, withKeyshare, withMethods } from './harness.ts'

import {
  committed,
  keyOf,
  LONG,
  MISSING,
  OTHER,
  pendingOf,
  responded,
  SHORT,
  withUser,
} from './proof-calls.ts'

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

Commitments('P and Pcommit of a repeated key are calculated once', async () => {
  const asked: number[] = []
  const deps = ({ powers }: KeyshareOfTest['deps']) => ({
    powers: {
      ...powers,
      keyshare: withMethods(powers.keyshare, {
        secretPowers(named, secret) {
          asked.push(named.length)
          return powers.keyshare.secretPowers(named, secret)
        },
      }),
    },
  })
  await withKeyshare({ deps }, async server => {
    const app = await registered(server)
    await committed(server, { app, headers: await headersOf(server, app) }, [LONG, SHORT, LONG, LONG])
    assert.equal(asked, [2, 2]) // for P, and for Pcommit
  })
})

Commitments(
  'P is calculated once for an account and a key, also for getPs and responses, until its PIN is changed',
  async () => {
    const asked: bigint[] = []
    const deps = ({ powers }: KeyshareOfTest['deps']) => ({
      powers: {
        ...powers,
        keyshare: withMethods(powers.keyshare, {
          secretPowers(named, secret) {
            asked.push(secret)
            return powers.keyshare.secretPowers(named, secret)
          },
        }),
      },
    })
    await withKeyshare({ deps }, async server => {
      const app = await registered(server)
      const { mk } = server.accounts.secretsOf(await rowOf(server, app.userName))
      const times = (): number => asked.splice(0).filter(secret => secret === mk).length
      const partIn = async (pin = PIN): Promise<string> => {
        const user = { app, headers: await headersOf(server, app, pin) }
        const { P } = Object((await committed(server, user, [LONG])).json).c[LONG]
        const getPs = await server.call('POST', '/api/v2/prove/getPs', {
          headers: user.headers,
          body: [LONG],
        })
        assert.equal(Object(getPs.json).ps, { [LONG]: P })
        assert.is(Object(claimsIn((await responded(server, user)).text)).ProofP.P, P)
        return P
      }
      const first = await partIn()
      assert.is(times(), 1)
      assert.equal([await partIn(), times()], [first, 0])
      const newPin = { id: app.userName, oldpin: PIN, newpin: WRONG_PIN }
      await server.call('POST', '/users/change/pin', {
        body: { change_pin_jwt: await appJwt(newPin, app.device) },
      })
      assert.equal([await partIn(WRONG_PIN), times()], [first, 1])
    })
  },
)

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

Commitments('a new commitment replaces the pending one, and only one gets a response', async () => {
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
  'no list, no key, an invalid key and an unknown key: 400, and no commitment is pending',
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

Commitments('a pending commitment is stored sealed, and contains neither P nor w_k', async () => {
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
