/** Checks a history. Each session is compared with its chart, its streams and posts with the course of the session, and each account with its laws. @module */
import { wrongAccount } from './account-laws.ts'
import { linearise } from './linearise.ts'
import type { Answer, CallLine, History, LoginLine, PostLine, SessionLine, StreamLine } from './lines.ts'
import { wrongPosts } from './post-laws.ts'
import { type SessionOp, sessionModel } from './session-model.ts'
import { finalStatus, type SessionRules, type SessionState } from './session-state.ts'
import { wrongStreams } from './stream-laws.ts'
import { type Wellness, wellnessOf } from './wellness.ts'

export type Verdict = {
  /** each text begins with the name of the session or account; empty if every law holds */
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export type Rules = SessionRules & {
  /** the longest delay of an event of a stream after its cause, while its node is well */
  readonly streamLatenessMs: number
}

/** For real processes on one machine. */
export const REAL_RULES: Rules = { latenessMs: 1_000, skewMs: 100, streamLatenessMs: 3_000 }

/** All lines about one session. */
type LinesOfSession = {
  readonly session: SessionLine
  readonly calls: CallLine[]
  readonly streams: StreamLine[]
  readonly posts: PostLine[]
}

export function judge(history: History, rules: Rules = REAL_RULES): Verdict {
  const wellness = wellnessOf(history)
  const violations: string[] = []
  for (const told of bySession(history).values())
    violations.push(
      ...wrongIn(told, wellness, rules).map(wrong => `session ${told.session.session}: ${wrong}`),
    )
  for (const [account, lines] of byAccount(history))
    violations.push(...wrongAccount(lines).map(wrong => `account ${account}: ${wrong}`))
  return { violations, counts: countsOf(history) }
}

function bySession(history: History): ReadonlyMap<string, LinesOfSession> {
  const told = new Map<string, LinesOfSession>()
  for (const line of history)
    if (line.what === 'session') told.set(line.session, { session: line, calls: [], streams: [], posts: [] })
  for (const line of history) {
    if (!('session' in line)) continue
    const one = told.get(line.session)
    if (line.what === 'call') one?.calls.push(line)
    else if (line.what === 'stream') one?.streams.push(line)
    else if (line.what !== 'session') one?.posts.push(line)
  }
  return told
}

function byAccount(history: History): ReadonlyMap<string, LoginLine[]> {
  const told = new Map<string, LoginLine[]>()
  for (const line of history)
    if (line.what === 'login') told.set(line.account, [...(told.get(line.account) ?? []), line])
  return told
}

function wrongIn(
  { session, calls, streams, posts }: LinesOfSession,
  wellness: Wellness,
  rules: Rules,
): readonly string[] {
  const ops = [
    ...calls.map(opOf),
    ...streams.flatMap(eventsOf),
    ...posts.flatMap(post => postsOf(post, session)),
  ]
  const wrongAfter = (state: SessionState): readonly string[] => [
    ...wrongStreams(streams, { trail: wordsOfTrail(state), ops }, wellness, rules.streamLatenessMs),
    ...wrongPosts(session, posts, finalStatus(state), wellness),
  ]
  const fits = (state: SessionState): boolean => wrongAfter(state).length === 0
  const explained = linearise(sessionModel(session, wellness, rules), ops, fits)
  if (!explained.isExplained) {
    const unfit = explained.unfit.map(({ title, begunAt, endedAt }) => `${title} (${begunAt} to ${endedAt})`)
    const trail = wordsOfTrail(explained.state).join(', ')
    return [`no order explains it: after ${trail} none of these is possible: ${unfit.join('; ')}`]
  }
  return wrongAfter(explained.state)
}

function wordsOfTrail({ trail }: SessionState): readonly string[] {
  return trail.map(({ status }) => status)
}

function opOf(call: CallLine): SessionOp {
  const { answer: given, asked, by, begunAt } = call
  const answer = isHandled(given) ? given : null
  const endedAt = answer === null ? Number.POSITIVE_INFINITY : call.endedAt
  const told = answer === null ? 'outcome unknown' : wordsOf(answer)
  return { type: 'call', call, answer, begunAt, endedAt, title: `${asked.name} by the ${by}: ${told}` }
}

/** 503 means only that the outcome is not known yet. */
function isHandled(answer: Answer | null): boolean {
  return answer !== null && answer.status !== 503
}

function wordsOf({ status, error, body, says }: Answer): string {
  return [status, error ?? '', body, ...Object.values(says)].filter(word => word !== '').join(' ')
}

function eventsOf({ by, begunAt, events }: StreamLine): readonly SessionOp[] {
  return events.map(({ at, status }) => ({
    type: 'seen',
    status,
    begunAt,
    endedAt: at,
    title: `${status} on a stream of the ${by}`,
  }))
}

/** A callback shows the end of its session. The post that asks for the next session shows a state that is not committed yet. */
function postsOf({ what, says, at }: PostLine, { begunAt }: SessionLine): readonly SessionOp[] {
  const { status = '', proofStatus } = says
  if (what === 'next') return []
  const told = { type: 'seen', status, ...(proofStatus !== undefined && { proofStatus }) } as const
  return [{ ...told, begunAt, endedAt: at, title: `callback: ${status} ${proofStatus ?? ''}` }]
}

function countsOf(history: History): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  const count = (name: string, n = 1): void => {
    counts[name] = (counts[name] ?? 0) + n
  }
  for (const line of history)
    switch (line.what) {
      case 'session':
        count('sessions')
        break
      case 'call':
      case 'login':
        count(line.what === 'call' ? 'calls' : 'login calls')
        if (line.answer === null) count('unknown outcomes')
        else if (line.answer.status === 503) count('answers 503')
        break
      case 'stream':
        count('streams')
        count('stream events', line.events.length)
        break
      case 'node':
        if (!line.isWell) count(`faults: ${line.why}`)
        break
      case 'delay':
        count('delays of the machine')
        break
      default:
        count(line.what === 'callback' ? 'callbacks' : 'posts for a next session')
    }
  return counts
}
