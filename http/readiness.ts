/** Whether this node should get calls, and why not: what a load balancer asks of each node (GET /health/ready). GET /health says only that the process answers.
 *  A reason is what another node may not have: a node that stops, that cannot reach the store, or whose worker threads are gone. What would be the same at
 *  every node, such as a key that has expired or a scheme that cannot be brought up to date, is a warning: without a node that is ready nobody would be served
 *  at all. For the same reason a node that is overloaded is ready: it refuses what is new by itself. @module */
import type { Clock } from '../ports/clock.ts'
import { Unavailable } from '../protocol/errors.ts'
import type { Schemes } from '../schemes/types.ts'
import type { Store } from '../stores/store.ts'
import { StoreFailure } from '../stores/store-failure.ts'
import { within } from './limit-time.ts'

/** The age of an answer that is given again, so that whoever asks often asks nothing of the store. */
const KEPT_MS = 1_000
/** The longest wait for the store. */
const STORE_MS = 1_000
/** The most names in one sentence. */
const MOST_NAMES = 5

/** Sentences by what they are about: fixed words, times and names of issuers, nothing secret. */
type Sentences = Readonly<Record<string, string>>

export type NodeState = {
  /** why this node should get no calls; none: it is ready */
  readonly reasons: Sentences
  /** what an operator should mend, and why no call is refused */
  readonly warnings: Sentences
}

export type Readiness = {
  now(): Promise<NodeState>
  /** From now on this node should get no calls. */
  stop(): void
}

export type ReadinessDeps = {
  readonly clock: Clock
  readonly bootId: string
  readonly store: Pick<Store, 'nodes'> & { readonly deliveries: Pick<Store['deliveries'], 'nextDueAfter'> }
  /** whether a worker thread is there */
  readonly hasWorker: () => boolean
  readonly schemes: Pick<Schemes, 'schemes'>
  /** names of those that could not be brought up to date when they were last looked at */
  readonly failingSchemes: () => readonly string[]
}

export function createReadiness(deps: ReadinessDeps): Readiness {
  const { clock, hasWorker } = deps
  const askStore = storeCheck(deps)
  let isStopping = false
  let kept: { readonly state: Promise<NodeState>; readonly at: number } | null = null

  async function look(): Promise<NodeState> {
    const store = await askStore()
    const reasons = {
      ...(store !== null && { store }),
      ...(!hasWorker() && { workers: 'expected a worker thread that checks proofs, got none' }),
    }
    return { reasons, warnings: { ...schemeFailures(deps), ...expiredKeys(deps) } }
  }

  return {
    stop() {
      isStopping = true
    },
    async now() {
      if (kept === null || clock.now() - kept.at >= KEPT_MS) kept = { state: look(), at: clock.now() }
      const state = await kept.state
      return isStopping ? { ...state, reasons: { node: 'it is stopping', ...state.reasons } } : state
    },
  }
}

/** @returns asks the store whether this node may commit, and reads from it; null: both are in order. No second question is asked while one is not answered. */
function storeCheck({ clock, bootId, store }: ReadinessDeps): () => Promise<string | null> {
  let asked: Promise<string | null> | null = null
  const ask = async (): Promise<string | null> => {
    try {
      if (!(await store.nodes.isAlive(bootId)))
        return 'expected this node to have said in time that it is alive, got a node that stood still'
      await store.deliveries.nextDueAfter(clock.now())
      return null
    } catch (error) {
      if (error instanceof StoreFailure)
        return 'expected the store to answer, got a failure; the log says which'
      throw error
    }
  }
  return async () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    try {
      return await within(clock, STORE_MS, 'asking the store', asked)
    } catch (error) {
      if (error instanceof Unavailable)
        return `expected the store to answer within ${STORE_MS} ms, got nothing`
      throw error
    }
  }
}

/** The node goes on with the versions that it has. */
function schemeFailures({ failingSchemes }: Pick<ReadinessDeps, 'failingSchemes'>): Sentences {
  const failing = failingSchemes()
  if (failing.length === 0) return {}
  return {
    scheme: `expected to bring each scheme up to date, got a failure at ${inShort(failing)}; the log says why`,
  }
}

/** An issuer whose latest key has expired issues nothing more; what was signed with it before is still disclosed. */
function expiredKeys({ clock, schemes }: Pick<ReadinessDeps, 'clock' | 'schemes'>): Sentences {
  const nowSec = clock.wallNow() / 1_000
  const issuers = [...schemes.schemes.values()].flatMap(({ issuers }) => [...issuers.values()])
  const expired = issuers.filter(({ publicKeys, deprecatedSinceSec }) => {
    const latest = [...publicKeys.values()].at(-1)
    return deprecatedSinceSec === null && latest !== undefined && latest.expiresAtSec < nowSec
  })
  if (expired.length === 0) return {}
  const names = inShort(expired.map(({ id }) => id))
  return { keys: `expected a key that has not expired of each issuer, got none of ${names}` }
}

function inShort(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
