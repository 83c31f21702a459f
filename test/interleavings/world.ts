/** The world of a script: two session servers on one store, the session, the calls with their answers, the held work,
 *  and time. @module */
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { Answer, Stream } from '../http/client.ts'
import { countingRandomness, disclosure, type SessionOfTest, sessionIn } from '../http/harness.ts'
import { ASKS, type Ask, STREAMS } from './asks.ts'
import {
  type Kind,
  type PlayedNode,
  type Posted,
  STAY_MS,
  startPlayedNode,
  type Work,
} from './played-node.ts'
import { type Committed, SharedStore, type StoreView } from './shared-store.ts'

export const NAMES = ['A', 'B'] as const
export type NodeName = (typeof NAMES)[number]
/** The distance of a shared store's time from the clock of each node. */
export type AheadMs = Readonly<Record<NodeName, number>>
/** How the work on a submission ends; `dies`: without an outcome. */
export type End = 'valid' | 'invalid' | 'fails' | 'dies'

/** The start of a call or stream: its node's view, the number of commits of the session by then, and the time. */
type Begun = { readonly view: StoreView; readonly begun: number; readonly beganAt: number }

export type MadeCall = Begun & {
  readonly title: string
  readonly ask: Ask
  /** `cut`: its connection broke */
  answer: Answer | 'cut' | null
  /** number of commits by then */
  ended: number
  endedAt: number
  /** its node had a fault in the meantime, so that 503 is allowed */
  isDisturbed: boolean
}

export type OpenedStream = Begun & {
  readonly title: string
  readonly isObject: boolean
  head: Answer | 'cut' | null
  /** number of commits by then */
  opened: number
  readonly frames: string[]
  end: 'open' | 'ended' | 'cut'
  isDisturbed: boolean
}

export type StartedWork = Work & { readonly startedAt: number; end: End | null; endedAt: number }

const START_AT = Date.UTC(2026, 5, 1)
/** After this many idle turns of the event loop, nothing more happens until the script continues. */
const QUIET_TURNS = 3

export class World {
  readonly clock = createSimulatedClock(START_AT)
  readonly store: SharedStore
  readonly calls: MadeCall[] = []
  readonly streams: OpenedStream[] = []
  readonly works: StartedWork[] = []
  readonly posted: (Posted & { readonly status: number | null })[] = []
  /** the statuses of the next answers to callbacks; null: no answer. After the last one, the receiver answers 200. */
  readonly receiver: (number | null)[] = []
  readonly logged: string[] = []
  readonly kind: Kind
  readonly nodes = new Map<NodeName, PlayedNode>()
  session: SessionOfTest | null = null
  /** Unix ms of the last fault of the script */
  disturbedAt = START_AT
  readonly aheadMs: AheadMs | null
  readonly #random = countingRandomness()
  #events = 0

  constructor(kind: Kind, aheadMs: AheadMs | null = null) {
    this.kind = kind
    this.aheadMs = aheadMs
    this.store = new SharedStore(
      () => this.clock.now(),
      () => this.note(),
    )
  }

  note(): void {
    this.#events += 1
  }

  /** The commits of the session, in order. */
  get history(): readonly Committed[] {
    const [first] = this.store.committed
    return this.store.committed.filter(({ id }) => id === first?.id)
  }

  async start(name: NodeName): Promise<void> {
    const node = await startPlayedNode(this.store.view(this.aheadMs?.[name] ?? null), {
      clock: this.clock,
      random: this.#random,
      kind: this.kind,
      note: () => this.note(),
      logged: line => this.logged.push(line),
      work: work =>
        this.works.push({
          ...work,
          startedAt: this.clock.now(),
          end: null,
          endedAt: Number.POSITIVE_INFINITY,
        }),
      post: posted => {
        const [status = 200] = this.receiver.splice(0, 1)
        this.posted.push({ ...posted, status })
        return status
      },
    })
    this.nodes.set(name, node)
  }

  async create(): Promise<void> {
    const body = { timeout: STAY_MS / 1_000, callbackUrl: 'http://shop.example/', request: disclosure() }
    const headers = { 'Content-Type': 'application/json' }
    for (const { client } of [...this.nodes.values()].slice(0, 1))
      this.session = sessionIn(await client.call('POST', '/session', { headers, body }))
  }

  /** Begins a call at a node that accepts calls. */
  ask(name: NodeName, title: string): void {
    const [node, ask] = [this.nodes.get(name), ASKS[title]]
    if (!node || node.view.fate === 'gone' || !ask || !this.session) return
    const [method, path, call] = ask.of(this.session)
    const made: MadeCall = {
      ...this.#begun(node),
      title,
      ask,
      answer: null,
      ended: 0,
      endedAt: 0,
      isDisturbed: isDisturbed(node),
    }
    this.calls.push(made)
    const end = (answer: Answer | 'cut'): void => {
      this.note()
      Object.assign(made, { answer, ended: this.history.length, endedAt: this.clock.now() })
    }
    node.client.call(method, path, call).then(end, () => end('cut'))
  }

  follow(name: NodeName, title: string): void {
    const [node, stream] = [this.nodes.get(name), STREAMS[title]]
    if (!node || node.view.fate === 'gone' || !stream || !this.session) return
    const [path, { headers = {} } = {}] = stream.of(this.session)
    const { isObject } = stream
    const opened: OpenedStream = {
      ...this.#begun(node),
      title,
      isObject,
      head: null,
      opened: 0,
      frames: [],
      end: 'open',
      isDisturbed: isDisturbed(node),
    }
    this.streams.push(opened)
    node.client.open(path, headers).then(
      open => void this.#read(opened, open),
      () => Object.assign(opened, { head: 'cut', end: 'cut' }),
    )
  }

  async #read(stream: OpenedStream, { head, next }: Stream): Promise<void> {
    Object.assign(stream, { head, opened: this.history.length })
    this.note()
    if (head.status !== 200) return void Object.assign(stream, { end: 'ended' })
    try {
      for (let frame = await next(); frame !== null; frame = await next()) {
        this.note()
        stream.frames.push(frame)
      }
      stream.end = 'ended'
    } catch {
      stream.end = 'cut'
    }
  }

  #begun({ view }: PlayedNode): Begun {
    return { view, begun: this.history.length, beganAt: this.clock.now() }
  }

  /** Marks the open calls and streams of a node as disturbed: their failure is not a bug. */
  disturb(view: StoreView): void {
    this.disturbedAt = this.clock.now()
    for (const each of [...this.calls, ...this.streams]) if (each.view === view) each.isDisturbed = true
  }

  /** Waits until nothing more happens without an advance of the clock. */
  async settle(): Promise<void> {
    for (let quiet = 0, seen = this.#events; quiet < QUIET_TURNS; quiet++) {
      await new Promise(resolve => setImmediate(resolve))
      if (seen !== this.#events) quiet = 0
      seen = this.#events
    }
  }

  /** Advances time from timer to timer, and lets each finish its work.
   *  @param ms 0 also fires every timer that is due by now, such as timers of 0 ms */
  async elapse(ms: number): Promise<void> {
    const { clock } = this
    const untilAt = clock.now() + ms
    await this.settle()
    for (let at = clock.nextTimerAt(); at !== null && at <= untilAt; at = clock.nextTimerAt()) {
      clock.advance(at - clock.now())
      await this.settle()
    }
    clock.advance(untilAt - clock.now())
  }
}

function isDisturbed({ view }: PlayedNode): boolean {
  return view.isHeld || view.faults.length > 0 || view.fate !== 'works'
}
