/** Replaces a scheme by a new version (spec/schemes-and-cli#11.3 step 11). Every step is one rename; if two processes compete, one of them fails.
 *  After a crash the old or the new version is there. During the replacement the old version is `.oldscheme-NAME`, where `load.ts` finds it.
 *  Afterwards it is `.keptscheme-NAME-SIGNED`, for the sessions that began with it. @module */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { timestampIn } from './build-scheme.ts'
import { keptFolderOf, keptSecOf, oldFolderOf } from './names.ts'
import { SchemeError } from './scheme-error.ts'

/** Retention of a replaced version. The longest session has three open statuses of a week each; one day is added. */
const KEPT_MS = 22 * 24 * 3_600_000
/** The maximum number of old versions per scheme, to limit the disk space. The latest ones are kept. */
const MAX_KEPT = 32

/** Another process has replaced the scheme meanwhile; the version of that process stays. */
export class PlaceLostError extends Error {
  override readonly name = 'PlaceLostError'
}

export type Swap = {
  /** the complete new version, on the same disk */
  readonly copy: string
  readonly folder: string
  /** the index of the version that the new one was made from; only this version may be replaced */
  readonly replaced: Buffer
  readonly nowMs: number
}

/** @throws {PlaceLostError} */
export function takePlace({ copy, folder, replaced, nowMs }: Swap): void {
  const old = oldOf(folder)
  if (!isMoved(folder, old)) throw new PlaceLostError(`${folder}: another process is replacing it`)
  const index = indexIn(old)
  if (index !== null && !index.equals(replaced)) {
    isMoved(old, folder)
    throw new PlaceLostError(`${folder}: another process has replaced it`)
  }
  let isTaken = false
  try {
    isTaken = isMoved(copy, folder)
  } finally {
    if (!isTaken) isMoved(old, folder)
  }
  if (!isTaken)
    throw new PlaceLostError(
      `${folder}: expected to put the new version in place, got another process that restored the old one`,
    )
  keep(folder, nowMs)
}

/** Completes an update that was interrupted between its last steps. */
export function finishInterrupted(folder: string, nowMs: number): void {
  const old = oldOf(folder)
  if (!existsSync(old)) return
  if (!existsSync(folder) && isMoved(old, folder)) return
  keep(folder, nowMs)
}

/** Folder of a replaced version of a scheme; null: it is no longer kept. */
export function keptVersion(folder: string, timestampSec: number): string | null {
  const kept = keptOf(folder, timestampSec)
  return existsSync(kept) ? kept : null
}

/** Removes versions that no session needs. */
export function dropKept(folder: string, nowMs: number): void {
  const parent = dirname(folder)
  const kept = readdirSync(parent)
    .flatMap(name => {
      const seconds = keptSecOf(name, basename(folder))
      return seconds === null ? [] : [{ path: join(parent, name), seconds }]
    })
    .sort((a, b) => b.seconds - a.seconds)
  for (const [i, { path }] of kept.entries())
    if (i >= MAX_KEPT || nowMs - keptAt(path, nowMs) > KEPT_MS) rmSync(path, { recursive: true, force: true })
}

function keptAt(path: string, nowMs: number): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
}

function oldOf(folder: string): string {
  return join(dirname(folder), oldFolderOf(basename(folder)))
}

function keptOf(folder: string, timestampSec: number): string {
  return join(dirname(folder), keptFolderOf(basename(folder), timestampSec))
}

/** Keeps the version that was moved aside, and sets its time to `nowMs`, from which its retention counts. */
function keep(folder: string, nowMs: number): void {
  const old = oldOf(folder)
  const seconds = timestampOf(old)
  const kept = seconds === null ? null : keptOf(folder, seconds)
  if (kept !== null) {
    touch(old, nowMs)
    if (isMoved(old, kept)) return
  }
  rmSync(old, { recursive: true, force: true })
}

function touch(path: string, nowMs: number): void {
  try {
    utimesSync(path, nowMs / 1_000, nowMs / 1_000)
  } catch (error) {
    if (!isCode(error, ['ENOENT'])) throw error // another process has already moved it
  }
}

function indexIn(folder: string): Buffer | null {
  return contentOf(join(folder, 'index'))
}

function timestampOf(folder: string): number | null {
  const file = join(folder, 'timestamp')
  const content = contentOf(file)
  try {
    return content && timestampIn(file, content)
  } catch (error) {
    if (error instanceof SchemeError) return null
    throw error
  }
}

function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isCode(error, ['ENOENT', 'ENOTDIR'])) return null
    throw error
  }
}

/** @returns false: `from` no longer exists, or `to` is already taken */
function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, ['ENOENT', 'ENOTEMPTY', 'EEXIST'])) return false
    throw error
  }
}

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
