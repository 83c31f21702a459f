/** Whether this node should get calls, and why not: a load balancer asks each node (GET /health/ready). GET /health says only that the process answers.
 *  A reason is evidence that another node could do better: this node stops, cannot reach the store, cannot write to it, or has no worker threads.
 *  One slow answer is no evidence: a busy store is slow for all nodes at once, and without a ready node every call would be refused. A cause that all nodes share
 *  is a warning, such as an expired key or a scheme that cannot be updated. An overloaded node is ready: it refuses new work by itself. @module */
import type { Clock } from '../ports/clock.ts'
import { UnavailableError } from '../protocol/errors.ts'
import type { Schemes } from '../schemes/types.ts'
import type { Store } from '../stores/store.ts'
import { LEASE_EXPIRED, StoreError } from '../stores/store-error.ts'
import { within } from './limit-time.ts'

/** The age up to which an answer is repeated, so that frequent callers cost the store nothing. */
const KEPT_MS = 1_000
/** The longest wait of one look for the store. */
export const LOOK_MS = 1_000
/** A store is silent after this time without an answer, in at least so many looks. */
const SILENT_MS = 5_000
const SILENT_LOOKS = 2
/** The most names in one sentence. */
const MOST_NAMES = 5

/** The names of all reasons. */
export const REASONS = ['node', 'store', 'store writes', 'workers'] as const

/** Sentences by their subject, such as `store`. They contain no secret. */
type Sentences = Readonly<Record<string, string>>

export type NodeState = {
  /** why this node should get no calls; none: it is ready */
  readonly reasons: Partial<Readonly<Record<(typeof REASONS)[number], string>>>
  /** problems that an operator should fix, though no call is refused: fixed words, for every caller */
  readonly warnings: Sentences
  /** the warnings with the names of schemes and issuers, only for the operator (spec/decisions#readiness) */
  readonly namedWarnings: Sentences
}

export type Readiness = {
  now(): Promise<NodeState>
  /** From now on this node should get no calls. */
  stop(): void
}

export type ReadinessDeps = {
  readonly clock: Clock
  readonly bootId: string
  readonly store: Pick<Store, 'nodes' | 'outage'> & {
    readonly deliveries: Pick<Store['deliveries'], 'nextDueAfter'>
  }
  /** whether a worker thread is there */
  readonly hasWorker: () => boolean
  readonly schemes: Pick<Schemes, 'schemes'>
  /** names of those that could not be brought up to date when they were last looked at */
  readonly failingSchemes: () => readonly string[]
}

export function createReadiness(deps: ReadinessDeps): Readiness {
  const { clock, hasWorker, store: asked } = deps
  const askStore = storeCheck(deps)
  let isStopping = false
  let kept: { readonly state: Promise<NodeState>; readonly at: number } | null = null

  async function look(): Promise<NodeState> {
    const store = await askStore()
    const reasons = {
      ...(store !== null && { store }),
      ...(!hasWorker() && { workers: 'expected a worker thread that checks proofs, got none' }),
    }
    const found = { scheme: deps.failingSchemes(), keys: issuersWithoutKey(deps) }
    return { reasons, warnings: warnings(found, () => WHERE), namedWarnings: warnings(found, inShort) }
  }

  return {
    stop() {
      isStopping = true
    },
    async now() {
      if (kept === null || clock.now() - kept.at >= KEPT_MS) kept = { state: look(), at: clock.now() }
      const state = await kept.state
      const reasons = {
        ...(isStopping && { node: 'it is stopping' }),
        ...state.reasons,
        ...(asked.outage.isGone && { store: GONE }),
        ...(asked.outage.refusesWrites && { 'store writes': WRITES_REFUSED }),
      }
      return { ...state, reasons }
    },
  }
}

const GONE = 'expected an answer to one of the last calls, got none; the log says why'
const SILENT = `expected an answer of the store within ${SILENT_MS} ms, got silence or failures; the log says which`
const WRITES_REFUSED = 'expected the store to take a commit, got a refusal; the log says why'

/** Consecutive looks that got no answer. */
type Silence = { readonly sinceAt: number; readonly looks: number }

/** One look asks the store if this node may commit, and reads. A new question is sent only after the last one was answered.
 *  @returns the reason against this node; null: none */
function storeCheck({ clock, bootId, store }: ReadinessDeps): () => Promise<string | null> {
  let question: { readonly askedAt: number; readonly isAlive: Promise<boolean | null> } | null = null
  let silence: Silence | null = null
  /** @returns null: the store failed */
  const ask = async (): Promise<boolean | null> => {
    try {
      const isAlive = await store.nodes.isAlive(bootId)
      if (isAlive) await store.deliveries.nextDueAfter(clock.now())
      silence = null
      return isAlive
    } catch (error) {
      if (error instanceof StoreError) return null
      throw error
    }
  }
  const isSilent = (askedAt: number): boolean => {
    silence = { sinceAt: silence?.sinceAt ?? askedAt, looks: (silence?.looks ?? 0) + 1 }
    return silence.looks >= SILENT_LOOKS && clock.now() - silence.sinceAt >= SILENT_MS
  }
  return async () => {
    question ??= {
      askedAt: clock.now(),
      isAlive: ask().finally(() => {
        question = null
      }),
    }
    const { askedAt, isAlive } = question
    const answer = await orNull(within(clock, LOOK_MS, 'asking the store', isAlive))
    if (answer !== null) return answer ? null : LEASE_EXPIRED
    return isSilent(askedAt) ? SILENT : null
  }
}

/** @returns null: no answer within the time of a look */
async function orNull<Answer>(look: Promise<Answer>): Promise<Answer | null> {
  try {
    return await look
  } catch (error) {
    if (error instanceof UnavailableError) return null
    throw error
  }
}

/** Where an operator finds the names that strangers do not get. */
const WHERE = 'some, which GET /health/ready of the metrics listener names'

/** The schemes that could not be updated, which stay in use in their earlier versions; and the issuers without a valid key, which issue nothing. */
type Found = { readonly scheme: readonly string[]; readonly keys: readonly string[] }

function warnings({ scheme, keys }: Found, words: (names: readonly string[]) => string): Sentences {
  return {
    ...(scheme.length > 0 && {
      scheme: `expected to bring each scheme up to date, got a failure at ${words(scheme)}; the log says why`,
    }),
    ...(keys.length > 0 && {
      keys: `expected a key that has not expired of each issuer, got none of ${words(keys)}`,
    }),
  }
}

/** Credentials that were signed with an expired key before are still disclosed. */
function issuersWithoutKey({ clock, schemes }: Pick<ReadinessDeps, 'clock' | 'schemes'>): readonly string[] {
  const nowSec = clock.wallNow() / 1_000
  const issuers = [...schemes.schemes.values()].flatMap(({ issuers }) => [...issuers.values()])
  const expired = issuers.filter(({ publicKeys, deprecatedSinceSec }) => {
    const latest = [...publicKeys.values()].at(-1)
    return deprecatedSinceSec === null && latest !== undefined && latest.expiresAtSec < nowSec
  })
  return expired.map(({ id }) => id)
}

function inShort(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
