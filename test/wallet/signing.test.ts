/** Signature sessions: the signed message, and its timestamp (spec/interface#2.9; spec/cryptography#8). @module */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { signatureNonce, timestampNonce, verifyTimestamp } from '../../crypto/timestamp.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import { answerSession, type ConsentQuestion } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { listedIndices } from '../../protocol/proofs-json.ts'
import { parseSignedMessage, type SignedMessage } from '../../protocol/signed-message.ts'
import { suite } from '../suite.ts'
import { arithmetic, deps, newWallet, proofToVerify, shownBy } from './demo-wallets.ts'
import { type Answer, hastyClock, json, startFakeServer, text } from './fake-server.ts'
import {
  agreeToAll,
  assertFailed,
  connection,
  irma,
  type Played,
  type PlayOptions,
  play,
  refuse,
  requestOf,
  svc,
} from './play.ts'
import { NOW_SEC, schemesWith } from './support.ts'

const NONCE = 0xce6c90d890ee907_03e780d338baf4d3en
const MESSAGE = 'I owe you everything\nbut not today €'
const STAMPED = 'http://127.0.0.1:8190/'
const ONE = [[['svc-demo.gov.idcard.familyname']], [[], ['svc-demo.fast.note.text']]]

const stamps = createTimestampServer({
  clock: createSimulatedClock(NOW_SEC * 1000),
  key: generateKeyPairSync('ed25519').privateKey,
  expiresAtSec: NOW_SEC + 1000,
})
const address = await stamps.listen(0, '127.0.0.1')
const wallet = await newWallet()

/** Sends calls for the schemes' timestamp server to this one. */
const stamping: typeof fetch = (url, init) => fetch(String(url).replace(STAMPED, address), init)
/** Gives the answers of that server. */
const stampedBy =
  (answer: () => Promise<Response>): typeof fetch =>
  (url, init) =>
    String(url) === STAMPED ? answer() : fetch(url, init)

function asking(profile = irma, more: object = {}): Readonly<Record<string, Answer | readonly Answer[]>> {
  const request = requestOf(profile, { disclose: ONE, message: MESSAGE, ...more }, 'signature')
  return {
    'GET /': json(connection(profile, { request })),
    'POST /proofs': json({ proofStatus: 'VALID' }),
    'DELETE /': text(''),
  }
}

function sign(options: PlayOptions = {}, answers = asking(options.profile)): Promise<Played> {
  return play(answers, { handlers: agreeToAll, type: 'signing', send: stamping, wallet, ...options })
}

function sentMessage({ server }: Played): SignedMessage {
  return parseSignedMessage(server.asked.find(({ call }) => call === 'POST /proofs')?.body ?? '')
}

/** Asserts that the proofs answer the effective nonce. */
function assertSigned({ proofs, timestamp, ...rest }: SignedMessage): void {
  const [nonce, context, message] = [NONCE, 1n, MESSAGE]
  assert.equal([rest.nonce, rest.context, rest.message], [nonce, context, message])
  const list = {
    disclosures: proofs.map(proofToVerify),
    commitments: [],
    context,
    nonce: signatureNonce(nonce, message, timestamp?.signature ?? null),
    isSignature: true,
  }
  assert.ok(verifyProofs(arithmetic, list), 'valid proofs')
  assert.not.ok(verifyProofs(arithmetic, { ...list, isSignature: false }))
}

const Signing = suite('signature sessions (spec/interface#2.9)')

for (const profile of [irma, svc])
  Signing(
    `the message is signed, with the disclosed attributes and a timestamp, in profile ${profile.name}`,
    async () => {
      const played = await sign({ profile })
      assert.equal(played.outcome, { status: 'success', proofStatus: 'VALID', clientReturnUrl: null })
      const signed = sentMessage(played)
      assert.match(
        played.server.asked.at(-1)?.body ?? '',
        `{"@context":"${profile.contextBase}/ld/signature/v2"`,
      )
      assertSigned(signed)
      assert.equal(shownBy(signed.proofs, listedIndices(signed.indices)), [
        [{ id: 'svc-demo.gov.idcard.familyname', value: 'Voorbeeld' }],
        [],
      ])
      const { timestamp, proofs } = signed
      assert.is(timestamp?.timeSec, NOW_SEC)
      const stamped = proofs.map(proof => ({
        ...proofToVerify(proof),
        A: proof.A,
        disclosed: proof.aDisclosed,
      }))
      const nonce = timestampNonce({ message: MESSAGE, version: 2, proofs: stamped }, arithmetic)
      assert.ok(timestamp && verifyTimestamp(timestamp, nonce))
    },
  )

