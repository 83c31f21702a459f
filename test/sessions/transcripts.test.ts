/** Recorded sessions: the messages of this server equal the recorded ones, byte for byte. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { writeJson } from '../../protocol/json.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import type { Exchange } from '../protocol/recorded.ts'
import { answerInFormOf } from '../replay/words-of-profile.ts'
import { suite } from '../suite.ts'
import { Replay } from './replay.ts'

const Transcripts = suite('recorded sessions')
const schemes = await loadSchemes(DEMO_SCHEMES)

/** Our own answers where they differ on purpose: [status, error type or proof status]. */
type Differences = { readonly [n: number]: readonly [number, string] }

const NAMES = readdirSync(join(PROJECT, 'test/vectors/transcripts'))
  .filter(name => /^(disclosure|signature|issuance|combined)-/.test(name))
  .map(name => name.replace('.json', ''))

function expectedText(exchange: Exchange, profile: ProfileName): string {
  return answerInFormOf(profile, exchange.response?.raw ?? writeJson(exchange.response?.body))
}

async function replayToTheByte(name: string, profile: ProfileName, floor?: string): Promise<void> {
  const replay = new Replay(name, profile, schemes, floor)
  let count = 0
  for (const exchange of replay.exchanges) {
    const answer = await replay.answer(exchange)
    if (answer === null || isResultOfAnother(exchange)) continue
    assert.is(answer.status, exchange.response?.status)
    assert.is(answer.text, expectedText(exchange, profile))
    count++
  }
  assert.ok(count >= 2)
}

for (const name of [...NAMES, 'pairing-rejected'])
  for (const profile of ['irma', 'svc'] as const)
    Transcripts(
      `${name} in profile ${profile}: package, client request, response and result to the byte`,
      () => replayToTheByte(name, profile),
    )

for (const name of ['disclosure', 'disclosure-values', 'signature', 'issuance'].map(
  n => `legacy-request-${n}`,
))
  Transcripts(`${name}: the app gets it in the modern form, byte for byte`, () =>
    replayToTheByte(name, 'irma'),
  )

for (const version of ['2.5', '2.6', '2.7'])
  for (const type of ['disclosure', 'signature', 'issuance'])
    Transcripts(`an app of version ${version} gets the messages of that version, to the byte: ${type}`, () =>
      replayToTheByte(`version-${version}-${type}`, 'irma', '2.4'),
    )

/** The replay has no chart: a session that the wallet cancelled is still open here. */
function isResultOfAnother({ request, response }: Exchange): boolean {
  return request.path.endsWith('/result') && Object(response?.body).status === 'CANCELLED'
}

function isDone({ request, response }: Exchange): boolean {
  return request.path.endsWith('/result') && Object(response?.body).status === 'DONE'
}

/** Sorts attributes that were not requested, because they have no order. */
function withExtrasSorted(text: string): string {
  const result = JSON.parse(text)
  const lists: { id: string; status: string }[][] = (result.disclosed ?? []).filter(Array.isArray)
  for (const list of lists) if (list[0]?.status === 'EXTRA') list.sort((a, b) => (a.id < b.id ? -1 : 1))
  return writeJson(result)
}

/** Compares status and type of each answer that `isJudged`, and the results of finished sessions byte for byte. */
async function replayJudgements(
  name: string,
  profile: ProfileName,
  differences: Differences,
  isJudged: (exchange: Exchange) => boolean = isSubmission,
): Promise<void> {
  const replay = new Replay(name, profile, schemes)
  for (const exchange of replay.exchanges) {
    const answer = await replay.answer(exchange)
    if (answer === null) continue
    const { response, n, note } = exchange
    if (isDone(exchange) && !(n - 1 in differences))
      assert.is(withExtrasSorted(answer.text), withExtrasSorted(expectedText(exchange, profile)), `${n}`)
    if (!isJudged(exchange)) continue
    const recorded = [response?.status, typeOf(response?.body)]
    const expected = differences[n] ?? recorded
    assert.equal([answer.status, typeOf(JSON.parse(answer.text))], expected, `${n} ${note}`)
    if (n in differences) assert.not.equal(recorded, expected)
  }
}

function isSubmission({ request }: Exchange): boolean {
  return request.path.endsWith('/proofs')
}

function typeOf(body: unknown): string {
  const { error, proofStatus } = Object(body)
  return error ?? proofStatus ?? ''
}

/** Answers that the recording does not have, because the recorded server crashed. */
const BROKEN: Differences = {
  51: [200, 'INVALID'],
  67: [400, 'MALFORMED_INPUT'],
  71: [200, 'INVALID'],
  79: [400, 'MALFORMED_INPUT'],
  83: [400, 'MALFORMED_INPUT'],
  95: [200, 'INVALID'],
}
/** Rule 3 of spec/interface#2.4: two attributes of one type come from one instance. */
const ONE_INSTANCE: Differences = { 37: [200, 'MISSING_ATTRIBUTES'] }
const REFUSED = [400, 'INVALID_REQUEST'] as const
/** A signature needs no attributes (spec/decisions#d6). The requestor's key counter is ignored (spec/session-server#q10). There is one answer instead of two documents
 *  (spec/session-server#q1). A negative timeout is refused, and so is a validity that is not in the future after rounding (2.5). */
const CREATION: Differences = { 27: [200, ''], 34: REFUSED, 48: [200, ''], 59: REFUSED, 60: REFUSED }

/** True if only the body decides, and not the content type, authentication or path. */
function isCreation({ request }: Exchange): boolean {
  const { method, path, headers } = request
  return method === 'POST' && path === '/session' && headers?.['content-type'] === 'application/json'
}

for (const profile of ['irma', 'svc'] as const) {
  Transcripts(`every changed proof gets its answer, in profile ${profile}`, async () => {
    await replayJudgements('invalid-disclosures', profile, BROKEN)
    await replayJudgements('invalid-disclosures-2048', profile, { 51: [200, 'INVALID'] })
  })

  Transcripts(`every proof status is as recorded, in profile ${profile}`, () =>
    replayJudgements('proof-status', profile, ONE_INSTANCE),
  )

  Transcripts(`every malformed submission is refused as recorded, in profile ${profile}`, () =>
    replayJudgements(
      'errors-app-endpoints',
      profile,
      {},
      ({ note = '', request }) => /^body|issuance/.test(note) && request.path.endsWith('/proofs'),
    ),
  )
}

Transcripts('every refused session request is refused as recorded', () =>
  replayJudgements('errors-create-session', 'irma', CREATION, exchange => {
    const isAuthorized = exchange.request.headers?.authorization !== undefined
    return isCreation(exchange) && !isAuthorized
  }),
)

Transcripts.run()
