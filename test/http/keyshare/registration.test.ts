/** POST /client/register (spec/interface#4.5; spec/keyshare-server#4.1, #4.2). @module */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { isPin } from '../../../accounts/secrets.ts'
import type { AccountStepInserts } from '../../../actors/accounts/accounts.ts'
import type { KeyshareDeps, RegisteredAddress } from '../../../http/keyshare/deps.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { InvalidRequestError, TooManyRequestsError } from '../../../protocol/errors.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, forcedJwt, NOW_SEC, newDevice, signedText } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import { base64, PIN, registered, registeredWithout, rowOf, said } from './app.ts'
import { type KeyshareOfTest, type KeyshareParts, withKeyshare } from './harness.ts'

const Registration = suite('keyshare server: registration')

/** Records all drawn user names, also those without an account. */
function drawing(names: string[]): KeyshareParts {
  const userName = (): string => {
    const name = systemRandomness.userName()
    names.push(name)
    return name
  }
  return { deps: ({ random }) => ({ random: { ...random, userName } }) }
}

Registration(
  'the answer is the pointer of the session that issues the user name, and nothing else',
  async () => {
    await withKeyshare({}, async ({ call }) => {
      const device = newDevice()
      const jwt = await appJwt({ pin: PIN, publickey: base64(device.der) }, device)
      const answer = await call('POST', '/client/register', { body: { enrollment_jwt: jwt } })
      assert.match(answer.text, /^\{"u":"issues [a-zA-Z0-9]{12}","svcqr":"issuing"\}$/)
      assert.equal([answer.status, answer.headers['content-type']], [200, 'application/json; charset=UTF-8'])
    })
  },
)

Registration('the account can be used at once, with the PIN, the device key and the language', async () => {
  await withKeyshare({}, async server => {
    for (const [language, stored] of [
      ['nl', 'nl'],
      ['fr', 'fr'],
      ['it', 'en'],
      ['', 'en'],
    ]) {
      const { userName, device } = await registered(server, { language })
      const row = await rowOf(server, userName)
      const { deviceKey, ...secrets } = server.accounts.secretsOf(row)
      assert.ok(isPin({ deviceKey, ...secrets }, PIN))
      assert.equal(deviceKey, new Uint8Array(device.der))
      assert.equal([row.language, row.seenAt, row.attempts], [stored, server.clock.now(), 0])
      assert.equal(await server.store.accounts.addressesOf(row.id), [])
    }
  })
})

Registration(
  'two registrations with one key are two accounts, with different names, secrets and token ids',
  async () => {
    await withKeyshare({}, async server => {
      const device = newDevice()
      const register = async () => {
        const jwt = await appJwt({ pin: PIN, publickey: base64(device.der) }, device)
        const { json } = await server.call('POST', '/client/register', { body: { enrollment_jwt: jwt } })
        return Object(json).u.split(' ')[1]
      }
      const rows = [await rowOf(server, await register()), await rowOf(server, await register())]
      const secrets = rows.map(row => server.accounts.secretsOf(row))
      for (const values of [
        rows.map(({ userName }) => userName),
        rows.map(({ tokenIdHash }) => tokenIdHash),
        secrets.map(({ mk }) => mk),
        secrets.map(({ tokenId }) => base64(tokenId)),
      ])
        assert.is(new Set<unknown>(values).size, 2)
    })
  },
)

Registration('without a JWT, as in the previous protocol, the account has no device key', async () => {
  await withKeyshare({}, async server => {
    const row = await rowOf(server, await registeredWithout(server))
    const secrets = server.accounts.secretsOf(row)
    assert.equal([secrets.deviceKey, isPin(secrets, PIN)], [null, true])
  })
})

Registration('members of the body beside the JWT are ignored; the JWT may be the whole body', async () => {
  await withKeyshare({}, async server => {
    const device = newDevice()
    const jwt = await appJwt({ pin: PIN, publickey: base64(device.der) }, device)
    for (const body of [{ enrollment_jwt: jwt, pin: 'x', publickey: 'x' }, jwt, `${jwt}\n`]) {
      const { json } = await server.call('POST', '/client/register', { body })
      const row = await rowOf(server, Object(json).u.split(' ')[1])
      assert.ok(isPin(server.accounts.secretsOf(row), PIN))
    }
  })
})

Registration('random values are drawn in this order: name, m_k, token id, nonce of the record', async () => {
  const order: unknown[] = []
  const random = {
    ...systemRandomness,
    userName() {
      order.push('name')
      return 'abcdefghijkl'
    },
    bytes(count: number) {
      order.push(count)
      return new Uint8Array(count).fill(order.length)
    },
  }
  const deps = () => ({ random })
  await withKeyshare({ deps, accountRandom: random }, async server => {
    await registered(server)
    assert.equal(order, ['name', 32, 32, 12])
    const { mk, tokenId } = server.accounts.secretsOf(await rowOf(server, 'abcdefghijkl'))
    assert.is(mk, BigInt(`0x${'01'.repeat(32)}`), 'of 255 bits')
    assert.equal(tokenId, new Uint8Array(32).fill(3))
  })
})

const device = newDevice()
const RIGHT = { pin: PIN, publickey: base64(device.der) }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const enrollment = (jwt: string) => ({ enrollment_jwt: jwt })
const signedBy = async (claims: object, header = {}, by = device) =>
  enrollment(await appJwt({ ...RIGHT, ...claims }, by, header))
const unsigned = `${[{ alg: 'none' }, RIGHT].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`