Signing('the message is shown to the user; after a refusal no timestamp is requested', async () => {
  const questions: ConsentQuestion[] = []
  const asked: string[] = []
  const { outcome, calls } = await sign({
    handlers: {
      consent: question => {
        questions.push(question)
        return refuse.consent(question)
      },
    },
    send: (url, init) => {
      asked.push(String(url))
      return fetch(url, init)
    },
  })
  assert.is(outcome.status, 'cancelled')
  assert.equal(calls, ['GET /', 'DELETE /'])
  assert.not.ok(asked.includes(STAMPED))
  const [question] = questions
  assert.is(question?.kind === 'signing' && question.message, MESSAGE)
  assert.is(question?.candidates.items[1]?.isOptional, true)
})

const LOYALTY = { type: 'svc-keyshare.shop.loyalty', attributes: { number: '5', level: 'gold' } }
const CARD = {
  type: 'svc-demo.gov.idcard',
  attributes: { initials: 'A', familyname: 'V', over18: 'yes', docnumber: '1' },
}
const BOTH = [[['svc-demo.gov.idcard.familyname']], [['svc-keyshare.shop.loyalty.number']]]

async function withServers(
  servers: Readonly<Record<string, string>>,
  test: (wallet: Wallet) => Promise<void>,
): Promise<void> {
  const own = await newWallet([CARD, LOYALTY], true, { ...deps, schemes: schemesWith(servers) })
  await test(own).finally(() => own.close())
}

Signing('without a timestamp server in the scheme there is no timestamp', () =>
  withServers({}, async own => {
    const played = await sign({ wallet: own }, asking(irma, { disclose: BOTH }))
    assert.is(played.outcome.status, 'success')
    assert.is(sentMessage(played).timestamp, null)
    assert.match(played.server.asked.at(-1)?.body ?? '', '"timestamp":null}')
    assertSigned(sentMessage(played))
  }),
)

Signing('attributes of schemes with different timestamp servers cannot be in one signature', async () => {
  const different = [
    { 'svc-demo': STAMPED, 'svc-keyshare': 'http://127.0.0.1:8191/' },
    { 'svc-demo': STAMPED },
  ]
  for (const servers of different)
    await withServers(servers, async own => {
      const { outcome, calls } = await sign({ wallet: own }, asking(irma, { disclose: BOTH }))
      assertFailed(outcome, 'no-timestamp', /expected attributes of schemes with one timestamp server/)
      assert.equal(calls, ['GET /', 'DELETE /'])
    })
})

Signing('two schemes with the same timestamp server get one timestamp; a missing slash is added', () =>
  withServers({ 'svc-demo': STAMPED.slice(0, -1), 'svc-keyshare': STAMPED.slice(0, -1) }, async own => {
    const played = await sign({ wallet: own }, asking(irma, { disclose: BOTH }))
    assert.is(played.outcome.status, 'success')
    assert.is(sentMessage(played).proofs.length, 2)
  }),
)

async function otherStamp(): Promise<Response> {
  const Nonce = Buffer.alloc(32).toString('base64')
  const headers = { 'Content-Type': 'application/json' }
  return fetch(address, { method: 'POST', headers, body: JSON.stringify({ Nonce }) })
}
const respond =
  (body: string | Buffer<ArrayBuffer>, status = 200) =>
  (): Promise<Response> =>
    Promise.resolve(new Response(body, { status }))

