/** What the owner of an event stream was last told, so that no status falls between an answer and the opening of a stream (decisions: streams). A stream
 *  tells `CONNECTED` or a final status at its opening, unless the last answer to its owner named it. Half of that is read off the row, and so is known on every
 *  node and after a restart. The other half is in memory: another node may tell a status a second time, which changes nothing for its owner. @module */
import { statusBefore, statusesAfter } from '../machines/past-statuses.ts'
import { factsOf, isOver } from '../machines/session-snapshot.ts'
import type { SessionId, SessionRow, SessionStatus } from '../stores/session-store.ts'

/** Whose token or authorization a stream is opened with. */
export type Owner = 'requestor' | 'app' | 'frontend'

/** How a stream begins: the status that its owner knows, and those that it is told at once. */
export type Opening = { readonly heard: SessionStatus; readonly missed: readonly SessionStatus[] }

const STATUSES: readonly string[] = [
  'INITIALIZED',
  'PAIRING',
  'CONNECTED',
  'DONE',
  'CANCELLED',
  'TIMEOUT',
] satisfies SessionStatus[]
/** The most owners that are remembered. A status is told again to an owner that was forgotten. */
const MAX_OWNERS = 20_000

export class LastTold {
  /** the one that was told last is at the end */
  readonly #told = new Map<string, SessionStatus>()

  /** An answer, or the last event of a stream, has named this status. */
  note(owner: Owner, id: SessionId, status: SessionStatus): void {
    if (!isToldAtOpening(status)) return
    const key = `${owner} ${id}`
    this.#told.delete(key)
    this.#told.set(key, status)
    if (this.#told.size <= MAX_OWNERS) return
    for (const oldest of this.#told.keys()) return void this.#told.delete(oldest)
  }

  /** @param lastId the event that the client received last, as it says; null: it does not say
   *  @param row as it was read after the stream was registered */
  openingOf(owner: Owner, lastId: string | null, row: SessionRow): Opening {
    const { status } = row
    const missed = isStatus(lastId) ? statusesAfter(lastId, row) : null
    if (isStatus(lastId) && missed !== null) return { heard: lastId, missed }
    const isTold = isToldAtOpening(status) && !this.#isKnown(owner, row)
    return isTold ? { heard: statusBefore(row), missed: [status] } : { heard: status, missed: [] }
  }

  #isKnown(owner: Owner, row: SessionRow): boolean {
    if (this.#told.get(`${owner} ${row.id}`) === row.status) return true
    return owner === 'app' && isKnownToApp(row)
  }
}

function isStatus(id: string | null): id is SessionStatus {
  return id !== null && STATUSES.includes(id)
}

/** An app that waits in `PAIRING` takes any other status for a rejection. */
function isToldAtOpening(status: SessionStatus): boolean {
  return status === 'CONNECTED' || isOver(status)
}

/** Whether an answer to the app has named the status, as far as the row says. An event of an earlier stream is no such answer: the network may have lost it,
 *  and an app that misses `CONNECTED` after pairing waits until the session times out. */
function isKnownToApp({ status, chart, snapshot, answered, claim }: SessionRow): boolean {
  const facts = factsOf(chart, snapshot)
  if (facts === null) return false
  // the last commit answered the app, or it has submitted; before its first call no answer has named anything
  if (answered !== null || claim !== null || facts.protocolVersion === null) return true
  return status === 'DONE' || (status === 'CONNECTED' && (facts.pairing === 'none' || facts.isFetched))
}
