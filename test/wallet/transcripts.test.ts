/** The recorded sessions, played to this wallet by a server that gives the recorded answers, in both profiles. The wallet makes the calls of the
 *  recorded wallet and reaches the same outcome, and its disclosures verify (spec/interface#4.3, #5.3). @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { fromBase64 } from '../../crypto/bytes.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import { answerSession, type Consent, type ConsentQuestion } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { listedIndices } from '../../protocol/proofs-json.ts'
import { parseSignedMessage } from '../../protocol/signed-message.ts'
import { PROJECT, readVector } from '../project.ts'
import { suite } from '../suite.ts'
import { type DisclosedValue, deps, disclosedBy, newWallet, shownBy } from './demo-wallets.ts'
import {
  type Answer,
  type FakeServer,
  hastyClock,
  json,
  type ReceivedCall,
  startFakeServer,
  stream,
  text,
} from './fake-server.ts'
import { issuing, type Requested } from './issuer.ts'
import { NOW_SEC, WEEK_SEC } from './support.ts'

type Exchange = {
  readonly party: string
  readonly to: string
  readonly note?: string
  readonly request: { readonly method: string; readonly path: string }
  readonly response: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: {
      readonly sessionPtr?: { readonly u: string; readonly irmaqr: string }
      readonly request?: DeliveredBody
      readonly nonce?: string
      readonly credentials?: readonly Requested[]
    }
    readonly raw?: string
  }
  readonly events?: readonly { readonly frame: string }[]
}
type DeliveredBody = { readonly nonce: string; readonly credentials?: readonly Requested[] }
type Attribute = { readonly id: string; readonly rawvalue: string | null }
type Transcript = {
  readonly name: string
  readonly expected?: { readonly disclosed?: readonly (readonly Attribute[])[] }
  readonly walletResult: {
    readonly status: string
    readonly error: { readonly type: string } | null
    readonly clientReturnUrl?: string
    readonly pairingCode?: string
  }
  readonly exchanges: readonly Exchange[]
}

const STAMPED = 'http://127.0.0.1:8190/'
const stamps = createTimestampServer({
  clock: createSimulatedClock(NOW_SEC * 1000),
  expiresAtSec: NOW_SEC + WEEK_SEC,
})
const stampAddress = await stamps.listen(0, '127.0.0.1')

const SECURE_ORIGIN = 'https://shop.example.test'

/** Our error types for the recorded ones. */
const REASONS: Readonly<Record<string, string>> = {
  pairingRejected: 'pairing-rejected',
  invalidRequest: 'developer-mode',
}

function readTranscript(name: string): Transcript {
  return readVector(join('transcripts', name)) as Transcript // recorded data, its shape is described in its README
}

/** The exchanges of the wallet alone: without experiments beside them, reopened streams, and requests for the status, which
 *  this wallet makes at other times. */
function walletExchanges({ exchanges }: Transcript): Exchange[] {
  const own = exchanges.filter(
    ({ party, to, note, response }) =>
      party === 'wallet' && to === 'session' && !note && response.status === 200,
  )
  return own.filter(each => callOf(each) !== 'GET /status')
}

function callOf({ request: { method, path } }: Exchange): string {
  return `${method} ${path.replace(/^\/irma\/session\/[A-Za-z0-9]{20}/, '')}`
}

function inProfile(recorded: string, profile: Profile): string {
  if (profile.name === 'irma') return recorded
  return recorded.replaceAll('https://irma.app/', 'https://svc.example/')
}

function answerOf({ events, response: { status, headers, body, raw } }: Exchange, profile: Profile): Answer {
  if (events) return stream(...events.map(({ frame }) => frame))
  const whole = raw ?? (body === undefined ? '' : JSON.stringify(body))
  return text(inProfile(whole, profile), status, headers?.['content-type'])
}

/** The recorded credentials were issued for another wallet's commitment, so they are signed again, from the recorded request. */
async function startRecorded(transcript: Transcript, profile: Profile): Promise<FakeServer> {
  const own = walletExchanges(transcript)
  const credentials = own.flatMap(({ response: { body } }) => (body?.request ?? body)?.credentials ?? [])
  const answers = own.map(each => [
    callOf(each),
    callOf(each) === 'POST /commitments' ? issuing(credentials) : answerOf(each, profile),
  ])
  return startFakeServer(profile.prefix, { 'GET /status': json('PAIRING'), ...Object.fromEntries(answers) })
}

/** The recorded values; a random blind value differs in every wallet. */
function expectedValues(transcript: Transcript): (readonly (string | null)[])[] {
  return (transcript.expected?.disclosed ?? []).map(item =>
    item.map(({ id, rawvalue }) => comparable(id, rawvalue)),
  )
}

function comparable(id: string, value: string | null): string | null {
  return id.endsWith('.votingnumber') ? 'random' : value
}