const FAILING: readonly (readonly [what: string, answer: () => Promise<Response>, message: RegExp])[] = [
  [
    'that is unreachable',
    () => Promise.reject(new TypeError('fetch failed')),
    /expected an answer of https?:\/\/\S+\/, got none/,
  ],
  ['that answers an error', respond('{}', 503), /expected the answer 200 of https?:\/\/\S+\/, got 503/],
  ['that redirects', respond('', 302), /expected the answer 200 of https?:\/\/\S+\/, got 302/],
  ['that refuses', respond('{"Error":"no more","Stamp":null}'), /the server refused/],
  ['that answers with no JSON', respond('<html>'), /JSON/],
  [
    'that answers with other bytes than UTF-8',
    respond(Buffer.from('"\u00e9"', 'latin1')),
    /in UTF-8, got other/,
  ],
  ['that answers without a stamp', respond('{"Error":null}'), /Stamp: expected an object/],
  ['that answers with too many bytes', respond(' '.repeat(1 << 17)), /too large/],
  ['that stamps another nonce', otherStamp, /expected an Ed25519 signature of the nonce that was sent/],
]

for (const [what, answer, message] of FAILING)
  Signing(`with a timestamp server ${what}, no signature is sent to the session server`, async () => {
    const { outcome, calls } = await sign({ send: stampedBy(answer) })
    assertFailed(outcome, 'no-timestamp', message)
    assert.equal(calls, ['GET /', 'DELETE /'])
  })

Signing('the wallet waits 10 s for a silent timestamp server', async () => {
  const waits: number[] = []
  const clock = {
    now: () => NOW_SEC * 1000,
    wallNow: () => NOW_SEC * 1000,
    setTimeout: (action: () => void, ms: number) => {
      waits.push(ms)
      return ms === 10_000 ? setImmediate(action) : {}
    },
    clearTimeout: () => undefined,
  }
  const never: typeof fetch = (url, init) =>
    String(url) !== STAMPED
      ? fetch(url, init)
      : new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        )
  const { outcome } = await sign({ send: never, clock })
  assertFailed(outcome, 'no-timestamp', /expected an answer of https?:\/\/\S+\/, got none/)
  assert.ok(waits.includes(10_000))
})

Signing('walking away during the request for a timestamp cancels the session', async () => {
  const leaving = new AbortController()
  const never: typeof fetch = (url, init) => {
    if (String(url) !== STAMPED) return fetch(url, init)
    leaving.abort()
    return Promise.reject(new Error('aborted'))
  }
  const { outcome, calls } = await sign({ send: never, handlers: { ...agreeToAll, signal: leaving.signal } })
  assert.is(outcome.status, 'cancelled')
  assert.equal(calls, ['GET /', 'DELETE /'])
})

Signing('without developer mode a timestamp server must speak HTTPS', async () => {
  const plain = await newWallet([CARD], false)
  const request = requestOf(
    irma,
    { disclose: [[['svc-demo.gov.idcard']]], message: MESSAGE, devMode: false },
    'signature',
  )
  const server = await startFakeServer('/irma', { ...asking(), 'GET /': json(connection(irma, { request })) })
  const { origin } = new URL(server.u)
  const secure: typeof fetch = (url, init) =>
    fetch(String(url).replace('https://shop.example.test', origin), init)
  const u = server.u.replace(origin, 'https://shop.example.test')
  const outcome = await answerSession(
    { ...deps, wallet: plain, fetch: secure, clock: hastyClock() },
    JSON.stringify({ u, irmaqr: 'signing' }),
    agreeToAll,
  )
  assertFailed(outcome, 'insecure', /timestamp server: plain HTTP needs developer mode/)
  await server.close()
  await plain.close()
})

Signing('a signature needs at least one attribute', async () => {
  for (const disclose of [undefined, [[[], ['svc-demo.fast.note.text']]]]) {
    const { outcome, calls } = await sign({}, asking(irma, { disclose }))
    assertFailed(outcome, 'invalid-choice', /at least one attribute to sign with/)
    assert.equal(calls, ['GET /', 'DELETE /'])
  }
})

Signing('a proof status other than VALID is a failure', async () => {
  for (const proofStatus of ['INVALID_TIMESTAMP', 'UNMATCHED_REQUEST']) {
    const { outcome } = await sign({}, { ...asking(), 'POST /proofs': json({ proofStatus }) })
    assertFailed(outcome, 'not-valid', new RegExp(proofStatus))
  }
})

Signing.after(() => Promise.all([wallet.close(), stamps.close()]).then(() => undefined))
Signing.run()
