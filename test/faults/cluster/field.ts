/** The field of a run: nodes that clients call at random, as behind a balancer without state, and the history of all calls. @module */

import { answerOf } from '../../history/answers.ts'
import type { CallLine, HistoryLine, Party, RecordedRequest } from '../../history/lines.ts'
import { pause, untilThere } from '../../patience.ts'

export type Reply = { readonly status: number; readonly text: string }

/** A call to any node. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** below the address of the node */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The description of a call in the history. */
export type About = { readonly session: string; readonly by: Party; readonly asked: RecordedRequest }

/** An attempt at a call. Its `reply` is null if the outcome is unknown. */
export type Tried = { readonly node: string; readonly begunAt: number; readonly reply: Reply | null }

export type Field = {
  /** addresses by name, without a slash at the end */
  readonly nodes: Readonly<Record<string, string>>
  readonly record: (line: HistoryLine) => void
  readonly random: () => number
  /** One try, without a line in the history. @returns null if no node was there to accept it */
  readonly attempt: (call: Call) => Promise<Tried | null>
  /** One try. @returns null if its outcome is unknown */
  readonly ask: (about: About, call: Call) => Promise<Reply | null>
  /** Retries until there is an answer other than 503.
   *  @throws {Error} if no node answers for long */
  readonly insist: (about: About, call: Call) => Promise<Reply>
}

/** The longest wait of a client for an answer: a submission may wait for its outcome for 15 s. */
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

/** True if no connection was made, so that no node can have received the call. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && Object(error.cause).code === 'ECONNREFUSED'
}

/** A random element of a list. */
export function oneOf<T>(random: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}