/** The decision of the recorded user: the recorded values, or a refusal. */
function likeRecorded(transcript: Transcript) {
  return async ({ candidates }: ConsentQuestion): Promise<Consent> => {
    if (transcript.walletResult.status === 'cancelled') return { answer: 'refuse' }
    if (!transcript.expected) return { answer: 'disclose', choices: candidates.items.map(() => 0) }
    const values = expectedValues(transcript)
    const choices = candidates.items.map((item, i) =>
      item.candidates.findIndex(({ attributes }) => {
        const offered = attributes.map(({ id, value }) => comparable(id, value))
        return JSON.stringify(offered) === JSON.stringify(values[i])
      }),
    )
    return { answer: 'disclose', choices }
  }
}

/** The disclosed attributes, read as the recipient does. */
function shownIn({ call, body }: ReceivedCall, nonce: bigint): DisclosedValue[][] {
  if (call === 'POST /commitments') {
    const { proofs, indices } = parseCommitmentMessage(body)
    return shownBy(
      proofs.flatMap(each => (each.kind === 'disclosure' ? [each.proof] : [])),
      indices,
    )
  }
  if (!body.includes('"signature"')) return disclosedBy(body, { context: 1n, nonce })
  const { proofs, indices } = parseSignedMessage(body)
  return shownBy(proofs, listedIndices(indices))
}

function assertDisclosed(transcript: Transcript, server: FakeServer): void {
  const submission = server.asked.find(({ call }) => call.startsWith('POST'))
  const nonces = walletExchanges(transcript).map(
    ({ response: { body } }) => body?.request?.nonce ?? body?.nonce,
  )
  const nonce = fromBase64(nonces.find(each => each !== undefined) ?? '')
  const disclosed = submission ? shownIn(submission, nonce) : []
  const compared = disclosed.map(item => item.map(({ id, value }) => ({ id, value: comparable(id, value) })))
  const expected = (transcript.expected?.disclosed ?? []).map(item =>
    item.map(({ id, rawvalue }) => ({ id, value: comparable(id, rawvalue) })),
  )
  if (transcript.expected) assert.equal(compared, expected)
}

/** Sends calls for `https://shop.example.test` to a fake server, and calls for the schemes' timestamp server to another. */
function secureFetch(server: FakeServer): typeof fetch {
  const { origin } = new URL(server.u)
  return (address, init) =>
    fetch(String(address).replace(SECURE_ORIGIN, origin).replace(STAMPED, stampAddress), init)
}

/** The type of the session that the wallet answered; a requestor may have created others. */
function typeOf(transcript: Transcript): string {
  const { path = '' } = walletExchanges(transcript)[0]?.request ?? {}
  const pointers = transcript.exchanges.flatMap(({ response: { body } }) => body?.sessionPtr ?? [])
  return pointers.find(({ u }) => path.startsWith(new URL(u).pathname))?.irmaqr ?? ''
}

async function play(transcript: Transcript, profile: Profile, wallet: Wallet): Promise<void> {
  const server = await startRecorded(transcript, profile)
  const codes: string[] = []
  const u = wallet.developerMode ? server.u : server.u.replace(/^http:..[^/]*/, SECURE_ORIGIN)
  const outcome = await answerSession(
    { ...deps, wallet, fetch: secureFetch(server), clock: hastyClock() },
    JSON.stringify({ u, [profile.pointerField]: typeOf(transcript) }),
    { consent: likeRecorded(transcript), pairing: code => codes.push(code) },
  )
  await server.close()
  const { walletResult } = transcript
  assert.is(outcome.status, walletResult.status)
  assert.is(outcome.clientReturnUrl ?? '', walletResult.clientReturnUrl ?? '')
  if (outcome.status === 'failed') assert.is(outcome.reason, REASONS[walletResult.error?.type ?? ''])
  if (walletResult.pairingCode) assert.equal(codes, [walletResult.pairingCode])
  const ours = server.asked.map(({ call }) => call).filter(call => call !== 'GET /status')
  assert.equal(ours, walletExchanges(transcript).map(callOf))
  if (outcome.status === 'success') assertDisclosed(transcript, server)
}

const Transcripts = suite('recorded sessions')
const users = { developer: await newWallet(), receiver: await newWallet(), plain: await newWallet([], false) }
Transcripts.after(async () => {
  await Promise.all([stamps, ...Object.values(users)].map(each => each.close()))
})

const NAMES = [
  ...readdirSync(join(PROJECT, 'test/vectors/transcripts')).filter(name =>
    /^(disclosure|signature|issuance|combined)-/.test(name),
  ),
  'cancel-by-app.json',
  'pairing-disclosure.json',
  'pairing-issuance.json',
  'pairing-race.json',
  'pairing-rejected.json',
]

for (const profile of Object.values(PROFILES))
  for (const name of NAMES)
    Transcripts(`${name} ends as recorded in profile ${profile.name}`, () =>
      play(readTranscript(name), profile, /issuance|combined/.test(name) ? users.receiver : users.developer),
    )

for (const profile of Object.values(PROFILES))
  Transcripts(
    `a request with devMode is refused without developer mode in profile ${profile.name}, also over HTTPS`,
    () => play(readTranscript('devmode-refused-by-app.json'), profile, users.plain),
  )

Transcripts.run()
