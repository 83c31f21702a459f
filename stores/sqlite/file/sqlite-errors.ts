/** Classifies errors of SQLite: which are failures of the file, and the remedy for each. @module */
import { StoreError, StoreRefusalError } from '../../store-error.ts'

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const ERROR = 1
const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const TOOBIG = 18
const CONSTRAINT = 19
const MISMATCH = 20
const RANGE = 25
const NOTADB = 26
/** The row already exists, or a column cannot hold a value, or the value is too large. Only this commit fails, for good; the file works. */
const OF_ONE_COMMIT: readonly (number | null)[] = [TOOBIG, CONSTRAINT, MISMATCH, RANGE]

const PUT_BACK = 'stop the server and put a backup in the place of the file'
const REMEDIES: ReadonlyMap<number | null, string> = new Map([
  [BUSY, 'end the program that keeps the file locked'],
  [READONLY, 'let this user write the file, its folder and their file system'],
  [IOERR, 'look at the disk of the file, and at the rights of its folder'],
  [CORRUPT, PUT_BACK],
  [FULL, 'make room on the disk of the file'],
  [CANTOPEN, 'see that the folder of the file exists, and that this user may write to both'],
  [NOTADB, 'name the SQLite file of a server, or one that does not exist yet'],
])

/** @returns null: the error is not from SQLite */
function codeOf(error: unknown): number | null {
  if (error instanceof StoreError) return codeOf(error.cause)
  if (!(error instanceof Error) || !('code' in error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  if ('syscall' in error) return CANTOPEN // an error of the file system while the file was created
  return error.code === 'ERR_SQLITE_ERROR' ? ERROR : null // one driver gives no other code for a row that it could not read
}

/** True if another connection holds the write lock. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === BUSY
}

/** True for a failure of the database, after which the outcome of the whole transaction is unknown; false if one statement failed. */
export function isOfDatabase(error: unknown): boolean {
  const code = codeOf(error)
  return error instanceof StoreError || (code !== null && !OF_ONE_COMMIT.includes(code))
}

/** @returns the error for all code outside of this folder; other errors unchanged */
export function failureOf(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError || !isOfDatabase(error)) return error
  const remedy = REMEDIES.get(codeOf(error)) ?? PUT_BACK
  const got = JSON.stringify(error.message)
  const Failure = isLocked(error) ? StoreError : StoreRefusalError
  return new Failure(`store ${file}: expected to read and write the file, got ${got}: ${remedy}`, {
    cause: error,
  })
}
