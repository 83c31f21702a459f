/** The performance limits of the service: figures of the benchmarks, each with its maximum. @module */
import { type BenchmarkOutputs, benchOf, figureOf } from './figures.ts'

export type Limit = {
  readonly what: string
  /** figure of a benchmark, as `figureOf` reads it */
  readonly figure: string
  /** maximum */
  readonly most: number
  /** maximum on Node 20, if it is higher */
  readonly mostOnNode20?: number
}

export const LIMITS: readonly Limit[] = [
  { what: 'check of a disclosure proof, to its bare multiplications', figure: 'proofs.ratio', most: 1.1 },
  { what: 'multiplications of that check', figure: 'proofs.calls', most: 1_650 },
  { what: 'bytes of the tables of its key', figure: 'proofs.mostTableBytes', most: 6_000_000 },
  {
    what: 'whole disclosure session, to the check of its proof',
    figure: 'sessions.ratio',
    most: 1.6,
    mostOnNode20: 1.8,
  },
  {
    what: 'whole disclosure session with non-revocation, to the check of its proofs',
    figure: 'revocable.ratio',
    most: 1.3,
  },
  {
    what: 'the same session, p99 to the median from the first session on',
    figure: 'revocable.firstP99ToMedian',
    most: 3,
  },
  { what: 'CPU of a session with two worker threads, to one', figure: 'threads.ratio', most: 1.1 },
  { what: 'event loop late at p99 while a worker is busy, in ms', figure: 'threads.delayP99Ms', most: 20 },
  { what: 'whole login at a keyshare server, to its bare calls', figure: 'keyshare.ratio', most: 1.6 },
  { what: 'login at an OpenID provider, to a bare disclosure session', figure: 'oidc.ratio', most: 2.5 },
  {
    what: 'whole issuance session, to its bare multiplications',
    figure: 'issuance.session.bareRatio',
    most: 1.6,
  },
  { what: 'POST /session, to a bare server that commits a row', figure: 'create.ratioToBare', most: 2 },
  { what: 'POST /session of 8 callers, p99 to the median', figure: 'create.p99ToMedian', most: 4 },
  { what: 'MB that 100,000 idle sessions add', figure: 'idle.grownMb', most: 100 },
  { what: 'disclosure session on PostgreSQL, to SQLite', figure: 'stores.cases.postgres.ratio', most: 1.25 },
  { what: 'disclosure session on Redis, to SQLite', figure: 'stores.cases.redis.ratio', most: 1.25 },
  {
    what: 'session of two nodes on one PostgreSQL, to two that share nothing',
    figure: 'nodes.cases.postgresTwo.ratio',
    most: 1.1,
  },
  {
    what: 'session of two nodes on one Redis, to two that share nothing',
    figure: 'nodes.cases.redisTwo.ratio',
    most: 1.1,
  },
  { what: 'svc server until it answers, to svc --help', figure: 'startup.wallRatio', most: 3 },
]

export type LimitCheck = {
  readonly what: string
  readonly figure: string
  readonly limit: number
  /** null: the benchmark failed, or did not print this figure */
  readonly value: number | null
  readonly ok: boolean
}

export function benchesOf(limits: readonly Limit[]): string[] {
  return limits.map(({ figure }) => benchOf(figure))
}

/** @param nodeMajor version of Node that measured */
export function judge(limits: readonly Limit[], printed: BenchmarkOutputs, nodeMajor: number): LimitCheck[] {
  return limits.map(({ what, figure, most, mostOnNode20 }) => {
    const limit = nodeMajor === 20 ? (mostOnNode20 ?? most) : most
    const value = figureOf(printed, figure)
    return { what, figure, limit, value, ok: value !== null && value <= limit }
  })
}
