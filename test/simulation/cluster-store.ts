/** The store that the nodes of a simulation share, as several nodes share a database: each call of a process travels to it and back, is lost, fails before or after its
 *  commit, or takes long; each process has a lease, without which it commits nothing; each keeps rows that it has read or committed; and each hears of the commits of all, in their order,
 *  unless it is not told. @module */
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Commit, CommitListener, Nodes, Store } from '../../stores/store.ts'
import { StoreFailure } from '../../stores/store-failure.ts'
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
/** The longest time after which an answer comes, whether or not anybody waits for it. */
const LATEST_MS = 6_500

/** What goes wrong between one machine and the store. A process that is started again on the machine has the same. */
export type Link = {
  readonly random: Random
  /** nothing travels */
  isCut: boolean
  /** how many times as long as usual it takes */
  slowness: number
  /** how likely an answer comes late, or after nobody waits for it any more */
  lateness: number
  /** commits that fail next, in order: `before`: nothing is written; `after`: it is written, and nobody is told so */
  readonly failures: ('before' | 'after')[]
  /** the process does not hear of commits of others */
  isDeaf: boolean
  /** the process hears twice of commits of others */
  hasEcho: boolean
  /** called when the process hears again, or may not have heard of a commit of its own */
  readonly back: Set<() => void>
}

export function linkOf(random: Random): Link {
  return {
    ...{ random, isCut: false, slowness: 1, lateness: 0 },
    ...{ failures: [], isDeaf: false, hasEcho: false, back: new Set() },
  }
}

/** The process on this machine reads again what it may have missed. */
export function hearAgain({ back }: Link): void {
  for (const tell of back) tell()
}

/** Whoever looks at what is committed. */
export type Witness = (commit: Commit, by: Process, isAlive: boolean) => void

type Lease = { until: number; isReleased: boolean }

export class ClusterStore {
  readonly inner = createMemoryStore()
  readonly #schedule: Schedule
  readonly #witness: Witness
  readonly #leases = new Map<Process, Lease>()
  /** by boot id */
  readonly #processes = new Map<string, Process>()
  /** whose commit it is that subscribers hear of, and whether the process is told that it was made */
  #committing: Process | null = null
  #isTold = true

  constructor(schedule: Schedule, witness: Witness) {
    this.#schedule = schedule
    this.#witness = witness
  }

  /** What a process has of it, from its first renewal on. */
  async open(process: Process, link: Link): Promise<Store> {
    const lease: Lease = { until: 0, isReleased: false }
    this.#leases.set(process, lease)
    this.#processes.set(process.bootId, process)
    const ahead = new StoreAhead()
    const ask = <Result>(work: () => Promise<Result>): Promise<Result> => this.#ask(process, link, work)
    // a server does not start before it has reached its store, and so knows the time
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

  /** Whether that process may commit. */
  #mayCommit(process: Process): boolean {
    const lease = this.#leases.get(process)
    return lease !== undefined && !lease.isReleased && lease.until > this.#schedule.now
  }

  #isAlive(bootId: string): boolean {
    const process = this.#processes.get(bootId)
    return process !== undefined && this.#mayCommit(process)
  }

  /** @returns whether the store has answered */
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
      if (!(error instanceof StoreFailure)) throw error
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
      if (failure === 'before') throw new StoreFailure('the store is gone')
      const isAlive = this.#mayCommit(process)
      if (!isAlive) throw new StoreFailure('the lease of this node is over')
      const isTold = failure !== 'after'
      const isCommitted = await this.#commitOf(process, commit, isTold)
      if (isCommitted) this.#witness(commit, process, isAlive)
      if (isTold) return isCommitted
      hearAgain(link)
      throw new StoreFailure('the connection broke')
    })
  }

  #commitOf(process: Process, commit: Commit, isTold: boolean): Promise<boolean> {
    this.#committing = process
    this.#isTold = isTold
    return this.inner.commit(commit) // whoever hears of it hears of it at once
  }

  /** Work at the store, there and back. A process that dies hears no answer, and what it has sent may still arrive. */
  #ask<Result>(process: Process, link: Link, work: () => Promise<Result>): Promise<Result> {
    const delay = (): number => link.random.between(0.1, 1.5) * link.slowness
    return new Promise((resolve, reject) => {
      if (!process.acts()) return
      const fail = (why: unknown, ms: number): void => void process.after(ms, () => reject(why))
      const lose = (): void => fail(new StoreFailure('the store does not answer'), ANSWER_MS)
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

  /** The process hears of commits in their order: of all its own, and of those of others that change a status, for as long as it can hear. */
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

/** A part of the store, each method of which is asked for. */
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
