/** Registration at a keyshare server with faults on demand (spec/interface#4.5, #5.4.1; spec/keyshare-server#2.2, #4.1, #5, #17). @module */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { listen } from '../../../demo/listen.ts'
import { closeListener } from '../../../http/listen.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../../libraries/wallet/keyshare/unlock.ts'
import { openWallet } from '../../../libraries/wallet/wallet.ts'
import { suite } from '../../suite.ts'
import { refusal, reply } from './fake-keyshare.ts'
import {
  assertEnded,
  LOGIN,
  NOTE,
  PIN,
  registeredWallet,
  renew,
  SCHEME,
  startWorld,
  withWallet,
} from './registered.ts'

const world = await startWorld()
const { askedPaths, depsOf, emptyWallet, keyshare, offerLogin, sessions, walletDeps } = world
const LOG_IN = ['/users/verify_start', '/users/verify/pin_challengeresponse']
const PROVE_ISSUANCE = ['/api/v2/prove/getPs', '/api/v2/prove/getCommitments', '/api/v2/prove/getResponse']
const REGISTRATION = { pin: PIN, email: '', language: '' }

function claimsIn(jwt: string): Record<string, string> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

function lastBody(path: string): Record<string, string> {
  return JSON.parse(keyshare.asked.filter(asked => asked.path === path).at(-1)?.body ?? '')
}

const Registering = suite('registering at a keyshare server')
Registering.before.each(() => renew(world))
Registering.after(async () => void (await world.close()))

Registering(
  'the calls are those of existing apps, and the wallet gets an account with its login credential',
  () =>
    withWallet(world, emptyWallet(), async wallet => {
      const ending = await register(depsOf(wallet), SCHEME, {
        pin: PIN,
        email: 'a@example.test',
        language: 'nl',
      })
      assert.equal(ending, { status: 'success' })
      assert.equal(askedPaths(), ['/client/register', ...LOG_IN, ...PROVE_ISSUANCE])
      const { pin, ...claims } = claimsIn(lastBody('/client/register').enrollment_jwt ?? '')
      assert.equal(Object.keys(claims), ['email', 'language', 'publickey'])
      assert.match(pin ?? '', /^[A-Za-z0-9+/]{43}=\n$/)
      const [account] = wallet.accounts()
      const [login] = wallet.credentials()
      assert.is(login?.type, LOGIN)
      assert.equal(account, {
        scheme: SCHEME,
        profile: 'irma',
        isOutOfSync: false,
        userName: login?.attributes[0]?.value,
      })
    }),
)

Registering('the key and the salt of the device are only in two files that only their owner can read', () =>
  withWallet(world, registeredWallet(world), async wallet => {
    const names = readdirSync(wallet.dir).filter(name => name.startsWith(SCHEME))
    assert.equal(names.sort(), [`${SCHEME}.device-key.pem`, `${SCHEME}.salt`])
    for (const name of names) assert.is(statSync(join(wallet.dir, name)).mode & 0o777, 0o600)
    const salt = readFileSync(join(wallet.dir, `${SCHEME}.salt`))
    assert.is(salt.length, 32)
    const file = readFileSync(join(wallet.dir, 'wallet.json'), 'utf8')
    for (const secret of [salt.toString('base64'), salt.toString('hex'), PIN, 'PRIVATE'])
      assert.not.match(file, secret)
  }),
)

Registering('a wallet that is opened again uses its account; with a file of another device it fails', () =>
  withWallet(world, registeredWallet(world), async first => {
    await first.close()
    const wallet = await openWallet(first.dir, walletDeps)
    try {
      assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
      const path = join(wallet.dir, `${SCHEME}.salt`)
      writeFileSync(path, 'short')
      const ended = await unlock(depsOf(wallet), SCHEME, async () => PIN).catch(String)
      assert.match(String(ended), `${path}: expected 32 bytes, got 5`)
    } finally {
      await wallet.close()
    }
  }),
)

