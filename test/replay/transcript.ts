/** Recorded exchanges (test/vectors/README.md), read for one profile: what was asked and answered, which random values the server had made, and
 *  what is not replayed yet. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { PROJECT } from '../project.ts'
import { type JsonText, readJsonText } from './json-text.ts'

export type RecordedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** the body, byte for byte */
  readonly text: string
}

/** Random values of the server as recorded; made up where that server made none, or nobody saw them. */
export type RecordedRandomness = {
  /** client token, requestor token, frontend authorization */
  readonly tokens: readonly string[]
  /** Base64 */
  readonly nonce: string
  readonly pairingCode: string
}

export type Exchange = {
  readonly n: number
  readonly atMs: number
  readonly title: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** null: only our own answer counts */
  readonly answer: RecordedAnswer | null
  readonly random: RecordedRandomness
  /** of an event stream */
  readonly frames: readonly string[] | null
  /** why it is not replayed; null: it is */
  readonly skipped: string | null
}

export type Transcript = {
  readonly file: string
  readonly description: string
  readonly recordedAtMs: number
  readonly server: RecordedServer
  readonly exchanges: readonly Exchange[]
}

/** Options of the server, as far as they matter here. */
export type RecordedServer = {
  readonly url: string
  readonly production: boolean
  readonly no_auth: boolean
  readonly augment_client_return_url?: boolean
  readonly min_protocol_version?: string
  /** minutes */
  readonly max_session_lifetime?: number
  readonly session_result_lifetime?: number
  readonly requestors?: Readonly<Record<string, RecordedRequestor>>
}
export type RecordedRequestor = {
  /** shared token or secret; absent if it has a key pair */
  readonly key?: string
  readonly disclose_perms?: readonly string[]
  readonly sign_perms?: readonly string[]
  readonly issue_perms?: readonly string[]
  readonly host_perms?: readonly string[]
}

