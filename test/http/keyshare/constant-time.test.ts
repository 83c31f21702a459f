/** Secrets are compared in constant time, so the time does not reveal how much was right (spec/keyshare-server#21): PIN, challenge, token id, and the hash of an input.
 *  The test records the calls of Node's `timingSafeEqual`. Any other comparison would not call it. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import * as assert from 'uvu/assert'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { answered, challengeFor, headersOf, loggedIn, PIN, registered } from './app.ts'
import { withKeyshare } from './harness.ts'

type Pair = readonly [expected: Buffer, sent: Buffer]

/** @returns the pairs that are compared in constant time while `act` runs */
async function comparedDuring(act: () => Promise<unknown>): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  const { timingSafeEqual } = crypto
  const kept = (bytes: NodeJS.ArrayBufferView): Buffer =>
    Buffer.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const noting: typeof timingSafeEqual = (a, b) => {
    pairs.push([kept(a), kept(b)])
    return timingSafeEqual(a, b)
  }
  const install = (compare: typeof timingSafeEqual): void => {
    Object.assign(crypto, { timingSafeEqual: compare })
    syncBuiltinESMExports()
  }
  install(noting)
  await act().finally(() => install(timingSafeEqual))
  return pairs
}

/** A PIN in the form of the record: 64 bytes, padded with leading zeros. */
function padded(pin: string): Buffer {
  return Buffer.concat([Buffer.alloc(64 - pin.length), Buffer.from(pin)])
}

function isAmong(pairs: readonly Pair[], expected: Buffer, sent: Buffer): boolean {
  return pairs.some(([a, b]) => a.equals(expected) && b.equals(sent))
}

const Constant = suite('keyshare server: comparing secrets in constant time')

Constant('a PIN with a wrong first or last character is compared as a whole, with the same answer', () =>
  withKeyshare({}, async server => {
    const answers: string[] = []
    for (const wrong of [PIN.replace('a', 'b'), PIN.replace('=\n', '/\n'), 'x']) {
      const app = await registered(server)
      const pairs = await comparedDuring(async () => answers.push((await loggedIn(server, app, wrong)).text))
      assert.ok(isAmong(pairs, padded(PIN), padded(wrong)), JSON.stringify(wrong))
    }
    assert.equal(answers, Array(3).fill('{"status":"failure","message":"2"}'))
  }),
)

Constant('a challenge', () =>
  withKeyshare({}, async server => {
    const app = await registered(server)
    const drawn = Buffer.from(await challengeFor(server, app), 'base64')
    const sent = Buffer.from(drawn).fill(0, 31)
    const pairs = await comparedDuring(() => answered(server, app, { challenge: sent.toString('base64') }))
    assert.ok(isAmong(pairs, drawn, sent))
  }),
)

Constant('the token id of an authentication JWT', () =>
  withKeyshare({}, async server => {
    const [app, other] = [await registered(server), await registered(server)]
    const [own, foreign] = [await headersOf(server, app), await headersOf(server, other)]
    const [expected, sent] = [own, foreign].map(({ Authorization = '' }) =>
      Buffer.from(Object(claimsIn(Authorization)).token_id, 'base64'),
    )
    if (!expected || !sent) throw new Error('expected two token ids')
    const headers = { ...own, Authorization: foreign.Authorization ?? '' }
    const body = ['svc-demo.gov-0']
    const pairs = await comparedDuring(() => server.call('POST', '/prove/getCommitments', { headers, body }))
    assert.ok(isAmong(pairs, expected, sent))
  }),
)

Constant('the hash of an input', () =>
  withKeyshare({}, async server => {
    const headers = await headersOf(server, await registered(server))
    const hash = Buffer.alloc(32, 9)
    const committed = { keys: ['svc-demo.gov-0'], hw: { hashedComms: hash.toString('base64') } }
    await server.call('POST', '/api/v2/prove/getCommitments', { headers, body: committed })
    const body = { nonce: 1, resp: 1, UserChallengeInput: [] }
    const pairs = await comparedDuring(() =>
      server.call('POST', '/api/v2/prove/getResponse', { headers, body }),
    )
    const empty = crypto.createHash('sha256').update(Buffer.of(0x80)).digest()
    assert.ok(isAmong(pairs, empty, hash))
  }),
)

Constant.run()