Registering('a failed registration leaves neither account nor credential, and a second one succeeds', () =>
  withWallet(world, emptyWallet(), async wallet => {
    keyshare.instead('/api/v2/prove/getResponse', refusal(500, 'INTERNAL_ERROR'))
    assertEnded(await register(depsOf(wallet), SCHEME, REGISTRATION), 'keyshare-error', /it failed \(500/)
    assert.equal([wallet.accounts(), wallet.credentials()], [[], []])
    assert.is(wallet.tokens.size, 0, 'the token of the failed registration')
    assert.equal(await register(depsOf(wallet), SCHEME, REGISTRATION), { status: 'success' })
    assert.is(wallet.tokens.size, 1)
    assertEnded(
      await register(depsOf(wallet), SCHEME, REGISTRATION),
      'already-registered',
      /has an account of svc-keyshare/,
    )
  }),
)

Registering('a PIN of fewer than five characters is not sent', () =>
  withWallet(world, emptyWallet(), async wallet => {
    assertEnded(
      await register(depsOf(wallet), SCHEME, { ...REGISTRATION, pin: '1234' }),
      'short-pin',
      /at least 5/,
    )
    assert.equal(askedPaths(), [])
  }),
)

Registering('a keyshare server with plain HTTP needs developer mode', async () => {
  const wallet = await emptyWallet(false)
  askedPaths()
  assertEnded(
    await register(depsOf(wallet), SCHEME, REGISTRATION),
    'insecure',
    /plain HTTP needs developer mode/,
  )
  assert.equal(askedPaths(), [])
  await wallet.close()
})

Registering('the outcome of a refused registration has its reason', () =>
  withWallet(world, emptyWallet(), async wallet => {
    for (const [status, type, words] of [
      [429, 'TOO_MANY_REQUESTS', /too many registrations or mails lately: try again later \(429/],
      [400, 'INVALID_REQUEST', /refused what was sent \(400/],
    ] as const) {
      keyshare.instead('/client/register', refusal(status, type))
      assertEnded(await register(depsOf(wallet), SCHEME, REGISTRATION), 'keyshare-error', words)
    }
    keyshare.instead('/client/register', () => reply('{"u":"x","svcqr":"issuing"}'))
    assertEnded(await register(depsOf(wallet), SCHEME, REGISTRATION), 'invalid-pointer', /absolute http/)
  }),
)

const login = (userName: string) => ({ credential: LOGIN, attributes: { username: userName } })
/** Sessions that a keyshare server must not start at a registration. */
const WRONG: readonly (readonly [what: string, changes: (userName: string) => object, rule: RegExp])[] = [
  ['that issues something else', () => ({ credentials: [NOTE] }), /login credential alone/],
  ['that issues more', name => ({ credentials: [login(name), NOTE] }), /login credential alone/],
  ['that issues it twice', name => ({ credentials: [login(name), login(name)] }), /login credential alone/],
  [
    'that asks for attributes',
    () => ({ disclose: [[[], ['svc-demo.fast.note.text']]] }),
    /no attribute is asked for/,
  ],
  ['with a return URL', () => ({ clientReturnUrl: 'https://x.example/' }), /no return URL/],
]

for (const [what, changes, rule] of WRONG)
  Registering(`a session ${what} is refused, and nothing is stored`, () =>
    withWallet(world, emptyWallet(), async wallet => {
      keyshare.offer = userName => offerLogin(userName, changes(userName))
      assertEnded(await register(depsOf(wallet), SCHEME, REGISTRATION), 'malformed-answer', rule)
      assert.equal(askedPaths(), ['/client/register'])
      assert.equal([wallet.accounts(), wallet.credentials()], [[], []])
    }),
  )

Registering('a session with pairing is refused, and nothing is stored', () =>
  withWallet(world, emptyWallet(), async wallet => {
    keyshare.offer = async userName => {
      const session = await sessions.create('issuing', { credentials: [login(userName)] })
      const options = { '@context': 'https://irma.app/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
      assert.is(await session.frontend('POST', '/frontend/options', options), 200)
      return session.pointer
    }
    const ending = await register(depsOf(wallet), SCHEME, REGISTRATION)
    assertEnded(ending, 'malformed-answer', /expected that there is no pairing/)
    assert.equal([wallet.accounts(), askedPaths()], [[], ['/client/register']])
  }),
)

Registering('a next session after that of the login credential is not followed', () =>
  withWallet(world, emptyWallet(), async wallet => {
    const next = createServer((request, response) => {
      request.resume()
      const body = { '@context': 'https://irma.app/ld/request/issuance/v2', credentials: [NOTE] }
      response.end(JSON.stringify(body))
    })
    const url = await listen(next, 0, '127.0.0.1')
    keyshare.offer = async userName => {
      const request = { credentials: [login(userName)] }
      return (await sessions.create('issuing', { nextSession: { url }, request })).pointer
    }
    const ending = await register(depsOf(wallet), SCHEME, REGISTRATION)
    await closeListener(next)
    assertEnded(ending, 'malformed-answer', /expected that no session follows/)
    assert.equal(
      wallet.credentials().map(({ type }) => type),
      [LOGIN],
    )
  }),
)

Registering('if the server calls the new PIN wrong, the login is not repeated', () =>
  withWallet(world, emptyWallet(), async wallet => {
    keyshare.instead('/users/verify/pin_challengeresponse', () => reply({ status: 'failure', message: '2' }))
    const ending = await register(depsOf(wallet), SCHEME, REGISTRATION)
    assertEnded(ending, 'malformed-answer', /expected that the PIN that was just set is right/)
    assert.equal(askedPaths(), ['/client/register', ...LOG_IN])
  }),
)

Registering.run()
