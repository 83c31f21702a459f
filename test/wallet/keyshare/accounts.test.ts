/** Registering, unlocking and changing the PIN at a keyshare server that a test can make go wrong (spec 4.5, 5.4; keyshare note 2.2, 4.1, 5, 6.4, 10, 17.2, 17.4). @module */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Ending } from '../../../wallet/failure.ts'
import { changePin } from '../../../wallet/keyshare/change-pin.ts'
import { register } from '../../../wallet/keyshare/register.ts'
import { unlock } from '../../../wallet/keyshare/unlock.ts'
import { answerSession } from '../../../wallet/session.ts'
import { openWallet, type Wallet } from '../../../wallet/wallet.ts'
import { suite } from '../../suite.ts'
import { refusal, reply } from './fake-keyshare.ts'
import {
  askedPaths,
  close,
  depsOf,
  emptyWallet,
  keyshare,
  LOGIN,
  nowSec,
  offerLogin,
  PIN,
  registeredWallet,
  SCHEME,
  sessions,
  time,
  typing,
  walletDeps,
} from './registered.ts'

const LOG_IN = ['/users/verify_start', '/users/verify/pin_challengeresponse']
const PROVE_ISSUANCE = ['/api/v2/prove/getPs', '/prove/getCommitments', '/prove/getResponse']
const CHANGE = '/users/change/pin'
const RENEW = '/users/renewKeyshareAttribute'
const WEEK_SEC = 7 * 24 * 3600
const REGISTRATION = { pin: PIN, email: '', language: '' }

function failed(ending: Ending, reason: string, message: RegExp): void {
  assert.is(ending.status === 'failed' && ending.reason, reason)
  assert.match(ending.status === 'failed' ? ending.message : '', message)
}

function claimsIn(jwt: string): Record<string, string> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

function lastBody(path: string): Record<string, string> {
  return JSON.parse(keyshare.asked.filter(asked => asked.path === path).at(-1)?.body ?? '')
}

async function withEmpty(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await emptyWallet()
  askedPaths()
  await test(wallet).finally(() => wallet.close())
}

async function withRegistered(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await registeredWallet()
  askedPaths()
  await test(wallet).finally(() => wallet.close())
}

function beforeEach(): void {
  for (const [path, answers] of keyshare.pending) assert.equal(answers, [], path)
  keyshare.offer = offerLogin
  time.aheadMs = 0
}

const Registering = suite('registering at a keyshare server')
Registering.before.each(beforeEach)

Registering(
  'the calls are those of existing apps, and the wallet gets an account with its login credential',
  () =>
    withEmpty(async wallet => {
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
        ...{ scheme: SCHEME, profile: 'irma', isOutOfSync: false },
        userName: login?.attributes[0]?.value,
      })
    }),
)

