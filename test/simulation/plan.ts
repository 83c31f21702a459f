/** The plan of a simulation, drawn from its seed: sessions with the acts of their parties, and faults. Leaving out one part does not change the rest,
 *  so a failing plan can be shortened. @module */
import { type LoginJourney, loginJourneyOf } from './login-plan.ts'
import { Random } from './random.ts'

/** The session servers. */
export const NODES = ['A', 'B', 'C'] as const
/** The keyshare servers, which run if the plan has logins. */
export const KEYSHARES = ['K', 'L'] as const
export type NodeName = (typeof NODES | typeof KEYSHARES)[number]

/** Acts of the parties that a session does not need. */
export const HABITS = [
  'the requestor follows',
  'the app follows',
  'the frontend follows',
  'the requestor polls',
  'the requestor cancels',
  'the app cancels',
  'the app never comes',
  'the app leaves before it submits',
  'the app connects twice at once',
  'the app submits twice at once',
  'the app submits something else at once',
  'the app submits again after its answer',
  'the frontend never completes pairing',
] as const
export type Habit = { readonly does: (typeof HABITS)[number]; readonly afterMs: number }

export type Journey = {
  readonly name: string
  readonly atMs: number
  readonly type: 'disclosure' | 'signature' | 'issuance'
  readonly proofs: 'VALID' | 'wrong' | 'malformed'
  /** the longest stay in an open status, as requested; null for the default of the server */
  readonly timeoutSec: number | null
  readonly hasPairing: boolean
  readonly hasCallback: boolean
  /** a valid end leads to another session, which is a disclosure */
  readonly isFollowed: boolean
  readonly habits: readonly Habit[]
}

/** `count` is the number of actions before a process dies, the number of failing commits, or unused. */
export type Fault = {
  readonly atMs: number
  readonly forMs: number
  readonly node: NodeName
  readonly count: number
  readonly is: (typeof FAULTS)[number]
}
export const FAULTS = [
  'the process dies',
  'every process dies',
  'the process is stopped and started',
  'the process stands still',
  'the store is cut off',
  'the store is slow',
  'the store answers late',
  'commits fail before they are made',
  'commits fail after they are made',
  'changes are not heard',
  'changes are heard twice',
  'the clock is set',
  'threads die',
  'calls are lost',
  'receivers refuse',
  'receivers do not answer',
] as const

export type Plan = {
  /** seed of every delay */
  readonly seed: number
  readonly journeys: readonly Journey[]
  readonly logins: readonly LoginJourney[]
  readonly faults: readonly Fault[]
  /** ms by which the clock of each node is fast at the beginning */
  readonly skews: readonly number[]
  /** ms that it gains each ms */
  readonly drifts: readonly number[]
}

/** Sessions begin, and faults happen, within this time. */
export const BUSY_MS = 20_000
const MOST_FAULTS = 7
/** The most faults of a seed with very many. */
const VERY_MANY_FAULTS = 24
/** The largest offset of the clock of a machine. */
const MOST_SKEW_MS = 5_000
/** The largest drift of a clock. */
const MOST_DRIFT = 0.003

/** @param sessions number of sessions
 *  @param accounts number of users of the keyshare server that log in */
export function planOf(seed: number, sessions: number, accounts = 0): Plan {
  const random = new Random(seed, 'plan')
  const idleness = random.pick([0.5, 1, 8])
  const ofLogins = new Random(seed, 'logins')
  return {
    seed,
    journeys: Array.from({ length: sessions }, (_, i) => journeyOf(random, `s${i + 1}`, idleness)),
    logins: Array.from({ length: accounts }, (_, i) => loginJourneyOf(ofLogins, `a${i + 1}`, BUSY_MS)),
    faults: [
      ...(sessions > 0 ? faultsOf(random, NODES) : []),
      ...(accounts > 0 ? faultsOf(ofLogins, KEYSHARES) : []),
    ],
    skews: offs(random, MOST_SKEW_MS).map(Math.round),
    drifts: offs(random, MOST_DRIFT),
  }
}

/** The offset of the clock of each machine. */
function offs(random: Random, most: number): readonly number[] {
  const share = random.pick([0, 0.5, 1])
  return [...NODES, ...KEYSHARES].map(() => (random.chance(share) ? random.between(-most, most) : 0))
}

/** Each seed has its own kinds of faults: many faults of one kind find bugs that a mix of all kinds hides. */
function faultsOf(random: Random, names: typeof NODES | typeof KEYSHARES): readonly Fault[] {
  const set: readonly Fault[] = random.chance(0.3)
    ? [{ ...faultOf(random, names, ['the clock is set']), atMs: 500, forMs: BUSY_MS }]
    : []
  const share = random.pick([0.15, 0.4, 1])
  const [first, ...others] = FAULTS.filter(() => random.chance(share))
  if (first === undefined) return set
  const most = random.pick([MOST_FAULTS, MOST_FAULTS, VERY_MANY_FAULTS])
  const drawn = Array.from({ length: random.below(most + 1) }, () =>
    faultOf(random, names, [first, ...others]),
  )
  return [...set, ...drawn]
}

/** @param idleness factor on the usual frequency of sessions that a party lets time out */
function journeyOf(random: Random, name: string, idleness: number): Journey {
  const drawn = random.next()
  return {
    name,
    atMs: Math.round(random.between(0, BUSY_MS)),
    type: random.pick(['disclosure', 'disclosure', 'signature', 'issuance']),
    proofs: drawn < 0.8 ? 'VALID' : drawn < 0.93 ? 'wrong' : 'malformed',
    timeoutSec: random.chance(0.3) ? 2 + random.below(6) : null,
    hasPairing: random.chance(0.3),
    hasCallback: random.chance(0.7),
    isFollowed: random.chance(0.2),
    habits: HABITS.flatMap(does =>
      random.chance((LIKELINESS[does] ?? 0.1) * (IDLE.includes(does) ? idleness : 1))
        ? [{ does, afterMs: Math.round(random.next() ** 3 * 8_000) }]
        : [],
    ),
  }
}

const IDLE: readonly Habit['does'][] = [
  'the app never comes',
  'the app leaves before it submits',
  'the frontend never completes pairing',
]
const LIKELINESS: Readonly<Partial<Record<Habit['does'], number>>> = {
  'the requestor follows': 0.3,
  'the frontend follows': 0.4,
  'the app never comes': 0.03,
  'the app leaves before it submits': 0.03,
  'the frontend never completes pairing': 0.03,
  'the requestor cancels': 0.06,
  'the app cancels': 0.06,
  'the app submits twice at once': 0.15,
}

function faultOf(
  random: Random,
  names: typeof NODES | typeof KEYSHARES,
  kinds: readonly [Fault['is'], ...Fault['is'][]],
): Fault {
  return {
    atMs: Math.round(random.between(0, BUSY_MS)),
    forMs: Math.round(random.next() ** 2 * 25_000),
    node: random.pick<NodeName>(names),
    count: random.below(8),
    is: random.pick(kinds),
  }
}
