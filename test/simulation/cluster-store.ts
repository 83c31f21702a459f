/** The store that the nodes of a simulation share, as several nodes share a database:
 *  * Each call of a process travels to the store and back. It may be lost, fail before or after its commit, or take long.
 *  * Each process has a lease, without which it commits nothing.
 *  * Each process caches rows that it has read or committed.
 *  * Each process is notified of all commits in their order, unless its notifications are cut. @module */
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Commit, CommitListener, Nodes, Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { readWell, renewalPauseMs } from '../../stores/time/renewals.ts'
import { StoreAhead } from '../../stores/time/store-ahead.ts'
import { keepingRows } from '../stores/keeping-rows.ts'
import { withChanges } from '../stores/with-changes.ts'
import type { Process } from './process.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'

export const LEASE_MS = 15_000
/** The longest wait of a process for an answer of the store. */
const ANSWER_MS = 5_000
/** The latest time of an answer, even if no caller waits for it any more. */
const LATEST_MS = 6_500

/** The faults between one machine and the store. A process that is restarted on the machine has the same ones. */
export type Link = {
  readonly random: Random
  /** nothing travels */
  isCut: boolean
  /** factor on the usual delay */
  slowness: number
  /** probability that an answer is late, or comes when no caller waits for it any more */
  lateness: number
  /** the next failing commits, in order: `before`: nothing is written; `after`: it is written, but the caller gets an error */
  readonly failures: ('before' | 'after')[]
  /** the process is not notified of commits of others */
  isDeaf: boolean
  /** the process is notified twice of commits of others */
  hasEcho: boolean
  /** called when notifications resume, or when the process may have missed one of its own commits */
  readonly back: Set<() => void>
}

export function linkOf(random: Random): Link {
  return {
    random,
    isCut: false,
    slowness: 1,
    lateness: 0,
    failures: [],
    isDeaf: false,
    hasEcho: false,
    back: new Set(),
  }
}

/** Lets the process on this machine reload all rows whose commits it may have missed. */
export function hearAgain({ back }: Link): void {
  for (const tell of back) tell()
}

/** Observes every commit. */
export type Witness = (commit: Commit, by: Process, isAlive: boolean) => void

type Lease = { until: number; isReleased: boolean }

export class ClusterStore {
  readonly inner = createMemoryStore()
  readonly #schedule: Schedule
  readonly #witness: Witness
  readonly #leases = new Map<Process, Lease>()
  /** by boot id */
  readonly #processes = new Map<string, Process>()
  /** the process of the current commit, and whether it learns of its success */
  #committing: Process | null = null
  #isTold = true

  constructor(schedule: Schedule, witness: Witness) {
    this.#schedule = schedule
    this.#witness = witness
  }

  /** The access of a process to the store, from its first renewal on. */
  async open(process: Process, link: Link): Promise<Store> {
    const lease: Lease = { until: 0, isReleased: false }
    this.#leases.set(process, lease)
    this.#processes.set(process.bootId, process)
    const ahead = new StoreAhead()
    const ask = <Result>(work: () => Promise<Result>): Promise<Result> => this.#ask(process, link, work)
    // a server starts only after it has reached its store, and so knows the time
    for (let isOpen = false; !isOpen; ) isOpen = await this.#renew(process, lease, ahead, ask)
    await readWell(ahead, () => this.#renew(process, lease, ahead, ask))
    this.#renewLater(process, lease, ahead, ask)
    const nodes: Nodes = {
      isShared: true,
      aheadMs: () => ahead.ms(),
      isAlive: bootId => ask(async () => this.#isAlive(bootId)),
    }
    const { inner } = this
    const remote = withChanges(inner, {
      sessions: asked(inner.sessions, ask),
      deliveries: asked(inner.deliveries, ask),
      accounts: asked(inner.accounts, ask),
      nodes,
      commit: commit => this.#commit(process, link, commit),
      subscribe: (listener, missed = () => {}) => this.#subscribe(process, link, listener, missed),
      close: async () => {
        lease.isReleased = true
      },
    })
    return keepingRows(remote, this.#processes.size % 2 === 0 ? 'before its commit' : 'after its commit')
  }

  /** True if that process may commit. */
  #mayCommit(process: Process): boolean {
    const lease = this.#leases.get(process)
    return lease !== undefined && !lease.isReleased && lease.until > this.#schedule.now
  }

  #isAlive(bootId: string): boolean {
    const process = this.#processes.get(bootId)
    return process !== undefined && this.#mayCommit(process)
  }

  /** @returns true if the store has answered */
  async #renew(process: Process, lease: Lease, ahead: StoreAhead, ask: Ask): Promise<boolean> {
    const askedAt = process.clock.now()
    try {
      const storeAt = await ask(async () => {
        lease.until = this.#schedule.now + LEASE_MS
        return Math.round(this.#schedule.now)
      })
      ahead.read({ askedAt, answeredAt: process.clock.now(), storeAt })
      return true
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return false // the next one may succeed
    }
  }

  #renewLater(process: Process, lease: Lease, ahead: StoreAhead, ask: Ask): void {
    process.after(renewalPauseMs(ahead), async () => {
      await this.#renew(process, lease, ahead, ask)
      if (!lease.isReleased) this.#renewLater(process, lease, ahead, ask)
    })
  }

