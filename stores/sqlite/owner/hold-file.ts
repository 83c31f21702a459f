/** Allows one process per SQLite file, under any path: a second node would void the claims of the first. The hold is a row in the file, which its
 *  owner renews every second. If the owner has certainly ended, the next process takes over at once; otherwise it waits until the row has not changed
 *  for a while. Safety does not depend on these times. Every commit checks in its own transaction that the row still names this process
 *  (`Ownership`). Other programs can still read the store (backups, inspection). @module */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../ports/clock.ts'
import { isLocked } from '../file/sqlite-errors.ts'
import type { Statements } from '../statements.ts'
import { whileLocked } from '../while-locked.ts'
import { isCertainlyGone, ownIdentity } from './process-identity.ts'

/** The time without a renewal after which the owner counts as dead: more than three renewals. */
const STALE_MS = 3_500
/** The pause between two checks of another process's row. */
const LOOK_MS = 100

export type HoldDeps = {
  readonly file: string
  readonly statements: Statements
  readonly clock: Pick<Clock, 'now'>
  readonly bootId: string
  /** waits between two checks */
  readonly pause?: (ms: number) => Promise<void>
}

type OwnerRow = {
  /** null: no process holds the file */
  readonly boot_id: string | null
  readonly renewals: number
  /** as returned by `ownIdentity` */
  readonly process: string | null
}

/** @throws {Error} if another process holds the file */
export async function holdFile(deps: HoldDeps): Promise<void> {
  const { file, statements, clock, pause = delay } = deps
  const seen = ownerOf(statements)
  let stillSinceMs = clock.now()
  while (!mayFollow(seen) && clock.now() - stillSinceMs < STALE_MS) {
    await pause(LOOK_MS)
    const row = ownerOf(statements)
    if (row.boot_id === null) return holdFile(deps)
    if (row.renewals !== seen.renewals || row.boot_id !== seen.boot_id) throw inUse(file)
    if (isKeptFromWriting(statements)) stillSinceMs = clock.now() // the owner could not renew the row either
  }
  const isTaken = await whileLocked(clock, () => take(deps, seen))
  if (!isTaken) throw inUse(file)
}

function ownerOf(statements: Statements): OwnerRow {
  const [row] = statements.all<OwnerRow>('select boot_id, renewals, process from owner')
  if (!row) throw new Error('store: expected a row of its owner, got none')
  return row
}

function mayFollow(seen: OwnerRow): boolean {
  return seen.boot_id === null || isCertainlyGone(seen.process)
}

function isKeptFromWriting(statements: Statements): boolean {
  try {
    statements.run('begin immediate')
    statements.run('rollback')
    return false
  } catch (error) {
    if (isLocked(error)) return true
    throw error
  }
}

/** @returns false if the row has changed since */
function take({ statements, bootId }: HoldDeps, seen: OwnerRow): boolean {
  const taken = statements.run(
    `update owner set boot_id = :bootId, renewals = renewals + 1, process = :process
     where boot_id is :seenBootId and renewals = :seenRenewals`,
    { bootId, process: ownIdentity(), seenBootId: seen.boot_id, seenRenewals: seen.renewals },
  )
  return taken > 0
}

function inUse(file: string): Error {
  return new Error(
    `store ${file}: expected to be its only process, but another one uses it: stop that one, or name another file`,
  )
}
