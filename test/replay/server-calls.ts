/** Recorded requestors and timestamp servers: they send the recorded answers to the server, and report calls that differ. @module */
import type { Outgoing } from '../../ports/outgoing.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Difference } from './differences.ts'
import { readJwt } from './jwt-text.ts'
import { claimsIn } from './signed-texts.ts'
import type { RecordedCall } from './transcript.ts'

type OutgoingCall = {
  readonly method: string
  readonly url: string
  readonly contentType: string
  readonly body: string
}

export type RecordedOthers = Pick<Outgoing, 'get' | 'post' | 'notify'> & {
  /** expects these calls from now on, in this order */
  expect(calls: readonly RecordedCall[]): void
  /** @returns the differences between the calls since then and the expected ones, one line each */
  mismatches(): string[]
  /** @returns the differences between the callbacks so far and the recorded ones. Each is posted once (spec/session-server#q2), to the unchanged address (spec/decisions#d22) */
  callbackMismatches(calls: readonly RecordedCall[]): string[]
}

/** @param profile the profile whose words the expected calls have
 *  @param decided contains the calls that differ on purpose */
export function createRecordedOthers(profile: ProfileName, decided: readonly Difference[]): RecordedOthers {
  let expected: RecordedCall[] = []
  let found: string[] = []
  const callbacks: OutgoingCall[] = []
  const trusted = new Map<string, RecordedCall['answer']>()
  const answer = (asked: OutgoingCall): RecordedCall['answer'] => {
    const call = expected.shift()
    if (!call) throw new Error(`expected no further call, got ${asked.method} ${asked.url}`)
    const lines = judge(asked, call, profile, decided)
    found.push(...lines.map(line => `${call.n} ${call.method} ${call.url}: ${line}`))
    return call.answer
  }
  return {
    async get(url) {
      const known = trusted.get(url) ?? answer({ method: 'GET', url, contentType: '', body: '' })
      if (known.text.includes('"Trusted":true')) trusted.set(url, known)
      return known
    },
    async post(url, { body, contentType, idempotencyKey }) {
      if (idempotencyKey === '') found.push(`POST ${url}: expected an Idempotency-Key, got none`)
      return answer({ method: 'POST', url, contentType, body })
    },
    async notify(url, { body, contentType, idempotencyKey }) {
      if (idempotencyKey === '') found.push(`POST ${url}: expected an Idempotency-Key, got none`)
      callbacks.push({ method: 'POST', url, contentType, body })
      return { status: 200, retryAfter: null }
    },
    callbackMismatches(calls) {
      const lines = firstOfEach(calls).flatMap((call, i) => {
        const asked = callbacks[i] ?? { method: '', url: '', contentType: '', body: '' }
        return judge(asked, asGiven(call), profile, decided).map(line => `${call.n} ${call.url}: ${line}`)
      })
      return [...lines, ...callbacks.slice(firstOfEach(calls).length).map(({ url }) => `${url}: one more`)]
    },
    expect(calls) {
      expected = calls.filter(call => !trusted.has(call.url)) // known answers are not requested again
    },
    mismatches() {
      const all = [...found, ...expected.map(({ n, method, url }) => `${n} ${method} ${url}: missing call`)]
      found = []
      expected = []
      return all
    },
  }
}

/** spec/session-server#q2: the recorded server posted the same result several times, and this server posts it once. */
function firstOfEach(calls: readonly RecordedCall[]): RecordedCall[] {
  const tokenOf = ({ body }: RecordedCall): string => JSON.parse(readJwt(body)?.payload ?? body).token
  return calls.filter((call, i) => calls.findIndex(other => tokenOf(other) === tokenOf(call)) === i)
}

/** spec/decisions#d22: the recorded server had added a slash to the address. */
function asGiven(call: RecordedCall): RecordedCall {
  return { ...call, url: call.url.replace(/\/$/, '') }
}

function judge(
  asked: OutgoingCall,
  call: RecordedCall,
  profile: ProfileName,
  decided: readonly Difference[],
): string[] {
  const found = differencesFromRecording(asked, call, profile)
  const difference = decided.find(each => each.exchange === call.n)
  if (!difference) return found
  if (found.length === 0) return [`${difference.decision}: no longer differs from the recording`]
  const { claims } = difference.answer
  const said = readJwt(asked.body)?.payload
  return said === claims ? [] : [`${difference.decision}: body: expected ${claims}, asked ${said}`]
}

function differencesFromRecording(asked: OutgoingCall, call: RecordedCall, profile: ProfileName): string[] {
  const pairs = [
    ['method', call.method, asked.method],
    ['url', call.url, asked.url],
    ['content-type', call.contentType, asked.contentType],
    ['body', claimsIn(call.body, profile, true), claimsIn(asked.body, profile, false)],
  ] as const
  return pairs.flatMap(([what, expected, got]) =>
    expected === got ? [] : `${what}: recorded ${expected}, asked ${got}`,
  )
}