Registering(
  'what makes the device the one of the account is in files that only its owner reads, and in no other',
  () =>
    withRegistered(async wallet => {
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
  withRegistered(async first => {
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

Registering(
  'neither account nor credential stays of a registration that failed, and another one succeeds',
  () =>
    withEmpty(async wallet => {
      keyshare.instead('/prove/getResponse', refusal(500, 'INTERNAL_ERROR'))
      failed(await register(depsOf(wallet), SCHEME, REGISTRATION), 'server-error', /it failed \(500/)
      assert.equal([wallet.accounts(), wallet.credentials()], [[], []])
      assert.equal(await register(depsOf(wallet), SCHEME, REGISTRATION), { status: 'success' })
      failed(
        await register(depsOf(wallet), SCHEME, REGISTRATION),
        'already-registered',
        /has an account of svc-keyshare/,
      )
    }),
)

Registering('a PIN of fewer than five characters is not sent', () =>
  withEmpty(async wallet => {
    failed(
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
  failed(await register(depsOf(wallet), SCHEME, REGISTRATION), 'insecure', /plain HTTP needs developer mode/)
  assert.equal(askedPaths(), [])
  await wallet.close()
})

Registering('refusals are said in words', () =>
  withEmpty(async wallet => {
    for (const [status, type, words] of [
      [429, 'TOO_MANY_REQUESTS', /too many mails .* try again in an hour \(429/],
      [400, 'INVALID_REQUEST', /refused what was sent \(400/],
    ] as const) {
      keyshare.instead('/client/register', refusal(status, type))
      failed(await register(depsOf(wallet), SCHEME, REGISTRATION), 'server-error', words)
    }
    keyshare.instead('/client/register', () => reply('{"u":"x","svcqr":"issuing"}'))
    failed(await register(depsOf(wallet), SCHEME, REGISTRATION), 'invalid-pointer', /absolute http/)
  }),
)

const NOTE = { credential: 'svc-demo.fast.note', attributes: { text: 'n' } }
const login = (userName: string) => ({ credential: LOGIN, attributes: { username: userName } })
/** The session that a keyshare server must not begin at a registration. */
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
  Registering(`a session ${what} is refused, and nothing is kept`, () =>
    withEmpty(async wallet => {
      keyshare.offer = userName => offerLogin(userName, changes(userName))
      failed(await register(depsOf(wallet), SCHEME, REGISTRATION), 'malformed-answer', rule)
      assert.equal(askedPaths(), ['/client/register'])
      assert.equal([wallet.accounts(), wallet.credentials()], [[], []])
    }),
  )

Registering.run()

const Unlocking = suite('unlocking a wallet with an account')
Unlocking.before.each(beforeEach)

Unlocking('the PIN is asked for also while a token is good; wrong ones say how many are left', () =>
  withRegistered(async wallet => {
    const { asked, pin } = typing('54321', PIN)
    assert.ok(pin)
    assert.equal(await unlock(depsOf(wallet), SCHEME, pin), { status: 'success' })
    assert.equal(asked, [null, 2])
    assert.equal(askedPaths(), [...LOG_IN, ...LOG_IN])
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => null), { status: 'cancelled' })
  }),
)

Unlocking('an account that the server has deleted, and none at all, are said to be so', () =>
  withRegistered(async wallet => {
    keyshare.instead('/users/verify_start', refusal(403, 'USER_NOT_REGISTERED'))
    failed(await unlock(depsOf(wallet), SCHEME, async () => PIN), 'server-error', /may have been deleted/)
    await withEmpty(async empty =>
      failed(await unlock(depsOf(empty), SCHEME, async () => PIN), 'not-registered', /register first/),
    )
  }),
)

/** A wallet whose login credential ends in so many weeks; from then on the server renews for a year. */
async function withLoginOf(weeks: number, changes: object, test: (wallet: Wallet) => Promise<void>) {
  keyshare.offer = name =>
    offerLogin(name, { credentials: [{ ...login(name), validity: nowSec() + weeks * WEEK_SEC }] })
  await withRegistered(async wallet => {
    const renewal = (name: string) => ({
      disclose: [[[{ type: `${LOGIN}.username`, value: name }]]],
      skipExpiryCheck: [LOGIN],
    })
    keyshare.offer = name => offerLogin(name, { ...renewal(name), ...changes })
    await test(wallet)
  })
}

Unlocking('a login credential that expires within a month is renewed by showing the old one', () =>
  withLoginOf(3, {}, async wallet => {
    const [old] = wallet.credentials()
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), [...LOG_IN, RENEW, ...PROVE_ISSUANCE])
    const [renewed, ...others] = wallet.credentials()
    assert.equal([renewed?.attributes, others], [old?.attributes, []])
    assert.ok((renewed?.expiresAtSec ?? 0) > (old?.expiresAtSec ?? 0) + 40 * WEEK_SEC)
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), LOG_IN)
  }),
)

Unlocking('one that expires later is left alone', () =>
  withLoginOf(6, {}, async wallet => {
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
    assert.equal(askedPaths(), LOG_IN)
  }),
)

for (const [what, changes] of [
  ['issues another user name', { credentials: [login('someone')] }],
  ['asks for more', { disclose: [[[`${LOGIN}.username`]], [[], ['svc-demo.fast.note.text']]] }],
  ['asks for something else', { disclose: [[[], ['svc-demo.fast.note.text']]] }],
] as const)
  Unlocking(`a renewal that ${what} is refused`, () =>
    withLoginOf(3, changes, async wallet => {
      const ending = await unlock(depsOf(wallet), SCHEME, async () => PIN)
      failed(ending, 'malformed-answer', /renewal: expected the login credential of this account/)
      assert.equal(askedPaths(), [...LOG_IN, RENEW])
      assert.is(wallet.credentials().length, 1)
    }),
  )

Unlocking.run()

const Changing = suite('changing the PIN')
Changing.before.each(beforeEach)
Changing.after(close)

Changing('with the old one, and the new one is tried at once', () =>
  withRegistered(async wallet => {
    assert.equal(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }), { status: 'success' })
    assert.equal(askedPaths(), [...LOG_IN, CHANGE, ...LOG_IN])
    assert.equal(Object.keys(lastBody(CHANGE)), ['id', 'oldpin', 'newpin', 'change_pin_jwt'])
    const { asked, pin } = typing(PIN, '54321')
    assert.ok(pin)
    assert.equal(await unlock(depsOf(wallet), SCHEME, pin), { status: 'success' })
    assert.equal(asked, [null, 2])
  }),
)

Changing('a wrong old PIN changes nothing, and says what is left; after three it is blocked', () =>
  withRegistered(async wallet => {
    const change = (oldPin: string) => changePin(depsOf(wallet), { oldPin, newPin: '54321' })
    const wrong = await change('99999')
    failed(wrong, 'wrong-pin', /takes 2 more before it waits/)
    assert.is(wrong.status === 'failed' && wrong.triesLeft, 2)
    failed(await change('99999'), 'wrong-pin', /takes 1 more/)
    const third = await change('99999')
    failed(third, 'pin-blocked', /for 60 s/)
    assert.is(third.status === 'failed' && third.blockedSec, 60)
    assert.not.ok(askedPaths().includes(CHANGE))
    failed(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '1234' }), 'short-pin', /at least 5/)
  }),
)

