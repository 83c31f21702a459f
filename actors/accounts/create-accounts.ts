/** Combines gate, deadlines and the sealing of records into the one interface that the other folders use. @module */
import { openRecord, sealRecord } from '../../accounts/records.ts'
import { type AccountSecrets, hashOfTokenId } from '../../accounts/secrets.ts'
import { NONCE_BYTES, type StorageKeys } from '../../accounts/storage-keys.ts'
import { LOGIN_CHART, type LoginChart } from '../../machines/keyshare-login.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { UserNotRegisteredError } from '../../protocol/errors.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { apartFrom, Deadlines } from '../deadlines.ts'
import { Gate } from '../gate.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { inspectAccounts } from '../inspection/sources.ts'
import type { RowsOf } from '../kind.ts'
import { firstAccountRow, type LoginKind, loginKind, type SealedRecord } from '../kinds/login.ts'
import type { Figures } from '../metrics/figures.ts'
import {
  AccountClosedError,
  type AccountStep,
  type Accounts,
  type AccountTurn,
  type DecideAccount,
  type NewAccount,
} from './accounts.ts'
import { PublicParts } from './public-parts.ts'

/** The most live actors of this node; all other accounts are only rows. */
const MAX_LIVE = 10_000

export type AccountsDeps = {
  readonly store: AccountsStore
  readonly clock: Clock
  /** names this process; random, new at each start */
  readonly bootId: string
  readonly storageKeys: StorageKeys
  /** provides 12 bytes for each record that is sealed */
  readonly random: Pick<Randomness, 'bytes'>
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
  #isClosed = false

  constructor(deps: AccountsDeps) {
    const { store, clock, bootId, chart, figures } = deps
    const report = (id: AccountId, error: unknown): void => this.#report(id, error)
    this.#deps = deps
    this.#gate = new Gate<LoginKind>({
      clock,
      bootId,
      report,
      kind: loginKind(chart),
      rows: figures ? figures.rows.measured('account', rowsOf(store)) : rowsOf(store),
      count: figures?.logins?.committed,
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
      report,
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
    const row = firstAccountRow(account, this.#sealed(account.secrets), this.#deps.clock.now())
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
    return this.#opened(row).secrets
  }

  readonly publicParts: PublicParts['of'] = (row, named, calculate) => this.#parts.of(row, named, calculate)

  async turn(id: AccountId, decide: DecideAccount): Promise<AccountTurn | null> {
    let before: AccountRow | null = null
    const { row: after, isRefused } = await this.#gate.enter(id, (row, can) => {
      if (row.chart === null) throw new AccountClosedError(id)
      before = row
      let outdated: AccountSecrets | undefined
      const secrets = (): AccountSecrets => {
        const opened = this.#opened(row)
        if (opened.isOutdated) outdated = opened.secrets
        return opened.secrets
      }
      const step = decide({ row, can, secrets })
      return step && { event: step.event, written: () => this.#written(step, outdated) }
    })
    return before && { before, after, isRefused }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    this.#deadlines.close()
    this.#gate.close()
  }

  /** @param outdated secrets that were sealed with an older key */
  #written(
    { challenge, commitment, secrets = undefined, refused, inserts }: AccountStep,
    outdated: AccountSecrets | undefined,
  ): Partial<LoginKind['written']> {
    const toSeal = secrets ?? outdated
    return {
      ...(challenge && { challenge }),
      ...(commitment && { commitment }),
      ...(toSeal && { sealed: this.#sealed(toSeal) }),
      ...(refused && { refused }),
      ...(inserts && { inserts }),
    }
  }

  #opened({ record }: AccountRow): ReturnType<typeof openRecord> {
    if (record === null) throw new UserNotRegisteredError('could not find specified user')
    return openRecord(record, this.#deps.storageKeys)
  }

  #sealed(secrets: AccountSecrets): SealedRecord {
    const { storageKeys, random } = this.#deps
    const record = sealRecord(secrets, storageKeys, random.bytes(NONCE_BYTES))
    return { record, tokenIdHash: hashOfTokenId(secrets.tokenId) }
  }

  #report(id: AccountId, error: unknown): void {
    if (!this.#isClosed) this.#deps.report(id, error)
  }
}

function rowsOf(store: AccountsStore): RowsOf<LoginKind> {
  return {
    load: id => store.accounts.load(id),
    commit: (account, inserts) => store.commit({ account, inserts }),
  }
}

export function createAccounts(deps: AccountsDeps): Accounts {
  return new RunningAccounts(deps)
}
