/** A client that follows a session by its stream of status events, at any node. It continues at another node when a connection breaks. @module */

import { saidBy } from '../../history/answers.ts'
import type { Party, StreamLine } from '../../history/lines.ts'
import { clientOf, type Stream } from '../../http/client.ts'
import { pause } from '../../patience.ts'
import type { Field } from './field.ts'

export type Followed = {
  /** The client leaves after a time in which it could receive the end. */
  readonly leave: () => Promise<void>
}

type Subject = {
  readonly session: string
  readonly by: Party
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']
const PAUSE_MS = 100
/** The time between the end of a session and the leaving of its clients: longer than the delay of an event. */
const LINGER_MS = 4_000

let streams = 0

export function follow(field: Field, subject: Subject): Followed {
  const state: State = { isLeft: false, lastId: null, resumes: null, open: null }
  const ended = run(field, subject, state)
  return {
    async leave() {
      await Promise.race([ended, pause(LINGER_MS)])
      state.isLeft = true
      state.open?.leave()
      await ended
    },
  }
}

type State = {
  isLeft: boolean
  lastId: string | null
  resumes: string | null
  open: Stream | null
}

async function run(field: Field, subject: Subject, state: State): Promise<void> {
  while (!state.isLeft) {
    const line = await connection(field, subject, state)
    if (line !== null) {
      field.record(line)
      const last = line.events.at(-1)?.status
      if (line.status !== null && line.status !== 200 && line.status !== 503) return
      if (last !== undefined && FINAL.includes(last)) return
      if (state.lastId !== null && line.status === 200) state.resumes = line.stream
    }
    await pause(PAUSE_MS)
  }
}

/** One connection, from its beginning to its end. @returns null if no node was there */
async function connection(field: Field, subject: Subject, state: State): Promise<StreamLine | null> {
  const { session, by, path, headers } = subject
  const names = Object.keys(field.nodes)
  const node = names[Math.floor(field.random() * names.length)] ?? ''
  const events: { at: number; status: string }[] = []
  const resumes = state.resumes
  const last = resumes === null ? {} : { 'Last-Event-ID': state.lastId ?? '' }
  const of = { what: 'stream', stream: `${session}/${streams++}`, session, by, node, resumes } as const
  const begunAt = Date.now()
  let stream: Stream
  try {
    const port = Number(new URL(field.nodes[node] ?? '').port)
    stream = await clientOf(port).open(path, { ...headers, ...last })
  } catch {
    return null
  }
  const { status } = stream.head
  const openedAt = Date.now()
  const end = status === 200 ? await listen(stream, state, events) : 'server'
  return { ...of, begunAt, openedAt, status, events, endedAt: Date.now(), end }
}

async function listen(
  stream: Stream,
  state: State,
  events: { at: number; status: string }[],
): Promise<StreamLine['end']> {
  state.open = stream
  if (state.isLeft) stream.leave()
  try {
    for (let frame = await stream.next(); frame !== null; frame = await stream.next()) {
      const { id, data } = fieldsOf(frame)
      if (id !== null) state.lastId = id
      if (data !== null) events.push({ at: Date.now(), status: saidBy(JSON.parse(data)).status ?? '' })
    }
    return state.isLeft ? 'client' : 'server'
  } catch {
    return state.isLeft ? 'client' : 'cut'
  } finally {
    state.open = null
    stream.leave()
  }
}

function fieldsOf(frame: string): { readonly id: string | null; readonly data: string | null } {
  const field = (name: string): string | null =>
    frame
      .split('\n')
      .find(line => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? null
  return { id: field('id'), data: field('data') }
}
