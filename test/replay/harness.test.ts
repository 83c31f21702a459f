/** The harness notices wrong answers: a credential that was not requested, a call of the server that is not the recorded one,
 *  and an answer that was calculated with other random values. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { watchIssuance } from './issued-credentials.ts'
import { sendAll } from './replay.ts'
import { createRecordedOthers } from './server-calls.ts'
import { readTranscript } from './transcript.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const Issued = suite('replay: issued credentials')

/** @returns the problems of recorded credentials after the replacement of one text */
function problems(file: string, from: string | RegExp, to: string): string[] {
  const { exchanges, recordedAtMs } = readTranscript(file, 'irma')
  const watch = watchIssuance(schemes)
  return exchanges.flatMap(exchange => {
    const { status = 0, text = '' } = exchange.answer ?? {}
    const nowSec = Math.floor((recordedAtMs + exchange.atMs) / 1_000)
    return watch.problemsOf(exchange, { status, text: text.replace(from, to) }, nowSec)
  })
}

const FILES = [
  'issuance-one-credential',
  'issuance-two-credentials',
  'issuance-randomblind',
  'combined-two-and-two',
]
for (const name of FILES) {
  const file = `transcripts/${name}.json`

  Issued(`${name}: recorded credentials are right`, () => {
    assert.equal(problems(file, '', ''), [])
  })

  Issued(`${name}: another number, attribute or validity is noticed`, () => {
    assert.not.equal(problems(file, /"e_response":"./, '"e_response":"/'), [])
    assert.not.equal(problems(file, /"A":"./, '"A":"/'), [])
    assert.not.equal(problems(file, /"validity":2/, '"validity":3'), [])
  })
}

Issued('a second answer of an issuance session must have the same signature', () => {
  const { exchanges, recordedAtMs } = readTranscript('transcripts/issuance-one-credential.json', 'irma')
  const watch = watchIssuance(schemes)
  const texts = exchanges.map(({ answer }) => answer?.text ?? '')
  const found = [...texts, ...texts.map(text => `${text} `)].flatMap((text, i) => {
    const exchange = exchanges[i % exchanges.length]
    return exchange ? watch.problemsOf(exchange, { status: 200, text }, recordedAtMs / 1_000) : []
  })
  assert.equal(found, ['a session issued twice'])
})

Issued.run()

const Calls = suite('replay: calls of the server')
const { exchanges } = readTranscript('transcripts/chained-three.json', 'irma')
const [call] = exchanges.flatMap(({ calls }) => calls)
if (!call) throw new Error('chained-three: expected a call of the server')
const message = { body: call.body, contentType: call.contentType, idempotencyKey: 'k' }

Calls('the recorded call gets the recorded answer', async () => {
  const others = createRecordedOthers('irma', [])
  others.expect([call])
  assert.equal(await others.post(call.url, message), call.answer)
  assert.equal(others.mismatches(), [])
})

Calls('another address, type or body is a mismatch, and so is a missing Idempotency-Key', async () => {
  for (const [url, changed] of [
    [`${call.url}x`, message],
    [call.url, { ...message, contentType: 'application/json' }],
    [call.url, { ...message, body: '{}' }],
    [call.url, { ...message, idempotencyKey: '' }],
  ] as const) {
    const others = createRecordedOthers('irma', [])
    others.expect([call])
    await others.post(url, changed)
    assert.is(others.mismatches().length, 1)
  }
})

Calls('a missing call is a mismatch, and a further call is an error', async () => {
  const others = createRecordedOthers('irma', [])
  others.expect([call])
  assert.match(others.mismatches()[0] ?? '', /missing call/)
  await others.post(call.url, message).then(
    () => assert.unreachable(),
    error => assert.match(error.message, /expected no further call/),
  )
})

Calls.run()

const Keyshare = suite('replay: random values of a keyshare server')
const recordings = ['keyshare', 'keyshare-server'].flatMap(folder =>
  readdirSync(join(PROJECT, 'test/vectors', folder))
    .filter(file => file.startsWith('keyshare-'))
    .map(file => readTranscript(`${folder}/${file}`, 'irma')),
)

Keyshare('every w_k of a response is known, so that only three answers are not compared', () => {
  const unseen = recordings.flatMap(({ file, exchanges }) =>
    exchanges.flatMap(({ n, hasUnseenPowers }) => (hasUnseenPowers ? [`${file} ${n}`] : [])),
  )
  const raw = 'keyshare-server/keyshare-raw.json'
  assert.equal(unseen.sort(), ['keyshare-server/keyshare-pin-blocking.json 20', `${raw} 123`, `${raw} 144`])
})

Keyshare('another m_k, challenge or token id than the recorded one is a mismatch', async () => {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const parts = { schemes, pool }
  const file = 'keyshare-server/keyshare-enroll.json'
  for (const [n, place, exchanges] of [
    [1, 0, /^5 POST .*getPs: body/],
    [1, 1, /^4 POST .*pin_challengeresponse: body/],
    [3, 0, /^3 POST .*verify_start: body/],
    [6, 0, /^6 POST .*getCommitments: body/],
  ] as const) {
    const transcript = readTranscript(file, 'irma')
    const changed = transcript.exchanges.map(exchange => {
      const values = exchange.keyshare.values.map((value, i) => (i === place && value ? value ^ 2n : value))
      return exchange.n === n ? { ...exchange, keyshare: { ...exchange.keyshare, values } } : exchange
    })
    const [first = ''] = await sendAll({ ...transcript, exchanges: changed }, 'irma', [], parts)
    assert.match(first, exchanges)
  }
  await pool.close()
})

Keyshare.run()
