/** Clients of a service. Each of their calls and streams is a line of the history. @module */
import { answerOf, jsonIn, saidBy } from '../history/answers.ts'
import type { HistoryLine, Party, RecordedRequest } from '../history/lines.ts'
import type { Request } from './exchange.ts'
import type { Network } from './network.ts'
import { NODES, type NodeName } from './plan.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'

/** The longest wait of a client for an answer. */
const PATIENCE_MS = 20_000
export const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

export type Heard = { readonly status: number; readonly text: string; readonly json: unknown }

/** The surroundings of clients. */
export type Ground = {
  readonly schedule: Schedule
  readonly network: Network
  readonly write: (line: HistoryLine) => void
}

/** The clients of one session. */
export class Clients {
  readonly session: string
  readonly random: Random
  readonly ground: Ground
  /** the session has ended for them: streams are closed */
  isOver = false
  readonly #leave = new Set<() => void>()
  #streams = 0

  constructor(ground: Ground, session: string, random: Random) {
    this.ground = ground
    this.session = session
    this.random = random
  }

  /** @returns null if the connection broke, or if no answer came in time */
  async call(by: Party, asked: RecordedRequest, request: Request): Promise<Heard | null> {
    const { schedule, write } = this.ground
    const node = this.random.pick(NODES)
    const begunAt = schedule.now
    const heard = await this.send(node, request)
    const answer = heard && answerOf(heard.status, heard.text, heard.json)
    const { session } = this
    write({ what: 'call', session, by, node, asked, begunAt, endedAt: schedule.now, answer })
    return heard
  }

  /** Repeats the call, after a pause, as long as its outcome is unknown. */
  async insist(by: Party, asked: RecordedRequest, request: Request): Promise<Heard | null> {
    for (let pauseMs = 100; !this.isOver; pauseMs = Math.min(2 * pauseMs, 3_000)) {
      const heard = await this.call(by, asked, request)
      if (heard !== null && heard.status !== 503) return heard
      await this.pause(pauseMs)
    }
    return null
  }

  pause(ms: number): Promise<void> {
    return this.ground.schedule.pause(ms * this.random.between(0.7, 1.3))
  }

  /** A call without a line in the history. */
  anywhere(request: Request): Promise<Heard | null> {
    return this.send(this.random.pick(NODES), request)
  }

  send(node: NodeName, request: Request): Promise<Heard | null> {
    const { schedule, network } = this.ground
    return new Promise(resolve => {
      let [status, text] = [0, '']
      const giveUp = schedule.after(PATIENCE_MS, () => {
        leave()
        resolve(null)
      })
      const end = (heard: Heard | null): void => {
        schedule.cancel(giveUp)
        resolve(heard)
      }
      const leave = network.call(this.random, node, request, {
        begin: given => {
          status = given
        },
        data: piece => {
          text += piece
        },
        end: () => end({ status, text, json: jsonIn(text) }),
        cut: () => end(null),
      })
    })
  }

  /** Follows the session until its end, over one connection after the other. */
  async follow(by: Party, path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    let before: Followed | null = null
    for (let pauseMs = 300; !this.isOver; pauseMs *= 1.3) {
      const stream: Followed = await this.#connection(by, path, headers, before)
      if (stream.isEnough) return
      before = stream.lastId === null ? null : stream
      await this.pause(pauseMs)
    }
  }

  /** The session has ended for these clients: all waits end, and all streams are closed. */
  end(): void {
    this.isOver = true
    for (const leave of this.#leave) leave()
  }

  #connection(
    by: Party,
    path: string,
    given: Readonly<Record<string, string>>,
    before: Followed | null,
  ): Promise<Followed> {
    const { schedule, network, write } = this.ground
    const node = this.random.pick(NODES)
    const stream = `${this.session} ${by} ${++this.#streams}`
    const resumed = before?.lastId == null ? {} : { 'Last-Event-ID': before.lastId }
    const line = {
      ...({
        what: 'stream',
        stream,
        session: this.session,
        by,
        node,
        resumes: before?.stream ?? null,
      } as const),
      begunAt: schedule.now,
    }
    const followed = new Followed(stream, before?.lastId ?? null, () => schedule.now)
    return new Promise(resolve => {
      const end = (how: 'server' | 'cut' | 'client'): void => {
        if (!this.#leave.delete(leaveIt)) return
        const { openedAt, status, events } = followed
        write({ ...line, openedAt, status, events, endedAt: schedule.now, end: how })
        resolve(followed)
      }
      const leave = network.call(
        this.random,
        node,
        { method: 'GET', path, headers: { ...given, ...resumed } },
        {
          begin: status => followed.begin(status),
          data: text => followed.hear(text),
          end: () => end('server'),
          cut: () => end('cut'),
        },
      )
      const leaveIt = (): void => {
        leave()
        end('client')
      }
      this.#leave.add(leaveIt)
    })
  }
}

/** One connection that follows a session. */
class Followed {
  readonly stream: string
  readonly events: { readonly at: number; readonly status: string }[] = []
  openedAt: number | null = null
  status: number | null = null
  lastId: string | null
  #rest = ''
  readonly #now: () => number

  constructor(stream: string, lastId: string | null, now: () => number) {
    this.stream = stream
    this.lastId = lastId
    this.#now = now
  }

  /** True if nothing more will come, on any connection. */
  get isEnough(): boolean {
    const { status = '' } = this.events.at(-1) ?? {}
    return FINAL.includes(status) || (this.status !== null && this.status !== 200 && this.status !== 503)
  }

  begin(status: number): void {
    this.status = status
  }

  hear(text: string): void {
    if (this.status !== 200) return
    this.openedAt ??= this.#now()
    const frames = `${this.#rest}${text}`.split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) this.#hearFrame(frame)
  }

  #hearFrame(frame: string): void {
    for (const field of frame.split('\n')) {
      const value = field.slice(field.indexOf(':') + 1).trim()
      if (field.startsWith('id:')) this.lastId = value
      if (!field.startsWith('data:')) continue
      const { status } = saidBy(jsonIn(value))
      if (status !== undefined) this.events.push({ at: this.#now(), status })
    }
  }
}