  #commit(process: Process, link: Link, commit: Commit): Promise<boolean> {
    const failure = link.failures.shift()
    return this.#ask(process, link, async () => {
      if (failure === 'before') throw new StoreError('the store is gone')
      const isAlive = this.#mayCommit(process)
      if (!isAlive) throw new StoreError('the lease of this node is over')
      const isTold = failure !== 'after'
      const isCommitted = await this.#commitOf(process, commit, isTold)
      if (isCommitted) this.#witness(commit, process, isAlive)
      if (isTold) return isCommitted
      hearAgain(link)
      throw new StoreError('the connection broke')
    })
  }

  #commitOf(process: Process, commit: Commit, isTold: boolean): Promise<boolean> {
    this.#committing = process
    this.#isTold = isTold
    return this.inner.commit(commit) // subscribers are notified at once
  }

  /** Sends a call to the store, which does the work, and returns the answer. A dead process gets no answer, but its call may still arrive. */
  #ask<Result>(process: Process, link: Link, work: () => Promise<Result>): Promise<Result> {
    const delay = (): number => link.random.between(0.1, 1.5) * link.slowness
    return new Promise((resolve, reject) => {
      if (!process.acts()) return
      const fail = (why: unknown, ms: number): void => void process.after(ms, () => reject(why))
      const lose = (): void => fail(new StoreError('the store does not answer'), ANSWER_MS)
      this.#schedule.after(delay(), () => {
        const isLost = process.fate === 'is gone' && link.random.chance(0.5)
        if (isLost) return
        if (link.isCut) return lose()
        work().then(
          result => {
            const ms = link.random.chance(link.lateness) ? link.random.between(500, LATEST_MS) : delay()
            if (link.isCut || ms > ANSWER_MS) lose()
            else process.after(ms, () => resolve(result))
          },
          error => fail(error, delay()),
        )
      })
    })
  }

  /** Notifies the process of commits in their order. It receives its own commits, if it learns that they succeeded. It receives the commits of others that
   *  change a status, unless notifications are cut. */
  #subscribe(process: Process, link: Link, listener: CommitListener, missed: () => void): () => void {
    const heard: (() => void)[] = []
    const tell = (what: () => void): void => {
      heard.push(what)
      process.after(link.random.between(0.1, 3) * link.slowness, () => heard.shift()?.())
    }
    const repeat = (what: () => void): void => void process.after(link.random.between(0.1, 2_000), what)
    const unsubscribe = this.inner.subscribe((id, change, owed) => {
      const isOwn = this.#committing === process
      if (isOwn ? !this.#isTold : change === null || link.isCut || link.isDeaf) return
      tell(() => listener(id, change, isOwn ? owed : []))
      if (!isOwn && link.hasEcho) repeat(() => listener(id, change, []))
    })
    const back = (): void => tell(missed)
    link.back.add(back)
    const stop = process.whenGone(() => end())
    const end = (): void => {
      stop()
      unsubscribe()
      link.back.delete(back)
    }
    return end
  }
}

type Ask = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A part of the store that sends each method call through `ask`. */
function asked<Part extends object>(part: Part, ask: Ask): Part {
  const methods = new Map<PropertyKey, unknown>()
  return new Proxy(part, {
    get(target, name) {
      const known = methods.get(name)
      if (known !== undefined) return known
      const method: unknown = Reflect.get(target, name)
      const remote =
        typeof method === 'function'
          ? (...given: unknown[]) => ask(async () => Reflect.apply(method, target, given))
          : method
      methods.set(name, remote)
      return remote
    },
  })
}
