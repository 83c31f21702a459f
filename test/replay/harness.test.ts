/** The harness notices what it is there for: a credential that is not the one asked for, and a call of the server that is not the recorded one. @module */
import * as assert from 'uvu/assert'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { watchIssuance } from './issued-credentials.ts'
import { createRecordedOthers } from './server-calls.ts'
import { readTranscript } from './transcript.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const Issued = suite('replay: what is issued')

/** @returns what is wrong with recorded credentials of which one text was replaced */
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

Issued('a session that is answered twice must be answered with the same signature', () => {
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

Calls('the recorded call is answered as recorded', async () => {
  const others = createRecordedOthers('irma', [])
  others.expect([call])
  assert.equal(await others.post(call.url, message), call.answer)
  assert.equal(others.mismatches(), [])
})

Calls('another address, type or body is a mismatch, and so is no key for repetitions', async () => {
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

Calls('a call that is not made is a mismatch, one more is an error', async () => {
  const others = createRecordedOthers('irma', [])
  others.expect([call])
  assert.match(others.mismatches()[0] ?? '', /was not asked/)
  await others.post(call.url, message).then(
    () => assert.unreachable(),
    error => assert.match(error.message, /a call more than was recorded/),
  )
})

Calls.run()
