/** The field of a run: nodes that clients call at random, as behind a balancer that knows nothing of them, and the history that all calls leave. @module */

import { answerOf } from '../../history/answers.ts'
import type { Asked, CallLine, HistoryLine, Party } from '../../history/lines.ts'
import { pause, untilThere } from '../../patience.ts'

export type Reply = { readonly status: number; readonly text: string }

/** A call to whichever node. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** below the address of the node */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the history is told of a call. */
export type About = { readonly session: string; readonly by: Party; readonly asked: Asked }

/** An outcome that is unknown is null. */
export type Tried = { readonly node: string; readonly begunAt: number; readonly reply: Reply | null }

export type Field = {
  /** addresses by name, without a slash at the end */
  readonly nodes: Readonly<Record<string, string>>
  readonly record: (line: HistoryLine) => void
  readonly random: () => number
  /** One try, of which the history is not told. @returns null if nobody was there to take it */
  readonly attempt: (call: Call) => Promise<Tried | null>
  /** One try. @returns null if its outcome is unknown */
  readonly ask: (about: About, call: Call) => Promise<Reply | null>
  /** Until there is an answer other than 503.
   *  @throws {Error} if nobody answers for long */
  readonly insist: (about: About, call: Call) => Promise<Reply>
}

/** The longest time in which a client waits for an answer: a submission may wait for its outcome for 15 s. */
const ANSWER_MS = 20_000
const PAUSE_MS = 150
export const UNAVAILABLE = 503

export function fieldOf(
  nodes: Readonly<Record<string, string>>,
  record: Field['record'],
  random: () => number,
): Field {
  const names = Object.keys(nodes)
  async function attempt({ path, ...init }: Call): Promise<Tried | null> {
    const node = names[Math.floor(random() * names.length)] ?? ''
    const begunAt = Date.now()
    try {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const response = await fetch(`${nodes[node]}${path}`, { ...init, signal })
      return { node, begunAt, reply: { status: response.status, text: await response.text() } }
    } catch (error) {
      return isRefused(error) ? null : { node, begunAt, reply: null }
    }
  }
  async function ask(about: About, call: Call): Promise<Reply | null> {
    const tried = await attempt(call)
    if (tried === null) return null
    const { node, begunAt, reply } = tried
    const answer = reply && answerOf(reply.status, reply.text)
    record({ what: 'call', ...about, node, begunAt, endedAt: Date.now(), answer } satisfies CallLine)
    return reply
  }
  async function insist(about: About, call: Call): Promise<Reply> {
    const tryOnce = async (): Promise<Reply | null> => {
      const tried = await ask(about, call)
      return tried?.status === UNAVAILABLE ? null : tried
    }
    return untilThere(tryOnce, `an answer to ${about.asked.name} of ${about.session}`, () => pause(PAUSE_MS))
  }
  return { nodes, record, random, attempt, ask, insist }
}

/** Whether no connection was made, so that nobody can have taken the call. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && Object(error.cause).code === 'ECONNREFUSED'
}

/** One of a list. */
export function oneOf<T>(random: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}
