/** `svc keyshare import`: takes over the accounts of an existing keyshare server. The settings are those of the server that continues. @module */
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { parseStorageKey, type StorageKeys, storageKeys } from '../../accounts/storage-keys.ts'
import { recordsOfRows } from '../../actors/accounts/records-of-rows.ts'
import { AccountImport, checkStorageKeys, type ImportDeps } from '../../actors/imports/import-accounts.ts'
import { accountsInWords, countsInWords } from '../../actors/imports/import-counts.ts'
import { createSystemClock, pause } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { opened } from '../../server/closable.ts'
import { openKeyshareStore } from '../../server/keyshare/open-keyshare-store.ts'
import { storeAddressOf } from '../../server/settings/checks.ts'
import { storageKeysOf } from '../../server/settings/keyshare-keys.ts'
import { type KeyshareOptionValues, keyshareServer } from '../../server/settings/keyshare-server.ts'
import { AccountSource } from '../../stores/imports/account-source.ts'
import type { Store } from '../../stores/store.ts'
import { createSharedClock } from '../../stores/time/shared-clock.ts'
import { decimalIn } from '../decimal.ts'
import { DRY_RUN, type SourceFlags, sourceAddressOf } from '../imports/source-address.ts'
import { type CommandLineInput, readOptions } from '../servers/options.ts'
import { endAtOnce } from '../servers/run-until-stopped.ts'
import { stopSignal } from '../stop-signal.ts'

export type ImportFlags = SourceFlags & {
  /** files */
  readonly storageKeyFile: readonly string[]
  readonly dryRun?: true
  readonly follow?: true
  /** seconds */
  readonly every: string
}

const HOUR_MS = 3_600_000
/** The most seconds between two passes. */
const MOST_SECONDS = 3_600

type Opened = {
  readonly source: AccountSource
  /** null: nothing is written */
  readonly store: Store | null
  readonly options: KeyshareOptionValues
  readonly log: Logger
  readonly keys: ReadKeys
}

type ReadKeys = { readonly own: StorageKeys; readonly ofSource: StorageKeys }

/** @throws {SettingsError} @throws {Error} in words for an operator */
export async function importAccounts(flags: ImportFlags, given: CommandLineInput): Promise<void> {
  const everyMs = decimalIn(flags.every) * 1_000
  if (!(everyMs >= 1_000 && everyMs <= MOST_SECONDS * 1_000))
    throw new Error(`--every: expected seconds from 1 to ${MOST_SECONDS}, got ${JSON.stringify(flags.every)}`)
  if (flags.follow && flags.dryRun) throw new Error('--follow: expected no --dry-run beside it, got both')
  const address = sourceAddressOf(flags)
  const { options, log } = readOptions(keyshareServer, given)
  if (options.profile !== 'irma')
    log.warn(
      `profile: expected irma, because apps of the existing server call its paths, got ${options.profile}`,
    )
  const keys = readKeys(flags, options)
  const { whole, close } = await opened(async onClose => {
    const source = await AccountSource.open(address)
    onClose(() => source.close())
    for (const { number, accounts } of await checkStorageKeys(source, keys.ofSource))
      print(`storage key ${number}: ${accountsInWords(accounts)}`)
    const store = flags.dryRun ? null : await openTarget(options, log, onClose)
    return { source, store, options, log, keys }
  })
  try {
    await run(whole, flags.follow ? everyMs : null)
  } finally {
    await close()
  }
}

/** The keys of the existing server are those that the flags name, and all that the settings name. */
function readKeys({ storageKeyFile: files }: ImportFlags, options: KeyshareOptionValues): ReadKeys {
  const [first, ...more] = files
  const named = { ...options, storage_primary_key_file: options.storage_primary_key_file || (first ?? '') }
  const { keys: own } = storageKeysOf(named)
  const given = [first, ...more].flatMap(file => (file === undefined ? [] : [keyIn(file)]))
  return { own, ofSource: storageKeys(own.primary, [...own.older, ...given]) }
}

function keyIn(file: string) {
  try {
    return parseStorageKey(readFileSync(file))
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`--storage-key-file ${file}: ${got}`, { cause })
  }
}

async function openTarget(
  options: KeyshareOptionValues,
  log: Logger,
  onClose: Parameters<typeof openKeyshareStore>[2],
): Promise<Store> {
  const clock = createSystemClock({ keepsAlive: true })
  const settings = {
    store: storeAddressOf(options),
    sessions: { sqliteSynchronous: options.sqlite_synchronous },
  }
  const store = await openKeyshareStore(
    settings,
    { bootId: systemRandomness.token(), clock, log, lost: endAtOnce(log) },
    onClose,
  )
  if (store.imports) return store
  throw new Error('store: expected one that keeps accounts, such as "sqlite:FILE", got "memory"')
}

/** @param everyMs null: one pass. Otherwise passes until a signal, and then the last one */
async function run({ source, store, options, log, keys }: Opened, everyMs: number | null): Promise<void> {
  const clock = createSystemClock({ keepsAlive: true })
  const { now } = store ? createSharedClock(clock, store.nodes) : clock
  const deps: ImportDeps = {
    source,
    now,
    imports: store?.imports ?? null,
    rules: {
      sourceKeys: keys.ofSource,
      sealed: recordsOfRows({
        storageKeys: keys.own,
        random: systemRandomness,
        store: store?.accounts ?? { movedMs: 0 },
        binding: options.bind_accounts,
      }).sealed,
      defaultLanguage: options.default_language,
      deleteDays: options.delete_delay,
      linkMs: options.email_token_validity * HOUR_MS,
    },
    leftOut: (id, { message }) => log.warn({ account: id }, `not imported: ${message}`),
    progress: ({ accounts, logEntries }) => log.info({ accounts, logEntries }, 'import'),
  }
  const passes = new AccountImport(deps)
  if (everyMs !== null) await follow(passes, everyMs)
  const counts = await passes.pass(true)
  for (const line of countsInWords(counts, store === null)) print(line)
  if (store === null) print(DRY_RUN)
}

async function follow(passes: AccountImport, everyMs: number): Promise<void> {
  const stopped = new AbortController()
  void stopSignal().then(() => stopped.abort())
  const clock = createSystemClock({ keepsAlive: true })
  while (!stopped.signal.aborted) {
    const { added, changed, logEntries } = await passes.pass(false)
    print(
      `pass: ${added} added, ${changed} changed, ${logEntries} log entries; a signal ends with a last pass`,
    )
    await pause(clock, everyMs, stopped.signal)
  }
  print('the last pass')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