const REFUSED: readonly (readonly [title: string, body: unknown, message: RegExp])[] = [
  ['no JSON', '{', /./],
  ['nothing', '', /./],
  ['a list', [], /^body: expected an object/],
  ['a text that is no JWT', enrollment('x'), /^JWT: expected three parts/],
  ['a JWT of another key', await signedBy({}, {}, newDevice()), /^JWT: expected a signature with ES256/],
  [
    'a JWT without a key',
    await signedBy({ publickey: undefined }),
    /^publickey: expected the DER of a P-256/,
  ],
  ['a key of another curve', await signedBy({ publickey: base64(newDevice('P-384').der) }), /^publickey/],
  ['a JWT that has expired', await signedBy({ exp: NOW_SEC }), /^JWT: expected an exp in the future/],
  ['a JWT with a future iat', await signedBy({ iat: NOW_SEC + 11 }), /^JWT: expected an iat that is not/],
  ['alg none', enrollment(unsigned), /^JWT: expected a signature/],
  ['alg none, though signed', enrollment(forcedJwt(RIGHT, device, { alg: 'none' })), /^JWT: expected/],
  [
    'HS256 with the bytes of the key',
    enrollment(await signedText(JSON.stringify(RIGHT), { alg: 'HS256' }, device.der)),
    /^JWT: expected/,
  ],
  [
    'RS256',
    enrollment(await signedText(JSON.stringify(RIGHT), { alg: 'RS256' }, rsa.privateKey)),
    /^JWT: expected/,
  ],
  ['a PIN of 65 bytes', await signedBy({ pin: `${'é'.repeat(32)}x` }), /^pin too long/],
  ['a PIN that is no text', await signedBy({ pin: 5 }), /^pin: expected/],
  ['a PIN of 65 bytes, without a JWT', { pin: 'x'.repeat(65) }, /^pin too long/],
  ['a key without a JWT', { ...RIGHT }, /^when public key is specified, registration message must be signed/],
]

for (const [title, body, message] of REFUSED)
  Registration(`${title}: 400, and no account`, async () => {
    const names: string[] = []
    await withKeyshare(drawing(names), async ({ call }) => {
      const { status, json } = await call('POST', '/client/register', { body })
      assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
      assert.match(Object(json).message, message)
      assert.equal(names, [])
    })
  })

Registration('a PIN of 64 bytes and an empty PIN are accepted', async () => {
  await withKeyshare({}, async server => {
    for (const pin of ['é'.repeat(32), '', undefined]) assert.ok((await registered(server, { pin })).userName)
  })
})

/** A server that records the requested mails. */
function mailing(asked: RegisteredAddress[], answer: () => AccountStepInserts): KeyshareParts {
  const withMail: KeyshareDeps['withMail'] = async (address, register) => {
    asked.push(address)
    await register(answer())
  }
  return { deps: () => ({ withMail }) }
}

Registration(
  'the mail to an address is stored in the commit of the account; without an address there is no mail',
  async () => {
    const asked: RegisteredAddress[] = []
    const link = { tokenHash: 'hash', purpose: 'confirmation', address: 'a@b.example' } as const
    const links = [{ ...link, accountId: null, madeAt: 0, endsAt: Number.MAX_SAFE_INTEGER }]
    await withKeyshare(
      mailing(asked, () => ({ links })),
      async server => {
        const { userName } = await registered(server, { email: 'a@b.example', language: 'nl' })
        const accountId = hashOfToken(userName)
        assert.equal(asked, [{ accountId, email: 'a@b.example', language: 'nl', caller: '127.0.0.1' }])
        assert.equal(await server.store.accounts.link('hash'), links[0])
        await registered(server, { email: '' })
        await registered(server)
        await server.call('POST', '/client/register', { body: { pin: PIN, email: 'c@d.example' } })
        assert.equal(
          asked.map(({ email }) => email),
          ['a@b.example', 'c@d.example'],
        )
      },
    )
  },
)

Registration('a refused address leaves no account', async () => {
  for (const [error, answer] of [
    [new InvalidRequestError('invalid email address'), '400 INVALID_REQUEST invalid email address'],
    [new TooManyRequestsError('too many'), '429 TOO_MANY_REQUESTS too many'],
  ] as const) {
    const names: string[] = []
    const refuse = (): never => {
      throw error
    }
    const parts = {
      deps: (deps: KeyshareOfTest['deps']) => ({
        ...drawing(names).deps?.(deps),
        ...mailing([], refuse).deps?.(deps),
      }),
    }
    await withKeyshare(parts, async ({ call, store }) => {
      const body = await signedBy({ email: 'a@b.example' })
      assert.is(said(await call('POST', '/client/register', { body })), answer)
      assert.is(names.length, 1)
      for (const name of names) assert.is(await store.accounts.load(hashOfToken(name)), null)
    })
  }
})

Registration('while too many proofs wait, a registration is refused: 503 with Retry-After', async () => {
  const names: string[] = []
  const overloaded = (deps: KeyshareOfTest['deps']) => ({
    ...drawing(names).deps?.(deps),
    powers: { ...deps.powers, isOverloaded: () => true },
  })
  await withKeyshare({ deps: overloaded }, async ({ call }) => {
    const { status, headers } = await call('POST', '/client/register', { body: await signedBy({}) })
    assert.equal([status, headers['retry-after'], names], [503, '2', []])
  })
})

Registration('the account is stored before its session is begun', async () => {
  const stored: unknown[] = []
  const deps = ({ accounts }: KeyshareOfTest['deps']) => ({
    async prepareLoginSession(userName: string) {
      const look = async () => stored.push(Object(await accounts.read(hashOfToken(userName))).userName)
      await look()
      return {
        async open() {
          await look()
          return { u: `issues ${userName}` }
        },
      }
    },
  })
  await withKeyshare({ deps }, async server => {
    const { userName } = await registered(server)
    assert.equal(stored, [undefined, userName], 'the checks of the session run before the account is stored')
  })
})

Registration.run()
