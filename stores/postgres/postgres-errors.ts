/** What PostgreSQL's errors mean for a store: which are failures of the database, and what an operator can do about each. @module */
import { Refused, StoreFailure, StoreUnreachable } from '../store-failure.ts'

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
/** A row that exists already, or a value that a column cannot hold, or that is too large: one commit fails for good, and the database is fine. */
const OF_ONE_COMMIT = ['22', '23', '54']

/** A deadlock, a conflict of transactions, and a statement that took too long. */
const UNDONE = ['40P01', '40001', '57014']

/** @returns null: it is no error of a statement */
function stateOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : null
}

/** What says of a call that the database gave no answer to it: no connection, a database that starts or stops, or that has no room for another connection. One whose
 *  disk or memory is full answers, and still reads. */
const NO_ANSWER = ['08', '57P', '53300']

/** Whether that error of the driver says that the database gave no answer at all: one about a statement is an answer. */
export function gaveNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StoreFailure || error instanceof TypeError) return false
  return hasNoAnswer(stateOf(error))
}

function hasNoAnswer(state: string | null): boolean {
  return state === null || NO_ANSWER.some(start => state.startsWith(start))
}

/** The driver itself refuses to answer a question for a password. */
const OF_PASSWORD = /^SASL|password must be/
const OF_TLS = /certificate|SSL|TLS/i

/** Whether the database may answer later: TLS that is not trusted, and a password that is missing ("SASL: ..."), do not mend themselves. */
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

/** The database itself has undone the statement: nothing of it is committed. */
class Undone extends StoreFailure {}

/** Whether nothing is committed, for an error of `failureOf`. What else fails may have been committed. */
export function isUndone(error: unknown): boolean {
  return error instanceof Undone || (error instanceof Error && !(error instanceof StoreFailure))
}

/** @param name of the store as a log may show it
 *  @param error of the driver; it may hold values of rows beside its message, hence goes no further
 *  @returns what it is called everywhere outside of this folder */
export function failureOf(name: string, error: unknown): Error {
  if (error instanceof StoreFailure || error instanceof TypeError) return error
  if (!(error instanceof Error)) return new StoreFailure(`store ${name}: expected an answer, got no error`)
  const state = stateOf(error)
  if (state !== null && OF_ONE_COMMIT.includes(state.slice(0, 2)))
    return new Error(`store ${name}: expected a row that can be stored, got ${JSON.stringify(error.message)}`)
  const got = JSON.stringify(error.message || String(error))
  const Failure = failureClassOf(error, state)
  return new Failure(
    `store ${name}: expected to read and write the database, got ${got}: ${remedyFor(state, error.message)}`,
  )
}

function failureClassOf(error: Error, state: string | null): typeof StoreFailure {
  if (state !== null && UNDONE.includes(state)) return Undone
  if (mayAnswerLater(error)) return StoreUnreachable
  return hasNoAnswer(state) ? StoreFailure : Refused
}
