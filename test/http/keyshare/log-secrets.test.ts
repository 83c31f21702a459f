/** spec/laws#6 at the edge of the keyshare server: for every call, answered or refused, no PIN, JWT, key, challenge, name of a user or secret reaches the log, and no
 *  refusal repeats one. @module */
import * as assert from 'uvu/assert'
import { openRandomizer } from '../../../accounts/records.ts'
import { toBase64 } from '../../../crypto/bytes.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { appJwt, type Device, NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import {
  type App,
  answered,
  base64,
  challengeFor,
  headersOf,
  loggedIn,
  PIN,
  registered,
  registeredWithout,
  rowOf,
  WRONG_PIN,
} from './app.ts'
import { type KeyshareOfTest, STORAGE_KEYS, withKeyshare } from './harness.ts'

const NEW_PIN = 'a-PIN-that-nobody-should-see\n'
const EMAIL = 'somebody-secret@b.example'
const KEY = 'svc-demo.gov-0'
const CHALLENGE = base64(new Uint8Array(32).fill(9))

type Send = (path: string, body: unknown, headers?: Headers, method?: string) => Promise<void>
type Headers = Readonly<Record<string, string>>
type Jwts = { readonly all: string[]; of(claims: object, by?: Device): Promise<string> }

/** Calls with a JWT of the device, and then with a JWT of an unknown device. */
async function signedCalls(send: Send, { userName: id, device }: App, jwts: Jwts): Promise<void> {
  for (const by of [device, newDevice()]) {
    const body = async (name: string, claims: object) => ({ [name]: await jwts.of(claims, by) })
    const key = { publickey: base64(device.der) }
    await send('/client/register', await body('enrollment_jwt', { ...key, pin: PIN, email: EMAIL }))
    await send('/users/verify_start', await body('auth_request_jwt', { id, exp: NOW_SEC + 999 }))
    const login = { id, pin: NEW_PIN.repeat(9), challenge: CHALLENGE }
    await send('/users/verify/pin_challengeresponse', await body('auth_response_jwt', login))
    await send('/users/change/pin', await body('change_pin_jwt', { id, oldpin: WRONG_PIN, newpin: NEW_PIN }))
    await send('/users/register_publickey', await body('jwt', { ...key, id, pin: PIN }))
  }
}

async function unsignedCalls(send: Send, users: readonly string[], publickey: string): Promise<void> {
  for (const pin of [PIN, WRONG_PIN, NEW_PIN.repeat(9), { [PIN]: PIN }])
    for (const id of users) {
      await send('/users/verify/pin', { id, pin })
      await send('/users/change/pin', { id, oldpin: pin, newpin: NEW_PIN })
      await send('/client/register', { pin, publickey })
    }
}

async function proofCalls(send: Send, headers: Headers): Promise<void> {
  for (const bad of [
    { ...headers, Authorization: `${headers.Authorization}x` },
    { Authorization: `Bearer ${PIN.trim()}` },
  ])
    for (const path of [
      '/prove/getCommitments',
      '/prove/getResponse',
      '/api/v2/prove/getPs',
      '/api/v2/prove/getResponse',
    ])
      await send(path, [KEY], bad)
  for (const body of [`"${PIN.trim()}`, '"//////////////////////////////////////////////8="', '-5', '5', '5'])
    await send('/prove/getResponse', body, headers)
  await send(`/users/${headers.Authorization}?${PIN.trim()}`, '{', headers)
  await send('/users/renewKeyshareAttribute', undefined, { ...headers, Authorization: 'x' }, 'GET')
}

/** Makes every kind of call, right and wrong.
 *  @returns the secrets, and the refusals */
