/** Recorded exchanges (test/vectors/README.md), read for one profile: requests and answers, the random values of the server, its calls to
 *  others, and exchanges that are not replayed. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfileName } from '../../protocol/profiles.ts'
import { PROJECT } from '../project.ts'
import { cborText } from './accumulators.ts'
import { type JsonText, readJsonText } from './json-text.ts'
import type { Bodies, RawExchange } from './raw-exchange.ts'
import {
  earlierAccounts,
  hasUnseenPowers,
  type KeyshareRandomness,
  keyshareRandomnessOf,
  type RecordedAccount,
} from './recorded-accounts.ts'
import { type RecordedRandomness, randomnessOf } from './recorded-randomness.ts'
import { accumulatorsOf, type RecordedAccumulator } from './recorded-revocation.ts'
import type { RecordedServer } from './recorded-server.ts'
import { startOf } from './recorded-time.ts'
import { inProfile } from './signed-texts.ts'
import { inWordsOf } from './words-of-profile.ts'

export type RecordedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** the body, byte for byte; CBOR as text */
  readonly text: string
}

export type Exchange = {
  readonly n: number
  /** the called server */
  readonly to: 'session' | 'keyshare'
  readonly atMs: number
  readonly title: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** null if only our own answer counts */
  readonly answer: RecordedAnswer | null
  readonly random: RecordedRandomness
  /** random values of a keyshare server */
  readonly keyshare: KeyshareRandomness
  /** true if the answer has powers of a number that is not in the recording */
  readonly hasUnseenPowers: boolean
  /** the frames of an event stream */
  readonly frames: readonly string[] | null
  /** expected calls of the server to others while it answers */
  readonly calls: readonly RecordedCall[]
  /** the reason why the exchange is not replayed; null if it is replayed */
  readonly skipped: string | null
}

/** A call of the server to a requestor or a timestamp server. */
export type RecordedCall = {
  readonly n: number
  readonly method: string
  readonly url: string
  readonly contentType: string
  readonly body: string
  readonly answer: { readonly status: number; readonly text: string }
}

export type Transcript = {
  readonly file: string
  readonly description: string
  readonly recordedAtMs: number
  readonly server: RecordedServer
  readonly exchanges: readonly Exchange[]
  /** results that are posted to a callbackUrl, at any time */
  readonly callbacks: readonly RecordedCall[]
  /** the revocation state of the server at the start */
  readonly accumulators: readonly RecordedAccumulator[]
  /** the accounts of the keyshare server at the start */
  readonly accounts: readonly RecordedAccount[]
}

type RawTranscript = {
  description: string
  recordedAt: number
  server: RecordedServer
  exchanges: RawExchange[]
}

/** Exchanges that belong to another recording. */
const STRAYS: Readonly<Record<string, { readonly n: number; readonly reason: string }>> = {
  'cancel-by-app.json': { n: 4, reason: 'a wallet of pairing-rejected.json, still polling' },
}
/** The addresses of the other parties. */
const OTHERS: Readonly<Record<string, string>> = {
  requestor: 'http://127.0.0.1:8191',
  timestamp: 'http://127.0.0.1:8190',
}

/** @param file below test/vectors */
export function readTranscript(file: string, profile: ProfileName): Transcript {
  const text = inWordsOf(profile, readFileSync(join(PROJECT, 'test/vectors', file), 'utf8'))
  const raw: RawTranscript = JSON.parse(text)
  const texts = readJsonText(text).members.get('exchanges')?.items ?? []
  const bodies = raw.exchanges.map((_, i) => bodiesOf(texts[i]))
  const { description, recordedAt, server } = raw
  const exchanges = raw.exchanges.flatMap((exchange, i) => {
    if (isServerCall(exchange) || isCallback(exchange)) return [] // calls that the recorded server made
    const skipped = reasonToSkip(exchange, file)
    return {
      ...readExchange(exchange, bodies[i], text => inProfile(text, server, profile)),
      random: randomnessOf(i, raw.exchanges, bodies),
      keyshare: keyshareRandomnessOf(i, { exchanges: raw.exchanges, bodies }),
      hasUnseenPowers: hasUnseenPowers(i, { exchanges: raw.exchanges, bodies }),
      calls: skipped === null ? callsDuring(i, raw.exchanges, bodies) : [],
      skipped,
    }
  })
  const callbacks = raw.exchanges.flatMap((each, i) => (isCallback(each) ? callOf(each, bodies[i]) : []))
  const recordedAtMs = startOf(recordedAt, raw.exchanges, bodies)
  const accumulators = accumulatorsOf(bodies)
  const accounts = earlierAccounts(file, { exchanges: raw.exchanges, bodies })
  return { file, description, recordedAtMs, server, exchanges, callbacks, accumulators, accounts }
}

function bodiesOf(exchange: JsonText | undefined): Bodies {
  const bodyOf = (part: string): JsonText | undefined => exchange?.members.get(part)?.members.get('body')
  return { request: bodyOf('request'), response: bodyOf('response') }
}

function readExchange(raw: RawExchange, bodies: Bodies | undefined, rewritten: (text: string) => string) {
  const { n, atMs, note = '', request, response, events } = raw
  const to: Exchange['to'] = raw.to === 'keyshare' ? 'keyshare' : 'session'
  const answer = response && {
    status: response.status,
    headers: response.headers ?? {},
    text: response.hex
      ? cborText(Buffer.from(response.hex, 'hex'))
      : (response.raw ?? bodies?.response?.text ?? ''),
  }
  const body = request.raw ?? bodies?.request?.text
  return {
    n,
    atMs,
    to,
    answer,
    title: `${n} ${request.method} ${request.path} ${note}`.trimEnd(),
    method: request.method,
    path: request.path,
    headers: request.headers ?? {},
    body: body === undefined ? undefined : rewritten(body),
    frames: events ? events.map(event => event.frame) : null,
  }
}

function reasonToSkip({ n, to }: RawExchange, file: string): string | null {
  const stray = STRAYS[file.replace(/^.*\//, '')]
  if (stray?.n === n) return stray.reason
  return to === 'session' || to === 'keyshare' ? null : `a call to the ${to}`
}

function isCallback({ request }: RawExchange): boolean {
  return /^\/(callback|static)/.test(request.path)
}

function isServerCall(exchange: RawExchange): boolean {
  return exchange.party === 'server' && !isCallback(exchange)
}

/** Calls of the server are recorded right after the exchange that caused them. */
function callsDuring(
  index: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): RecordedCall[] {
  const end = exchanges.findIndex((each, i) => i > index && each.to === 'session')
  return exchanges.flatMap((exchange, i) => {
    const isDuring = i > index && (end < 0 || i < end)
    return isDuring && isServerCall(exchange) ? callOf(exchange, bodies[i]) : []
  })
}

function callOf({ n, to, request, response }: RawExchange, bodies: Bodies | undefined): RecordedCall {
  return {
    n,
    method: request.method,
    url: `${OTHERS[to]}${request.path}`,
    contentType: request.headers?.['content-type'] ?? '',
    body: request.raw ?? bodies?.request?.text ?? '',
    answer: {
      status: response?.status ?? 0,
      text: response?.raw ?? bodies?.response?.text ?? '',
    },
  }
}
