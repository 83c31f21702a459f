/** The queue of arithmetic before the worker threads: every message takes turns with the others (turns.ts), and a thread is given its next piece when
 *  it has finished the one before, or a few short ones together. Bounded by time, not by number: what a submission of a connected session brings always
 *  waits here (D16), and whoever starts or connects sessions asks first how long that would be. @module */
import type { Clock } from '../../ports/clock.ts'
import type { ArithmeticFigures } from '../metrics/arithmetic-figures.ts'
import { Means } from './means.ts'
import { type Line, Turns } from './turns.ts'

/** Work for one thread that is done in one go. */
export type Piece<Output> = {
  /** what it is and how large: pieces of one kind take about the same time */
  readonly kind: string
  /** how much of a thread it fills while it is worked on, asked once, when it begins, before its work; left out: 1, all of it */
  readonly share?: () => number
  /** @param took may be told how many ms the work took; otherwise the whole time until its outcome counts */
  readonly work: (took: (ms: number) => void) => Promise<Output>
}

export type QueueOptions = {
  /** pieces that are worked on at once */
  readonly threads: number
  /** longest estimated wait before the queue counts as overloaded */
  readonly maxWaitMs: number
  readonly clock: Pick<Clock, 'now'>
  /** what is counted; left out: nothing */
  readonly figures?: ArithmeticFigures | undefined
}

/** Whose work it is, and what ends it. */
export type Asked = {
  /** name of the requestor; left out: nobody's, or that of whoever needs no name */
  readonly requestor?: string
  readonly signal?: AbortSignal | undefined
}

type Task = {
  readonly kind: string
  readonly requestor: string
  readonly share: () => number
  /** rejects as its piece does, and after it */
  readonly perform: Piece<void>['work']
}

export class Queue {
  readonly #options: QueueOptions
  readonly #turns = new Turns<Task>()
  readonly #means = new Means()
  /** pieces that wait or are worked on, by requestor and by kind */
  readonly #inside = new Map<string, Map<string, number>>()
  /** how the messages end that are not done when the queue closes */
  readonly #ends = new Set<(reason: unknown) => void>()
  /** threads that are filled: the shares of what is being worked on, in all */
  #filled = 0
  #closedFor: Error | null = null

  constructor(options: QueueOptions) {
    this.#options = options
    options.figures?.watch(() => ({ pieces: this.#pieces(), estimatedMs: this.#estimatedMs() }))
  }

  /** Does the pieces of one message in their turns. The message ends with the first piece that fails: the others leave the queue.
   *  @param asked its signal ends the message too
   *  @returns the outcome of each piece, in order
   *  @throws what a piece threw, or the reason of the signal */
  async do<Output>(
    pieces: readonly Piece<Output>[],
    { requestor = '', signal }: Asked = {},
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

  /** Nothing waits and nothing is worked on. */
  isIdle(): boolean {
    return this.#inside.size === 0
  }

  /** Whether a message that arrived now would wait for too long, or one that arrived before already does. While several requestors have work here, each may still
   *  add to it until its own part is its share of the longest wait, so that whoever floods is refused alone; the shares together double the wait at most. */
  isOverloaded(requestor = ''): boolean {
    const { maxWaitMs, clock } = this.#options
    const oldestAt = this.#turns.oldestCameAt()
    const isLong =
      this.#estimatedMs() > maxWaitMs || (oldestAt !== null && clock.now() - oldestAt > maxWaitMs)
    if (!isLong) return false
    const others = this.#inside.size - (this.#inside.has(requestor) ? 1 : 0)
    return others === 0 || this.#estimatedOf(requestor) >= maxWaitMs / (others + 1)
  }

  /** Begins nothing more.
   *  @param reason with which every message that is not done is rejected */
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

  /** Measured as this thread sees it, which gives the next piece: that is how long the next one waits. */
  async #perform(task: Task, line: Line<Task>): Promise<void> {
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
      this.#drop(line) // what waits was rejected with the reason
    } finally {
      this.#filled -= share
      this.#count(task, -1)
      this.#begin()
    }
  }

  #enter(tasks: readonly Task[]): Line<Task> {
    for (const task of tasks) this.#count(task, 1)
    return this.#turns.add(tasks, this.#options.clock.now())
  }

  #drop(line: Line<Task>): void {
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

/** @param tasks to which the one of this piece is added */
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
