/** Lines of histories made by hand, for tests of the checker. @module */
import type {
  Answer,
  CallLine,
  DelayLine,
  LoginAnswer,
  LoginAsked,
  LoginLine,
  NodeLine,
  Party,
  PostLine,
  RecordedRequest,
  Said,
  SessionFacts,
  SessionLine,
  StreamLine,
} from './lines.ts'

const FACTS: SessionFacts = {
  timeoutMs: 300_000,
  connectedTimeoutMs: 300_000,
  retentionMs: 300_000,
  hasCallback: false,
  hasNextSession: false,
  issues: false,
}

/** A session that is created between 0 and 1. */
export function session(facts: Partial<SessionFacts> = {}): SessionLine {
  return {
    what: 'session',
    session: 's',
    parent: null,
    facts: { ...FACTS, ...facts },
    begunAt: 0,
    endedAt: 1,
  }
}

export type Times = readonly [begunAt: number, endedAt: number]

export function call(
  [begunAt, endedAt]: Times,
  by: Party,
  asked: RecordedRequest,
  answer: Answer | null,
): CallLine {
  return { what: 'call', session: 's', by, node: 'A', asked, begunAt, endedAt, answer }
}

export function ok(says: Said = {}, body = 'ok'): Answer {
  return { status: 200, error: null, body, says }
}

export const UNKNOWN: Answer = { status: 400, error: 'SESSION_UNKNOWN', body: 'unknown', says: {} }
export const UNEXPECTED: Answer = { status: 403, error: 'UNEXPECTED_REQUEST', body: 'no', says: {} }
export const BUSY: Answer = { status: 503, error: 'UNAVAILABLE', body: 'busy', says: {} }
export const MALFORMED: Answer = { status: 400, error: 'MALFORMED_INPUT', body: 'malformed', says: {} }

/** The first GET of the app. */
export function connects(
  times: Times,
  answer: Answer | null = ok({ isPairing: false }, 'request'),
): CallLine {
  return call(times, 'app', { name: 'connect' }, answer)
}

export function submits(
  times: Times,
  answer: Answer | null = ok({ proofStatus: 'VALID' }, 'judged'),
  more: { readonly body?: string; readonly proofs?: 'VALID' | 'wrong' | 'malformed' } = {},
): CallLine {
  return call(times, 'app', { name: 'submit', body: 'proofs', proofs: 'VALID', ...more }, answer)
}

export function reads(times: Times, status: string, by: Party = 'requestor'): CallLine {
  return call(times, by, { name: 'status' }, ok({ status }))
}

export function stream(
  times: Times,
  events: readonly (readonly [number, string])[],
  more: Partial<StreamLine> = {},
): StreamLine {
  const [begunAt, endedAt] = times
  return {
    what: 'stream',
    stream: 'first',
    session: 's',
    by: 'frontend',
    node: 'A',
    resumes: null,
    begunAt,
    openedAt: begunAt + 1,
    status: 200,
    endedAt,
    end: 'client',
    events: events.map(([at, status]) => ({ at, status })),
    ...more,
  }
}

export function callback(at: number, says: Said, more: Partial<PostLine> = {}): PostLine {
  return {
    what: 'callback',
    session: 's',
    at,
    key: 'key',
    body: 'result',
    says,
    answered: 'accepted',
    ...more,
  }
}

export function node(at: number, isWell: boolean, name = 'A'): NodeLine {
  return { what: 'node', node: name, at, isWell, why: isWell ? 'starts' : 'is killed' }
}

export function delay(from: number, to: number): DelayLine {
  return { what: 'delay', from, to, why: 'by hand' }
}

export function login([begunAt, endedAt]: Times, asked: LoginAsked, answer: LoginAnswer | null): LoginLine {
  return { what: 'login', account: 'a', node: 'A', asked, begunAt, endedAt, answer }
}
