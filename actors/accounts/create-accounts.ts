/** Combines gate, deadlines and the sealing of records into the one interface that the other folders use. @module */
import { LRUCache } from 'lru-cache'
import { RecordError } from '../../accounts/record-error.ts'
import { type AccountSecrets, hashOfTokenId } from '../../accounts/secrets.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import { LOGIN_CHART, type LoginChart } from '../../machines/keyshare-login.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { MissingCommitmentError } from '../../protocol/errors.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { apartFrom, Deadlines } from '../deadlines.ts'
import { Gate } from '../gate.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { inspectAccounts } from '../inspection/sources.ts'
import type { RowsOf } from '../kind.ts'
import { firstAccountRow, type LoginKind, loginKind } from '../kinds/login.ts'
import type { Figures } from '../metrics/figures.ts'
import {
  AccountClosedError,
  type AccountStep,
  type Accounts,
  type AccountTurn,
  type DecideAccount,
  type NewAccount,
} from './accounts.ts'
import { Answerable, type CommitmentsOf } from './answerable.ts'
import { LatestRows } from './latest-rows.ts'
import { PublicParts } from './public-parts.ts'
import { type Binding, recordsOfRows, type VerifiedRecords } from './records-of-rows.ts'

/** The most live actors of this node; all other accounts are only rows. */
const MAX_LIVE = 10_000

/** Events that this node must remember, because they make a commitment or end it. */
const COMMITTING: ReadonlySet<string> = new Set<LoginEvent['type']>([
  'app.requestedCommitments',
  'app.requestedResponse',
])

/** The time between two reports about one account. */
const REPORT_PAUSE_MS = 3_600_000

export type AccountsDeps = {
  readonly store: AccountsStore
  readonly clock: Clock
  /** names this process; random, new at each start */
  readonly bootId: string
  readonly storageKeys: StorageKeys
  /** provides 12 bytes for each record that is sealed */
  readonly random: Pick<Randomness, 'bytes'>
  /** the forms of records that are read and written */
  readonly binding: Binding
  /** the commitments that this node answers */
  readonly commitmentsOf: CommitmentsOf
  /** receives failures, for a log; the id is a hash */
  readonly report: (id: AccountId, error: unknown) => void
  /** the view of the actors for inspectors; left out: no inspection */
  readonly inspection?: Inspection | undefined
  /** figures to count; left out: none */
  readonly figures?: Pick<Figures, 'logins' | 'rows'> | undefined
  /** another chart, for tests of failing charts */
  readonly chart?: LoginChart
}

class RunningAccounts implements Accounts {
  readonly #deps: AccountsDeps
  readonly #gate: Gate<LoginKind>
  readonly #deadlines: Deadlines
  readonly #unsubscribe: () => void
  readonly #parts = new PublicParts()
  readonly #records: VerifiedRecords
  readonly #latest = new LatestRows()
  readonly #answerable: Answerable
  /** Unix ms of the last report about an account that is due and cannot be verified */
  readonly #reportedAt = new LRUCache<AccountId, number>({ max: 1_000 })
  #isClosed = false