Changing('a change that the server refuses, or whose answer is lost, is undone', () =>
  withRegistered(async wallet => {
    const change = { oldPin: PIN, newPin: '54321' }
    keyshare.instead(CHANGE, refusal(500, 'INTERNAL_ERROR'))
    failed(await changePin(depsOf(wallet), change), 'server-error', /it failed/)
    keyshare.instead(CHANGE, async own => (await own()) && refusal(500, 'INTERNAL_ERROR')())
    failed(await changePin(depsOf(wallet), change), 'server-error', /it failed/)
    assert.is(wallet.accounts()[0]?.isOutOfSync, false)
    assert.equal(await unlock(depsOf(wallet), SCHEME, async () => PIN), { status: 'success' })
  }),
)

Changing('where it cannot be undone, the account is out of sync and is not used', () =>
  withRegistered(async wallet => {
    const fails = refusal(500, 'INTERNAL_ERROR')
    keyshare.instead(CHANGE, async own => (await own()) && fails(), fails)
    failed(await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }), 'server-error', /it failed/)
    assert.is(wallet.accounts()[0]?.isOutOfSync, true)
    askedPaths()
    failed(await unlock(depsOf(wallet), SCHEME, async () => PIN), 'pin-out-of-sync', /is not used/)
    const session = await sessions.create('disclosing', { disclose: [[[`${LOGIN}.username`]]] })
    failed(
      (await answerSession(depsOf(wallet), session.pointer, typing(PIN))) as Ending,
      'pin-out-of-sync',
      /./,
    )
    failed(
      await changePin(depsOf(wallet), { oldPin: PIN, newPin: '54321' }),
      'not-registered',
      /no account with a PIN/,
    )
    assert.equal(askedPaths(), [])
  }),
)

Changing.run()
