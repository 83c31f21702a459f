/** Classifies errors of PostgreSQL. It separates failures of the database from failures of one commit, and gives the remedy for each. @module */
import { StoreError, StoreRefusalError, StoreUnreachableError } from '../store-error.ts'

const RUNNING = 'see that the database runs, and that this machine reaches it'
const LET_IN =
  'see that the user and the password of the option "store" are right, and that the database lets this machine in'
const TRUSTED =
  'see that the database speaks TLS with a certificate that is trusted here ("sslrootcert" of its address names the file of an authority)'

/** By SQLSTATE (postgresql.org, appendix A) or its class, the first two characters. */
const REMEDIES: Readonly<Record<string, string>> = {
  '08': RUNNING,
  '25006': 'name the primary server: this one takes no commits',
  '28': LET_IN,
  '3D000': 'create the database, or name another one',
  '42501': 'let this user create and change tables in the schema "public" of the database',
  '53': 'give the database more memory, disk or connections',
  '57014': 'look for what keeps the database busy, or its rows locked',
  '57P': RUNNING,
}
/** The row already exists, or a column cannot hold a value, or the value is too large. Only this commit fails, for good; the database works. */
const OF_ONE_COMMIT = ['22', '23', '54']

/** A deadlock, a serialization conflict, and a statement that took too long. */
const UNDONE = ['40P01', '40001', '57014']

/** @returns null: the error is not about a statement */
function stateOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : null
}

/** States in which the database gave no answer: no connection, a start or shutdown, or too many connections. A database whose disk or memory is full
 *  does answer, and still reads. */
const NO_ANSWER = ['08', '57P', '53300']

/** True if the error of the driver means that the database gave no answer. An error about a statement is an answer. */
export function gaveNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StoreError || error instanceof TypeError) return false
  return hasNoAnswer(stateOf(error))
}

function hasNoAnswer(state: string | null): boolean {
  return state === null || NO_ANSWER.some(start => state.startsWith(start))
}

/** Errors of the driver about the password. */
const OF_PASSWORD = /^SASL|password must be/
const OF_TLS = /certificate|SSL|TLS/i

/** True if the database may answer later. An untrusted certificate and a missing password ("SASL: ...") last until an operator acts. */
function mayAnswerLater(error: Error): boolean {
  return (
    gaveNoAnswer(error) &&
    !(stateOf(error) === null && (OF_TLS.test(error.message) || OF_PASSWORD.test(error.message)))
  )
}

function remedyFor(state: string | null, message: string): string {
  // the connection failed, not a statement
  if (state === null) {
    if (OF_PASSWORD.test(message)) return LET_IN
    return OF_TLS.test(message) ? TRUSTED : RUNNING
  }
  const found = [5, 3, 2].map(length => REMEDIES[state.slice(0, length)]).find(each => each !== undefined)
  return found ?? 'look at the log of the database'
}

/** The database has rolled back the statement. */
class UndoneError extends StoreError {}

/** True if an error of `failureOf` means that nothing was committed. After other errors the commit may have succeeded. */
export function isUndone(error: unknown): boolean {
  return error instanceof UndoneError || (error instanceof Error && !(error instanceof StoreError))
}

/** @param name of the store as a log may show it
 *  @param error of the driver; it may contain values of rows in addition to its message, so it is not passed on
 *  @returns the error for all code outside of this folder */
export function failureOf(name: string, error: unknown): Error {
  if (error instanceof StoreError || error instanceof TypeError) return error
  if (!(error instanceof Error)) return new StoreError(`store ${name}: expected an answer, got no error`)
  const state = stateOf(error)
  if (state !== null && OF_ONE_COMMIT.includes(state.slice(0, 2)))
    return new Error(`store ${name}: expected a row that can be stored, got ${JSON.stringify(error.message)}`)
  const got = JSON.stringify(error.message || String(error))
  const Failure = failureClassOf(error, state)
  return new Failure(
    `store ${name}: expected to read and write the database, got ${got}: ${remedyFor(state, error.message)}`,
  )
}

function failureClassOf(error: Error, state: string | null): typeof StoreError {
  if (state !== null && UNDONE.includes(state)) return UndoneError
  if (mayAnswerLater(error)) return StoreUnreachableError
  return hasNoAnswer(state) ? StoreError : StoreRefusalError
}