  constructor(deps: AccountsDeps) {
    const { store, clock, bootId, chart, figures, binding, commitmentsOf } = deps
    this.#records = recordsOfRows({ ...deps, store: store.accounts, binding })
    this.#answerable = new Answerable(clock, commitmentsOf)
    const report = (id: AccountId, error: unknown): void => this.#report(id, error)
    this.#deps = deps
    const rows = this.#rows()
    this.#gate = new Gate<LoginKind>({
      clock,
      bootId,
      report,
      kind: loginKind(this.#records, chart),
      rows: figures ? figures.rows.measured('account', rows) : rows,
      count: (before, after, inserts) => {
        this.#answerable.note(before, after)
        if (after) this.#latest.note(after)
        figures?.logins?.committed(before, after, inserts)
      },
      isAlive: id => store.nodes.isAlive(id),
      isWorkedOn: () => true,
      maxLive: MAX_LIVE,
      watch: deps.inspection && inspectAccounts(deps.inspection, store, id => this.#gate.isAwake(id)),
      perform() {},
      noteDue: at => this.#deadlines.note(at),
      notifyRow: (id, row) => {
        if (!row?.record) this.#parts.forget(id)
      },
    })
    this.#deadlines = new Deadlines({
      clock,
      report: (id, error) => this.#reportDue(id, error),
      apart: apartFrom(store.nodes, bootId),
      due: (at, limit) => store.accounts.due(at, LOGIN_CHART, limit),
      nextAfter: at => store.accounts.nextDueAfter(at, LOGIN_CHART),
      enter: id => this.#gate.enter(id),
    })
    this.#unsubscribe = store.subscribe(() => {}, this.#gate.forgetLive)
    this.#deadlines.start()
  }

  register(account: NewAccount): Promise<AccountRow> {
    const { owed = [], ...inserts } = account.inserts ?? {}
    const row = firstAccountRow(account, this.#records, this.#deps.clock.now())
    return this.#gate.open(row, { account: inserts, owed })
  }

  async read(id: AccountId): Promise<AccountRow | null> {
    const row = await this.#gate.read(id)
    if (row?.chart === null) throw new AccountClosedError(id)
    return row
  }

  async findByTokenId(tokenId: Uint8Array): Promise<AccountRow | null> {
    const id = await this.#deps.store.accounts.findByTokenIdHash(hashOfTokenId(tokenId))
    return id === null ? null : this.read(id)
  }

  secretsOf(row: AccountRow): AccountSecrets {
    return this.#records.secretsOf(row)
  }

  readonly publicParts: PublicParts['of'] = (row, named, calculate) => this.#parts.of(row, named, calculate)

  async turn(id: AccountId, decide: DecideAccount): Promise<AccountTurn | null> {
    let before: AccountRow | null = null
    const { row: after, isRefused } = await this.#gate.enter(id, (row, can) => {
      if (row.chart === null) throw new AccountClosedError(id)
      before = row
      const isAnswerable = ({ type }: LoginEvent): boolean =>
        type !== 'app.requestedResponse' || !row.commitment || this.#answerable.has(row.commitment)
      const step = decide({
        row,
        can: event => isAnswerable(event) && can(event),
        secrets: () => this.#records.secretsOf(row),
      })
      if (step === null) return null
      if (!isAnswerable(step.event)) throw new MissingCommitmentError('the commitment was answered before')
      if (COMMITTING.has(step.event.type)) this.#answerable.requireRoom()
      return { event: step.event, written: () => writtenBy(step) }
    })
    return before && { before, after, isRefused }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    this.#deadlines.close()
    this.#gate.close()
  }

  /** The rows of the store. Every row is verified when it is read. */
  #rows(): RowsOf<LoginKind> {
    const { store } = this.#deps
    const load = async (id: AccountId): Promise<AccountRow | null> => {
      const row = await store.accounts.load(id)
      if (row !== null) this.#records.verify(row)
      return row
    }
    return {
      load: id => this.#latest.read(id, () => load(id)),
      commit: (account, inserts) => store.commit({ account, inserts }),
    }
  }

  /** Reports a failure, for one account only from time to time: an account that cannot be verified stays due, so every look at due accounts fails for it again. */
  #reportDue(id: AccountId, error: unknown): void {
    const now = this.#deps.clock.now()
    if (error instanceof RecordError) {
      const before = this.#reportedAt.get(id)
      if (before !== undefined && now < before + REPORT_PAUSE_MS) return
      this.#reportedAt.set(id, now)
    }
    this.#report(id, error)
  }

  #report(id: AccountId, error: unknown): void {
    if (!this.#isClosed) this.#deps.report(id, error)
  }
}

function writtenBy({ event: _, ...written }: AccountStep): Partial<LoginKind['written']> {
  return written
}

export function createAccounts(deps: AccountsDeps): Accounts {
  return new RunningAccounts(deps)
}
