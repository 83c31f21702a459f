/** The queue of arithmetic before the worker threads. Messages take turns (turns.ts). A thread gets its next piece when it has finished the previous one; short
 *  pieces are given several at once. The queue is bounded by time, not by number. Submissions of connected sessions always wait here (spec/decisions#d16). Calls that
 *  start or connect sessions first check the estimated wait. @module */
import type { Clock } from '../../ports/clock.ts'
import type { ArithmeticFigures } from '../metrics/arithmetic-figures.ts'
import { MeanTimes } from './mean-times.ts'
import { type QueuedMessage, Turns } from './turns.ts'

/** Uninterrupted work for one thread. */
export type Piece<Output> = {
  /** its type and size: pieces of one kind take about the same time */
  readonly kind: string
  /** the part of a thread that it fills; called once, when the piece begins and before its work; left out: 1, a whole thread */
  readonly share?: () => number
  /** @param took may be called with the working time in ms; otherwise the whole time until the outcome counts */
  readonly work: (took: (ms: number) => void) => Promise<Output>
}

export type QueueOptions = {
  /** number of pieces in progress at once */
  readonly threads: number
  /** longest estimated wait before the queue is overloaded */
  readonly maxWaitMs: number
  readonly clock: Pick<Clock, 'now'>
  /** figures to count; left out: none */
  readonly figures?: ArithmeticFigures | undefined
}

/** The requestor of the work, and the signal that ends it. */
export type WorkCaller = {
  /** name of the requestor; left out: work for a requestor without a name, or for no requestor */
  readonly requestor?: string
  readonly signal?: AbortSignal | undefined
}

type Task = {
  readonly kind: string
  readonly requestor: string
  readonly share: () => number
  /** rejects with the error of its piece, and after it */
  readonly perform: Piece<void>['work']
}

export class Queue {
  readonly #options: QueueOptions
  readonly #turns = new Turns<Task>()
  readonly #means = new MeanTimes()
  /** pieces that wait or are in progress, by requestor and by kind */
  readonly #inside = new Map<string, Map<string, number>>()
  /** rejects the unfinished messages when the queue closes */
  readonly #ends = new Set<(reason: unknown) => void>()
  /** number of filled threads: the sum of the shares in progress */
  #filled = 0
  #closedFor: Error | null = null

  constructor(options: QueueOptions) {
    this.#options = options
    options.figures?.watch(() => ({ pieces: this.#pieces(), estimatedMs: this.#estimatedMs() }))
  }

  /** Does the pieces of one message in their turns. The first piece that fails ends the message: the others leave the queue.
   *  @param asked its signal ends the message as well
   *  @returns the outcome of each piece, in order
   *  @throws the error of a piece, or the reason of the signal */
  async do<Output>(
    pieces: readonly Piece<Output>[],
    { requestor = '', signal }: WorkCaller = {},
  ): Promise<readonly Output[]> {
    if (this.#closedFor) throw this.#closedFor
    signal?.throwIfAborted()
    if (pieces.length === 0) return []
    const tasks: Task[] = []
    const outputs = Promise.all(pieces.map(piece => outputOf(piece, requestor, tasks)))
    let end: (reason: unknown) => void = () => {}
    const ended = new Promise<never>((_, reject) => {
      end = reject
    })
    const abort = (): void => end(signal?.reason)
    const line = this.#enter(tasks)
    this.#ends.add(end)
    signal?.addEventListener('abort', abort)
    try {
      this.#begin()
      return await Promise.race([outputs, ended])
    } finally {
      signal?.removeEventListener('abort', abort)
      this.#ends.delete(end)
      this.#drop(line)
    }
  }

  /** True if no piece waits or is in progress. */
  isIdle(): boolean {
    return this.#inside.size === 0
  }

  /** True if a message that arrived now would wait too long, or if a waiting message already does. While several requestors have work here, each may add work
   *  until its own part reaches its share of the longest wait. So a requestor that floods the queue is refused alone. The shares together at most double the
   *  wait. */
  isOverloaded(requestor = ''): boolean {
    const { maxWaitMs, clock } = this.#options
    const oldestAt = this.#turns.oldestCameAt()
    const isLong =
      this.#estimatedMs() > maxWaitMs || (oldestAt !== null && clock.now() - oldestAt > maxWaitMs)
    if (!isLong) return false
    const others = this.#inside.size - (this.#inside.has(requestor) ? 1 : 0)
    return others === 0 || this.#estimatedOf(requestor) >= maxWaitMs / (others + 1)
  }

  /** Starts no further pieces.
   *  @param reason rejects every unfinished message */
  close(reason: Error): void {
    this.#closedFor = reason
    for (const end of this.#ends) end(reason)
  }

  #pieces(): number {
    const counts = [...this.#inside.values()].flatMap(ofOne => [...ofOne.values()])
    return counts.reduce((sum, count) => sum + count, 0)
  }

  #estimatedMs(): number {
    let sumMs = 0
    for (const requestor of this.#inside.keys()) sumMs += this.#estimatedOf(requestor)
    return sumMs
  }

  #estimatedOf(requestor: string): number {
    let sumMs = 0
    for (const [kind, count] of this.#inside.get(requestor) ?? []) sumMs += count * this.#means.of(kind)
    return sumMs / this.#options.threads
  }

  #begin(): void {
    while (this.#filled < this.#options.threads) {
      const line = this.#turns.next()
      const task = line?.pieces[line.begun - 1]
      if (!line || !task) return
      const { figures, clock } = this.#options
      if (line.begun === 1) figures?.waited(clock.now() - line.arrivedAt)
      void this.#perform(task, line)
    }
  }

  /** Without a reported working time, the duration counts as this thread sees it: the next piece waits that long. */
  async #perform(task: Task, line: QueuedMessage<Task>): Promise<void> {
    const { kind, perform } = task
    const share = task.share()
    const { clock, figures } = this.#options
    const beganAt = clock.now()
    const measured = figures?.begin(kind)
    const told: number[] = []
    this.#filled += share
    try {
      await perform(ms => told.push(ms))
      measured?.(told[0])
      this.#means.note(kind, told[0] ?? clock.now() - beganAt)
    } catch {
      this.#drop(line) // the waiting pieces were rejected with the reason
    } finally {
      this.#filled -= share
      this.#count(task, -1)
      this.#begin()
    }
  }

  #enter(tasks: readonly Task[]): QueuedMessage<Task> {
    for (const task of tasks) this.#count(task, 1)
    return this.#turns.add(tasks, this.#options.clock.now())
  }

  #drop(line: QueuedMessage<Task>): void {
    if (this.#turns.drop(line)) for (const task of line.pieces.slice(line.begun)) this.#count(task, -1)
  }

  #count({ requestor, kind }: Task, change: number): void {
    const ofOne = this.#inside.get(requestor) ?? new Map<string, number>()
    const count = (ofOne.get(kind) ?? 0) + change
    if (count === 0) ofOne.delete(kind)
    else ofOne.set(kind, count)
    if (ofOne.size === 0) this.#inside.delete(requestor)
    else this.#inside.set(requestor, ofOne)
  }
}

/** @param tasks receives the task of this piece */
function outputOf<Output>(
  { kind, share = () => 1, work }: Piece<Output>,
  requestor: string,
  tasks: Task[],
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const perform: Task['perform'] = async took => {
      try {
        resolve(await work(took))
      } catch (error) {
        reject(error)
        throw error
      }
    }
    tasks.push({ kind, requestor, share, perform })
  })
}
