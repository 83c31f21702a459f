/** Opens the store that the options name, and logs its failures. @module */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { type Clock, createSystemClock, pause } from '../ports/clock.ts'
import {
  checkStore,
  mistakeInStoreName,
  openSessionServerStore,
  openStore,
  type SessionServerStoreOptions,
} from '../stores/open.ts'
import type { SessionServerStore, Store } from '../stores/store.ts'
import { StoreError, type StoreLostError, StoreUnreachableError } from '../stores/store-error.ts'
import type { StoreOptions, Synchronous } from '../stores/store-options.ts'
import { makeFolder } from './files/paths.ts'
import { SettingsError } from './settings/errors.ts'

export type OptionStoreDeps = {
  readonly bootId: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** called if another process takes the store over */
  readonly lost: (error: StoreLostError) => void
}

/** The meaning of the option `store`. */
export type StoreOption = {
  /** empty: the default */
  readonly name: string
  /** @returns SQLite file of the default
   *  @throws {SettingsError} if there is no place for it */
  readonly defaultFile: () => string
  readonly sqliteSynchronous: Synchronous
}

/** A store with all parts.
 *  @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openOptionStore(
  { name, defaultFile, sqliteSynchronous }: StoreOption,
  deps: OptionStoreDeps,
): Promise<Store> {
  const whole = wholeName({ name, defaultFile }, deps.log)
  return opening(deps, sqliteSynchronous, options => openStore(whole, deps.bootId, options))
}

/** A store without accounts.
 *  @throws as `openOptionStore` */
export async function openSessionOptionStore(
  { name, defaultFile, sqliteSynchronous }: StoreOption,
  facts: Required<Pick<SessionServerStoreOptions, 'redis' | 'isAuthority'>>,
  deps: OptionStoreDeps,
): Promise<SessionServerStore> {
  const whole = wholeName({ name, defaultFile }, deps.log)
  return opening(deps, sqliteSynchronous, options =>
    openSessionServerStore(whole, deps.bootId, { ...options, ...facts }),
  )
}

/** The longest time for which a start waits for a store that gives no answer: server and store may have been started together. */
const WAIT_MS = 30_000
/** The pause before such a store is asked again. */
const PAUSE_MS = 1_000
/** The longest time of a timer, for the timer that keeps the process running during the wait. */
const FOR_GOOD_MS = 2 ** 31 - 1

/** Opens a store. If the store gives no answer yet, it is tried again for a while. Any other failure ends the start at once. */
async function opening<Opened>(
  deps: OptionStoreDeps,
  synchronous: Synchronous,
  open: (options: Required<StoreOptions>) => Promise<Opened>,
): Promise<Opened> {
  const { clock, log } = deps
  const untilAt = clock.now() + WAIT_MS
  const alive = createSystemClock({ keepsAlive: true }) // timers of a server's clock do not keep its process running
  const keepsProcess = alive.setTimeout(() => {}, FOR_GOOD_MS)
  try {
    for (let isFirst = true; ; isFirst = false)
      try {
        return await openingOnce(deps, synchronous, open)
      } catch (error) {
        if (!(error instanceof StoreUnreachableError) || clock.now() + PAUSE_MS > untilAt) throw error
        if (isFirst) log.warn(`${error.message}; this start waits for it, for ${WAIT_MS / 1_000} s at most`)
        await pause(clock, PAUSE_MS)
      }
  } finally {
    alive.clearTimeout(keepsProcess)
  }
}

/** Failures while the store opens are logged when the opening ends. The failure that ends it is not logged, because it is thrown to the caller. */
async function openingOnce<Opened>(
  { clock, lost, log }: OptionStoreDeps,
  synchronous: Synchronous,
  open: (options: Required<StoreOptions>) => Promise<Opened>,
): Promise<Opened> {
  const waiting = new Set<string>()
  let failing = (line: string): void => void waiting.add(line)
  const tell = { failing: (line: string) => failing(line), working: (line: string) => log.info(line) }
  try {
    return await open({ clock, lost, synchronous, tell, warn: line => log.warn(line) })
  } catch (error) {
    if (error instanceof Error) waiting.delete(error.message)
    throw error
  } finally {
    failing = line => log.error(line)
    for (const line of waiting) log.error(line)
  }
}

/** Checks that `openOptionStore` could succeed. If the folder of the default store does not exist yet, the nearest existing folder above it is checked.
 *  @throws {SettingsError} if the option names no store, or one that could not be opened */
export function checkOptionStore({ name, defaultFile }: Omit<StoreOption, 'sqliteSynchronous'>): void {
  checkOption(name)
  const whole = name || nameInNearestFolder(defaultFile())
  try {
    checkStore(whole)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new SettingsError(error.message, { cause: error })
  }
}

/** Names the file of the default store, for operators who set none. */
export function sayDefaultStore(
  { name, defaultFile }: Omit<StoreOption, 'sqliteSynchronous'>,
  log: Pick<Logger, 'info'>,
): void {
  if (name === '') log.info(`store: sqlite:${defaultFile()}, the default, because "store" is not set`)
}

/** The complete name of the store. Makes the folder of the default store, and then logs which file is the default.
 *  @throws {SettingsError} */
function wholeName(option: Omit<StoreOption, 'sqliteSynchronous'>, log: Pick<Logger, 'info'>): string {
  checkOption(option.name)
  const whole = option.name || defaultName(option.defaultFile())
  sayDefaultStore(option, log)
  return whole
}

function nameInNearestFolder(file: string): string {
  return `sqlite:${join(nearestFolder(dirname(file)), basename(file))}`
}

function checkOption(name: string): void {
  const mistake = name === '' ? null : mistakeInStoreName(name)
  if (mistake !== null) throw new SettingsError(mistake)
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

function defaultName(file: string): string {
  makeFolder('store', dirname(file))
  return `sqlite:${file}`
}

/** Leaves errors of the store out of a report. The store logs its own failure once, although it can make many calls fail. */
export function unlessOfStore<About>(
  report: (about: About, error: unknown) => void,
): (about: About, error: unknown) => void {
  return (about, error) => {
    if (!(error instanceof StoreError)) report(about, error)
  }
}
