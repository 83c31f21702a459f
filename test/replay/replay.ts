/** Sends the exchanges of a transcript in their order, over real HTTP. It reports each answer that is neither the recorded one nor the one in
 *  test/vectors/differences.json. @module */
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { Answer, Client, Stream } from '../http/client.ts'
import { inTime } from '../patience.ts'
import { cborText, forgedAccumulators } from './accumulators.ts'
import { differencesFromDecision, differencesFromRecording } from './compare.ts'
import { type Difference, readDifferences } from './differences.ts'
import { watchIssuance } from './issued-credentials.ts'
import { withoutPowers } from './recorded-accounts.ts'
import { startReplayServer } from './replay-server.ts'
import { problemsOfSdJwts } from './sd-jwt-text.ts'
import { type Exchange, readTranscript, type Transcript } from './transcript.ts'

export type ReplayReport = {
  readonly file: string
  readonly replayed: number
  /** decisions, one for each exchange with a different answer */
  readonly decisions: readonly string[]
  /** reasons, one for each exchange that is not replayed */
  readonly skipped: readonly string[]
  /** problems, one line each */
  readonly mismatches: readonly string[]
}

type Parts = { readonly schemes: Schemes; readonly pool: ProofPool }
type OpenStream = {
  readonly exchange: Exchange
  readonly difference: Difference | undefined
  readonly stream: Stream
}

/** @param decided by default the entries of differences.json for the profile */
export async function replay(
  file: string,
  profile: ProfileName,
  parts: Parts,
  decided: readonly Difference[] = readDifferences(profile),
): Promise<ReplayReport> {
  const transcript = readTranscript(file, profile)
  const differences = decided.filter(each => each.file === file)
  const wanted = transcript.exchanges.filter(exchange => exchange.skipped === null)
  const mismatches = await sendAll({ ...transcript, exchanges: wanted }, profile, differences, parts)
  const calls = [...wanted.flatMap(each => each.calls), ...transcript.callbacks]
  const known = new Set([...wanted, ...calls].map(({ n }) => n))
  for (const { exchange } of differences.filter(each => !known.has(each.exchange)))
    mismatches.push(`${exchange}: a difference for an exchange that is not replayed`)
  return {
    file,
    replayed: known.size,
    decisions: differences.map(each => each.decision),
    skipped: transcript.exchanges.flatMap(each => each.skipped ?? []),
    mismatches,
  }
}

/** @param differences of this transcript
 *  @returns problems, one line each */
export async function sendAll(
  transcript: Transcript,
  profile: ProfileName,
  differences: readonly Difference[],
  parts: Parts,
): Promise<string[]> {
  const server = await startReplayServer(transcript, profile, parts, differences)
  const hosts = hostsOf(transcript)
  const mismatches: string[] = []
  const streams: OpenStream[] = []
  const issuance = watchIssuance(parts.schemes)
  try {
    for (const exchange of transcript.exchanges) {
      const difference = differences.find(each => each.exchange === exchange.n)
      await server.prepare(exchange)
      const isStream = (difference?.answer ?? exchange).frames !== null
      const [client, host] = [server.clients[exchange.to], hosts[exchange.to]]
      const stream = isStream ? await openStream(client, exchange, host) : null
      if (stream) streams.push({ exchange, difference, stream })
      const answer = stream?.head ?? (await send(client, exchange, host))
      const judged = judge(answer, exchange, stream ? undefined : difference, profile)
      const isOfOtherKind = stream !== null && exchange.frames === null // then only its frames are compared
      const problems = [
        ...issuance.problemsOf(exchange, answer, server.nowSec()),
        ...forgedAccumulators(answer.text, parts.schemes),
        ...problemsOfSdJwts(exchange, answer.text, server.nowSec()),
      ]
      const found = [...(isOfOtherKind ? [] : judged), ...server.callMismatches(), ...problems]
      mismatches.push(...found.map(line => `${exchange.title}: ${line}`))
    }
    for (const open of streams)
      mismatches.push(...(await judgeStream(open)).map(line => `${open.exchange.title}: ${line}`))
    mismatches.push(...(await server.callbackMismatches()))
  } finally {
    for (const { stream } of streams) stream.leave()
    await server.close()
  }
  return mismatches
}

function hostsOf({ server: { url, keyshare } }: Transcript): Readonly<Record<Exchange['to'], string>> {
  const host = new URL(url).host
  return { session: host, keyshare: keyshare ? new URL(keyshare.url).host : host }
}

function judge(
  answer: Answer,
  exchange: Exchange,
  difference: Difference | undefined,
  profile: ProfileName,
): string[] {
  const seen = <A extends { readonly text: string }>(each: A): A =>
    exchange.hasUnseenPowers ? { ...each, text: withoutPowers(each.text) } : each
  const fromRecording = exchange.answer
    ? differencesFromRecording(seen(answer), seen(exchange.answer), profile)
    : null
  if (!difference) return fromRecording ?? [`neither recorded nor in differences.json: ${answer.text}`]
  if (fromRecording?.length === 0) return [`${difference.decision}: no longer differs from the recording`]
  return differencesFromDecision(answer, difference, exchange.answer)
}

async function send(client: Client, exchange: Exchange, host: string): Promise<Answer> {
  const { method, path, headers, body } = exchange
  const answer = await inTime(
    client.call(method, path, { headers: { host, ...headers }, ...(body !== undefined && { body }) }),
    'an answer',
  )
  const isCbor = answer.headers['content-type'] === 'application/octet-stream'
  return isCbor ? { ...answer, text: cborText(answer.bytes) } : answer
}

function openStream(client: Client, { path, headers }: Exchange, host: string): Promise<Stream> {
  return inTime(client.open(path, { host, ...headers }), 'a stream')
}

/** Every recorded stream was ended by the server. */
async function judgeStream({ stream, exchange, difference }: OpenStream): Promise<string[]> {
  if (stream.head.headers['content-type'] !== 'text/event-stream') return ['expected an event stream']
  const count = difference?.answer.staysOpen ? difference.answer.frames?.length : undefined
  const got = await framesOf(stream, count)
  const recorded = JSON.stringify(exchange.frames)
  const expected = difference ? JSON.stringify(difference.answer.frames) : recorded
  const answered = JSON.stringify(got)
  if (difference && answered === recorded)
    return [`${difference.decision}: no longer differs from the recording`]
  return answered === expected ? [] : [`events: expected ${expected}, answered ${answered}`]
}

/** @param most number of frames; by default all frames up to the end
 *  @returns frames as on the wire; a missing frame is an empty text */
async function framesOf(stream: Stream, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const frames: string[] = []
  const next = (): Promise<string | null> => inTime(stream.next(), 'a frame').catch(() => '')
  for (let frame = await next(); frame !== null; frame = await next()) {
    frames.push(`${frame}\n\n`)
    if (frame === '' || frames.length >= most) break
  }
  return frames
}
