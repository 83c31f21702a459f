/** One look at all schemes of a folder (spec/schemes-and-cli#11.3, #11.4), in its own thread. Each scheme is updated independently of the
 *  others. No step is urgent, and every step may be aborted. @module */

import { createSystemClock } from '../../ports/clock.ts'
import { createDownload, DownloadError } from '../../ports/download.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { timestampIn } from '../../schemes/build-scheme.ts'
import { updateScheme } from '../../schemes/install.ts'
import { findSchemes, readContent } from '../../schemes/load.ts'
import { hasServer } from '../../schemes/remote.ts'
import { fileFailure, SchemeError } from '../../schemes/scheme-error.ts'
import { placed, unmoved } from '../../schemes/seats.ts'
import { LIMITS, readLimited } from '../../schemes/signed-files.ts'
import { finishInterrupted, PlaceLostError } from '../../schemes/take-place.ts'
import type { SchemeContent } from '../../schemes/types.ts'

/** The longest time for one scheme. */
const SCHEME_MS = 10 * 60_000

export type KnownScheme = {
  readonly id: string
  readonly folder: string
  readonly url: string
  readonly timestampSec: number
}

/** The input of the look. */
export type SchemeFolders = {
  /** folder of the schemes */
  readonly path: string
  /** folder of the operator's own private keys */
  readonly privateKeys: string | null
}

export type UpdateJob = SchemeFolders & {
  /** the versions that the server has */
  readonly known: readonly KnownScheme[]
  /** true: newer versions are looked for at the servers of the schemes too; false: only in the folder */
  readonly mayDownload: boolean
}

/** Causes of a failed update: the scheme's server has an older version, gave no answer, or has a version that is refused; or the folder has a fault. */
export const FAILURES = ['older', 'unreachable', 'refused', 'folder'] as const
export type Failure = (typeof FAILURES)[number]

export type UpdateOutcome = { readonly scheme: string; readonly folder: string } & (
  | { readonly type: 'current' }
  /** the approved version is installed, and is now the newest */
  | { readonly type: 'taken'; readonly warnings: readonly string[] }
  | { readonly type: 'failed'; readonly cause: Failure; readonly reason: string }
)

/** @returns the reason why the server refuses this version; null: it is approved */
export type Approve = (content: SchemeContent) => Promise<string | null>

/** @param notify receives the outcome of each scheme
 *  @param stop aborts downloads */
export async function runUpdateJob(
  job: UpdateJob,
  approve: Approve,
  notify: (outcome: UpdateOutcome) => void,
  stop?: AbortSignal,
): Promise<void> {
  const folders = await unmoved(job.path, () => findSchemes(job.path)).then(
    found => found.folders.map(placed),
    (error: unknown) => (error instanceof SchemeError ? [] : Promise.reject(error)),
  )
  const all = new Set([...folders, ...job.known.map(({ folder }) => folder)])
  await Promise.all([...all].map(async folder => notify(await outcomeIn(folder, job, approve, stop))))
}

async function outcomeIn(
  folder: string,
  job: UpdateJob,
  approve: Approve,
  stop: AbortSignal | undefined,
): Promise<UpdateOutcome> {
  const known = job.known.find(each => each.folder === folder)
  const where = { scheme: known?.id ?? '', folder }
  const failure = await failureOf(where, () => update(where, known, job, approve, stop))
  const onDisk = await failureOf(where, () => takeFromDisk(where, known, job, approve))
  return onDisk?.type === 'taken' || failure === null ? (onDisk ?? { ...where, type: 'current' }) : failure
}

type Where = Pick<UpdateOutcome, 'scheme' | 'folder'>

/** @returns the outcome to report; null: nothing new */
async function failureOf(
  where: Where,
  doing: () => Promise<UpdateOutcome | null>,
): Promise<UpdateOutcome | null> {
  try {
    return await doing()
  } catch (error) {
    if (error instanceof PlaceLostError) return null // another process has installed a version: `takeFromDisk` reads that one
    return { ...where, type: 'failed', ...failed(error, where.folder) }
  }
}

function failed(error: unknown, folder: string): { readonly cause: Failure; readonly reason: string } {
  if (error instanceof DownloadError) return { cause: 'unreachable', reason: error.message }
  if (error instanceof SchemeError)
    return { cause: /^https?:/.test(error.file) ? 'refused' : 'folder', reason: error.message }
  if (!(error instanceof Error && 'code' in error)) throw error
  const { message: reason } = fileFailure(
    folder,
    'room for its new version, and permission to write it',
    error,
  )
  return { cause: 'folder', reason }
}

/** Installs a newer version from the server of the scheme. */
async function update(
  where: Where,
  known: KnownScheme | undefined,
  { privateKeys, mayDownload }: UpdateJob,
  approve: Approve,
  stop: AbortSignal | undefined,
): Promise<UpdateOutcome | null> {
  if (known === undefined || !mayDownload || !hasServer(known.url)) return null
  const clock = createSystemClock()
  using limit = timeLimit(clock, SCHEME_MS, stop)
  const download = createDownload({ fetch: systemFetch, clock }, limit.signal)
  const { isNew, olderSec, warnings } = await updateScheme(where.folder, download, {
    nowMs: clock.wallNow(),
    operatorKeys: privateKeys,
    approve: content => approved(content, known.url, approve),
  })
  if (isNew) return { ...where, type: 'taken', warnings }
  if (olderSec === undefined) return null
  const reason = `${known.url}: expected a version that was signed at ${known.timestampSec} or later, got one of ${olderSec}`
  return { ...where, type: 'failed', cause: 'older', reason }
}

/** Reads a newer version that another process has installed in the folder. */
async function takeFromDisk(
  where: Where,
  known: KnownScheme | undefined,
  { path, privateKeys }: UpdateJob,
  approve: Approve,
): Promise<UpdateOutcome | null> {
  const { folder } = where
  finishInterrupted(folder, createSystemClock().wallNow())
  const file = `${folder}/timestamp`
  const isNewer = (): boolean =>
    known === undefined || timestampIn(file, readLimited(file, LIMITS.signature)) > known.timestampSec
  if (!(await unmoved(path, async () => isNewer()))) return null
  const content = await unmoved(path, () => readContent(folder, folder, privateKeys))
  await approved(content, folder, approve)
  return { ...where, scheme: content.scheme.id, type: 'taken', warnings: [] }
}

async function approved(content: SchemeContent, from: string, approve: Approve): Promise<void> {
  const refusal = await approve(content)
  if (refusal !== null) throw new SchemeError(from, refusal)
}
