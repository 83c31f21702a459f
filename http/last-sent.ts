/** The status that the last answer to the owner of an event stream named (spec/decisions#streams). At its opening a stream sends `CONNECTED` or a final status,
 *  unless that answer named it. The row contains which statuses the app knows, on every node and after a restart. Each node keeps in memory the statuses that it
 *  sent to the requestor and to the frontend, so another node may send a status again. A repeated `CONNECTED` or final status does no harm. @module */
import { statusBefore, statusesAfter } from '../machines/past-statuses.ts'
import { factsOf, isOver } from '../machines/session-snapshot.ts'
import type { SessionId, SessionRow, SessionStatus } from '../stores/session-store.ts'

/** The owner of the token or authorization that opens a stream. */
export type StreamOwner = 'requestor' | 'app' | 'frontend'

/** The beginning of a stream: the status that its owner knows, and those that are sent at once. */
export type StreamStart = { readonly known: SessionStatus; readonly missed: readonly SessionStatus[] }

const STATUSES: readonly string[] = [
  'INITIALIZED',
  'PAIRING',
  'CONNECTED',
  'DONE',
  'CANCELLED',
  'TIMEOUT',
] satisfies SessionStatus[]
/** The most owners in memory. An owner that was evicted gets its status again. */
const MAX_OWNERS = 20_000

export class LastSent {
  /** the last status by owner and session, in the order of the answers, the latest at the end */
  readonly #told = new Map<string, SessionStatus>()

  /** Call it when an answer has named this status, or when a stream that was opened on a finished session has sent its final event. Do not call it for events of
   *  other streams: an event may be lost, so the next opening repeats it once. */
  note(owner: StreamOwner, id: SessionId, status: SessionStatus): void {
    if (!isToldAtOpening(status)) return
    const key = `${owner} ${id}`
    this.#told.delete(key)
    this.#told.set(key, status)
    if (this.#told.size <= MAX_OWNERS) return
    for (const oldest of this.#told.keys()) return void this.#told.delete(oldest)
  }

  /** @param lastId `Last-Event-ID` of the client; null: none
   *  @param row as it was read after the stream was registered */
  openingOf(owner: StreamOwner, lastId: string | null, row: SessionRow): StreamStart {
    const { status } = row
    const missed = isStatus(lastId) ? statusesAfter(lastId, row) : null
    if (isStatus(lastId) && missed !== null) return { known: lastId, missed }
    const isTold = isToldAtOpening(status) && !this.#isKnown(owner, row)
    return isTold ? { known: statusBefore(row), missed: [status] } : { known: status, missed: [] }
  }

  #isKnown(owner: StreamOwner, row: SessionRow): boolean {
    if (this.#told.get(`${owner} ${row.id}`) === row.status) return true
    return owner === 'app' && isKnownToApp(row)
  }
}

function isStatus(id: string | null): id is SessionStatus {
  return id !== null && STATUSES.includes(id)
}

/** An app that waits in `PAIRING` treats every other status than these as a rejection. */
function isToldAtOpening(status: SessionStatus): boolean {
  return status === 'CONNECTED' || isOver(status)
}

/** True if the row shows that an answer to the app named the status. An event of an earlier stream does not count, because the network may have lost it: an app
 *  that misses `CONNECTED` after pairing waits until the session times out. */
function isKnownToApp({ status, chart, snapshot, answered, claim }: SessionRow): boolean {
  const facts = factsOf(chart, snapshot)
  if (facts === null) return false
  // the last commit answered the app, the app has submitted, or it has not called yet
  if (answered !== null || claim !== null || facts.protocolVersion === null) return true
  return status === 'DONE' || (status === 'CONNECTED' && (facts.pairing === 'none' || facts.isFetched))
}