async function everything(server: KeyshareOfTest): Promise<{ secrets: string[]; refusals: Answer[] }> {
  const answers: Answer[] = []
  const send: Send = async (path, body, headers = {}, method = 'POST') =>
    void answers.push(await server.call(method, path, { headers, body }))
  const app = await registered(server, { email: EMAIL })
  const without = await registeredWithout(server)
  const all: string[] = []
  const of = async (claims: object, by = app.device): Promise<string> => {
    const jwt = await appJwt(claims, by)
    all.push(jwt)
    return jwt
  }
  const { mk, tokenId } = server.accounts.secretsOf(await rowOf(server, app.userName))
  const challenge = await challengeFor(server, app)
  answers.push(
    await answered(server, app, { challenge: CHALLENGE }),
    await answered(server, app, { challenge }),
  )
  const headers = await headersOf(server, app)
  await signedCalls(send, app, { all, of })
  await unsignedCalls(send, [app.userName, without, NEW_PIN], base64(app.device.der))
  await send('/prove/getCommitments', [KEY], headers)
  const wk = await pendingOf(server, app)
  await proofCalls(send, headers)
  for (let i = 0; i < 4; i++) answers.push(await loggedIn(server, app, WRONG_PIN))
  const numbers = [mk, wk].flatMap(each => [toBase64(each), String(each)])
  const signatures = [...all, headers.Authorization ?? ''].map(jwt => jwt.split('.')[2] ?? '')
  const pins = [PIN, WRONG_PIN, NEW_PIN].map(pin => pin.trim())
  const bytes = [tokenId, app.device.der].map(base64)
  return {
    secrets: [
      ...pins,
      EMAIL,
      app.userName,
      without,
      challenge,
      CHALLENGE,
      ...numbers,
      ...bytes,
      ...signatures,
    ],
    refusals: answers.filter(({ status }) => status !== 200),
  }
}

/** w_k of the pending commitment. */
async function pendingOf(server: KeyshareOfTest, { userName }: App): Promise<bigint> {
  const { commitment } = await rowOf(server, userName)
  if (commitment === null) throw new Error('expected a commitment, got none')
  return openRandomizer(commitment.sealedRandomizer, userName, STORAGE_KEYS)
}

const Secrets = suite('keyshare server: secrets in logs and errors')

Secrets(
  'no line of the log and no refusal has a PIN, JWT, key, challenge, address, name of a user or secret',
  async () => {
    const verbose = ({ settings }: KeyshareOfTest['deps']) => ({ settings: { ...settings, verbosity: 2 } })
    await withKeyshare({ deps: verbose }, async server => {
      const { secrets, refusals } = await everything(server)
      assert.ok(refusals.length > 30 && server.log.length > 60)
      for (const secret of secrets) {
        assert.ok(secret.length >= 10, 'a secret that is long enough not to occur by chance')
        for (const line of server.log) assert.not(line.includes(secret), line)
        for (const { text } of refusals) assert.not(text.includes(secret), text)
      }
    })
  },
)

Secrets('the log contains the hash of an unreadable account, and the answer does not', async () => {
  await withKeyshare({ binding: 'read' }, async server => {
    const app = await registered(server)
    const row = await rowOf(server, app.userName)
    const damaged = { ...row, version: 2, snapshot: { value: 'nowhere', context: {} } }
    await server.store.commit({ account: { id: row.id, version: 1, row: damaged } })
    for (let i = 0; i < 2; i++) {
      const jwt = await appJwt({ id: app.userName, exp: NOW_SEC + 180 }, app.device)
      const { status, text } = await server.call('POST', '/users/verify_start', {
        body: { auth_request_jwt: jwt },
      })
      assert.equal(
        [status, text],
        [500, '{"status":500,"error":"INTERNAL_ERROR","description":"Internal server error"}'],
      )
    }
    const errors = server.log.filter(line => JSON.parse(line).level >= 50)
    assert.is(errors.length, 3, 'one line when the account is closed, and one at each call')
    for (const line of errors) assert.ok(line.includes(hashOfToken(app.userName)))
    assert.not(server.log.join().includes(app.userName))
    assert.ok(await server.store.accounts.load(row.id))
  })
})

Secrets.run()