/** One exchange as in the file. */
type RawExchange = {
  n: number
  atMs: number
  note?: string
  to: string
  request: { method: string; path: string; headers?: Record<string, string>; raw?: string }
  response: { status: number; headers?: Record<string, string>; raw?: string } | null
  events?: { frame: string }[]
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

/** A text of profile `irma` in the words of the profile: paths, headers, pointer field and contexts differ. */
export function inWordsOf(profile: ProfileName, text: string): string {
  const [from, to] = [PROFILES.irma, PROFILES[profile]]
  return text
    .replaceAll(from.contextBase, to.contextBase)
    .replaceAll(`${from.prefix}/`, `${to.prefix}/`)
    .replaceAll(`"${from.pointerField}"`, `"${to.pointerField}"`)
    .replaceAll(from.minVersionHeader.toLowerCase(), to.minVersionHeader.toLowerCase())
    .replaceAll(from.maxVersionHeader.toLowerCase(), to.maxVersionHeader.toLowerCase())
}

export function readTranscript(file: string, profile: ProfileName): Transcript {
  const text = inWordsOf(profile, readFileSync(join(PROJECT, 'test/vectors/transcripts', file), 'utf8'))
  const raw: RawTranscript = JSON.parse(text)
  const texts = readJsonText(text).members.get('exchanges')?.items ?? []
  const bodies = raw.exchanges.map((_, i) => bodiesOf(texts[i]))
  const skipped = findSkipped(raw.exchanges, bodies)
  const stray = STRAYS[file]
  const exchanges = raw.exchanges.map((exchange, i) => ({
    ...unsigned(readExchange(exchange, bodies[i]), raw.server, profile),
    random: randomnessOf(i, raw.exchanges, bodies),
    skipped: stray?.n === exchange.n ? stray.reason : (skipped[i] ?? null),
  }))
  const { description, recordedAt, server } = raw
  return { file, description, recordedAtMs: recordedAt * 1000, server, exchanges }
}

type Bodies = { readonly request: JsonText | undefined; readonly response: JsonText | undefined }

function bodiesOf(exchange: JsonText | undefined): Bodies {
  const bodyOf = (part: string): JsonText | undefined => exchange?.members.get(part)?.members.get('body')
  return { request: bodyOf('request'), response: bodyOf('response') }
}

function readExchange(raw: RawExchange, bodies: Bodies | undefined) {
  const { n, atMs, note = '', request, response, events } = raw
  const answer = response && {
    status: response.status,
    headers: response.headers ?? {},
    text: response.raw ?? bodies?.response?.text ?? '',
  }
  return {
    ...{ n, atMs, answer },
    title: `${n} ${request.method} ${request.path} ${note}`.trimEnd(),
    method: request.method,
    path: request.path,
    headers: request.headers ?? {},
    body: request.raw ?? bodies?.request?.text,
    frames: events ? events.map(event => event.frame) : null,
  }
}

type Request = Pick<Exchange, 'headers' | 'body'>

/** Signed session requests come later: until then the requestor that signed sends the same request with its key as shared token. */
function unsigned<Call extends Request>(call: Call, server: RecordedServer, profile: ProfileName): Call {
  if (server.no_auth || !call.body?.startsWith('eyJ')) return call
  const payload = Buffer.from(call.body.split('.')[1] ?? '', 'base64url').toString()
  const { iss, sprequest } = JSON.parse(inWordsOf(profile, payload))
  const authorization = server.requestors?.[iss]?.key ?? ''
  const headers = { ...call.headers, 'content-type': 'application/json', authorization }
  return { ...call, headers, body: JSON.stringify(sprequest) }
}

function stringAt(value: JsonText | undefined, ...path: readonly string[]): string | null {
  for (const name of path) value = value?.members.get(name)
  return value?.text.startsWith('"') ? JSON.parse(value.text) : null
}

function tokensOf(response: JsonText | undefined): string[] {
  const client = stringAt(response, 'sessionPtr', 'u')?.split('/').at(-1)
  const requestor = stringAt(response, 'token')
  const frontend = stringAt(response, 'frontendRequest', 'authorization')
  return client && requestor && frontend ? [client, requestor, frontend] : []
}

/** What the server had to make up for this exchange; the nonce of a session is seen only when the app gets its request. */
function randomnessOf(
  index: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): RecordedRandomness {
  const response = bodies[index]?.response
  const tokens = tokensOf(response)
  const [client] = tokens
  const n = String(exchanges[index]?.n).padStart(4, '0')
  const madeUp = [`unrecordedClient${n}`, `unrecordedResult${n}`, `unrecordedScreen${n}`]
  const ofSession = bodies.filter((_, i) => client && exchanges[i]?.request.path.includes(client))
  const nonces = ofSession.map(
    each => stringAt(each.response, 'request', 'nonce') ?? stringAt(each.response, 'nonce'),
  )
  return {
    tokens: client ? tokens : madeUp,
    nonce: nonces.find(each => each !== null) ?? 'AQ==',
    pairingCode: stringAt(response, 'pairingCode') ?? '0000',
  }
}

/** Sessions of types that come later, with everything that is about them, and calls to other servers. */
function findSkipped(exchanges: readonly RawExchange[], bodies: readonly Bodies[]): (string | null)[] {
  const tokens = new Map<string, string>()
  return exchanges.map(({ n, to, request }, i) => {
    if (to !== 'session') return `a call to the ${to}`
    const body = bodies[i]?.request
    const context = stringAt(body, '@context') ?? stringAt(body, 'request', '@context') ?? ''
    const [, type] = /\/ld\/request\/(signature|issuance)\//.exec(context) ?? []
    const isCreation = type !== undefined && request.path.startsWith('/session')
    if (!isCreation) return tokens.get(request.path.split('/').find(part => tokens.has(part)) ?? '') ?? null
    const reason = `${type} session of exchange ${n}`
    for (const token of tokensOf(bodies[i]?.response)) tokens.set(token, reason)
    return reason
  })
}
