/** The laws of a stream of status events: it sends each change of status once, in order and without gaps, also across connections that resume each other. @module */
import type { Answer, CallLine, StreamLine } from './lines.ts'
import type { SessionOp } from './session-model.ts'
import type { Wellness } from './wellness.ts'

/** The known course of a session. */
export type Course = {
  /** every status, in order */
  readonly trail: readonly string[]
  readonly ops: readonly SessionOp[]
}

/** The calls that may cause a status. Time is a further cause. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  PAIRING: ['connect'],
  CONNECTED: ['connect', 'pairingcompleted'],
  DONE: ['submit'],
  CANCELLED: ['delete', 'submit'],
}

/** @returns violations, in words */
export function wrongStreams(
  streams: readonly StreamLine[],
  course: Course,
  wellness: Wellness,
  latenessMs: number,
): readonly string[] {
  const byName = new Map(streams.map(line => [line.stream, line]))
  return streams.flatMap(line => {
    if (line.status !== 200 || line.openedAt === null) return []
    const wrong =
      wrongEvents(line, toldBefore(line, byName), course) ?? wrongEnd(line, course, wellness, latenessMs)
    return wrong === null ? [] : [`stream ${line.stream} of the ${line.by}: ${wrong}`]
  })
}

/** The last status that a client had received when it reconnected; null if it had received none. */
function toldBefore(line: StreamLine, byName: ReadonlyMap<string, StreamLine>): string | null {
  const before = line.resumes === null ? undefined : byName.get(line.resumes)
  if (!before) return null
  return before.events.at(-1)?.status ?? toldBefore(before, byName)
}

function wrongEvents(line: StreamLine, told: string | null, { trail, ops }: Course): string | null {
  const sent = line.events.map(({ status }) => status)
  if (sent.length === 0) return null
  const first = trail.indexOf(sent[0] ?? '')
  const expected = trail.slice(first, first + sent.length)
  if (first < 1 || expected.join() !== sent.join())
    return `expected a part of ${trail.slice(1).join(', ')}, got ${sent.join(', ')}`
  const after = told === null ? null : trail.indexOf(told)
  if (after !== null && first !== after + 1)
    return `expected to continue after ${told}, got ${sent.join(', ')}`
  const missed = after !== null ? [] : trail.slice(1, first)
  const [late] = missed.filter(status => earliest(status, ops) > (line.openedAt ?? 0))
  if (late !== undefined) return `expected ${late}, which came after its opening, got ${sent.join(', ')}`
  // a stream may begin with the current status, except PAIRING, which apps take for a rejection
  const changes = sent[0] === 'PAIRING' ? sent : sent.slice(1)
  const [early] = after !== null ? [] : changes.filter(status => latest(status, trail, ops) < line.begunAt)
  return early === undefined ? null : `expected no ${early}, which came before its beginning`
}

/** Every change of status arrives if the client of the stream waits long enough. */
function wrongEnd(
  line: StreamLine,
  { trail, ops }: Course,
  wellness: Wellness,
  latenessMs: number,
): string | null {
  const last = line.events.at(-1)?.status
  const known = last === undefined ? [] : trail.slice(0, trail.indexOf(last) + 1)
  const missing = trail
    .slice(1)
    .filter(status => !known.includes(status) && earliest(status, ops) > (line.openedAt ?? 0))
  const [late] = missing.filter(status => {
    const changedAt = latest(status, trail, ops)
    return Number.isFinite(changedAt) && wellness.after(changedAt, latenessMs, line.node) < line.endedAt
  })
  return late === undefined ? null : `expected ${late} within ${latenessMs} ms, got none before its end`
}

/** The earliest moment of that status: the beginning of the first call that may cause it. A status that time causes has no such bound. */
function earliest(status: string, ops: readonly SessionOp[]): number {
  const names = CAUSES[status]
  if (!names) return Number.NEGATIVE_INFINITY
  const begun = ops.flatMap(op =>
    op.type === 'call' && names.includes(op.call.asked.name) ? [op.begunAt] : [],
  )
  return Math.min(...begun)
}

/** The first moment at which that status, or a later one, was visible to a client. */
function latest(status: string, trail: readonly string[], ops: readonly SessionOp[]): number {
  const from = trail.slice(trail.indexOf(status))
  const told = ops.flatMap(op => {
    const shown = op.type === 'seen' ? op.status : shownBy(op.call, op.answer)
    return shown !== undefined && from.includes(shown) ? [op.endedAt] : []
  })
  return Math.min(...told)
}

/** The status that an answer shows, in its content or by the call that it answers. */
function shownBy({ asked }: CallLine, answer: Answer | null): string | undefined {
  if (answer === null || answer.status >= 300) return undefined
  if (asked.name === 'connect') return answer.says.isPairing ? 'PAIRING' : 'CONNECTED'
  if (asked.name === 'pairingcompleted') return 'CONNECTED'
  return asked.name === 'submit' ? 'DONE' : answer.says.status
}
