/** Callers that wait for the outcome of a claim, on any node (spec/laws#2). Every row of their session that this node reads or commits may answer them. They also
 *  reread the row every second, which compensates for lost notifications. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import { OverloadedError, UnavailableError } from '../../protocol/errors.ts'
import type { SessionId, SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import type { RefusedStep } from '../sessions.ts'

const REREAD_MS = 1_000
/** The longest wait for an outcome; wallet apps give up at 20 s. */
const LIMIT_MS = 15_000

export type CallOutcome = { readonly answer: StoredAnswer } | RefusedStep

/** The call whose outcome is awaited: its hash, and the version at which it was claimed. */
export type ClaimedCall = { readonly id: SessionId; readonly hash: string; readonly number: number }

/** The answer in the row for a caller that waits for the outcome of this call.
 *  @returns null: none yet; `void`: the claim ended without an outcome, and the call may be repeated */
export function outcomeIn(
  row: SessionRow | null,
  call: Pick<ClaimedCall, 'hash' | 'number'>,
): CallOutcome | 'void' | null {
  if (row === null) return { refused: 'unknown' }
  if (row.version < call.number) return null // read before the claim began
  if (row.claim?.callHash === call.hash) return null
  if (row.answered?.callHash === call.hash) return { answer: row.answered.answer }
  return row.status === 'CONNECTED' ? 'void' : { refused: row.status }
}

type Waiter = Pick<ClaimedCall, 'hash' | 'number'> & {
  readonly settle: (outcome: CallOutcome | Error) => void
}

export class Waiters {
  readonly #clock: Clock
  readonly #max: number
  readonly #waiting = new Map<SessionId, Set<Waiter>>()
  #count = 0

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  /** @throws {OverloadedError} beyond the bound */
  assertRoom(): void {
    if (this.#count >= this.#max) throw new OverloadedError('too many calls are waiting for an outcome')
  }

  /** @param reread called at once and then every second; it handles its own failures
   *  @param isSeen true if this node works on the claim and last saw it active. It will see the end of the claim, so the row is not reread at once.
   *  @throws {UnavailableError} if the claim became void, or if there is no outcome within 15 s: the claim continues */
  wait(
    { id, hash, number }: ClaimedCall,
    reread: () => void,
    { isSeen }: { readonly isSeen: boolean },
  ): Promise<CallOutcome> {
    this.assertRoom()
    return new Promise((resolve, reject) => {
      let timer: Timer | null = null
      let waitedMs = 0 // counted, not read from the clock, which may be set back meanwhile
      const settle = (outcome: CallOutcome | Error): void => {
        if (timer) this.#clock.clearTimeout(timer)
        this.#remove(id, waiter)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const waiter: Waiter = { hash, number, settle }
      const again = (): void => {
        if (waitedMs >= LIMIT_MS) settle(new UnavailableError('no outcome in time'))
        else {
          const isFirst = waitedMs === 0
          timer = this.#clock.setTimeout(again, REREAD_MS)
          waitedMs += REREAD_MS
          if (!isFirst || !isSeen) reread() // after registering, otherwise a commit in between would be missed
        }
      }
      this.#add(id, waiter)
      again()
    })
  }

  /** Receives every row that this node reads or commits. */
  notifyRow(id: SessionId, row: SessionRow | null): void {
    for (const waiter of this.#waiting.get(id) ?? []) {
      const outcome = outcomeIn(row, waiter)
      if (outcome === 'void')
        waiter.settle(new UnavailableError('the work on this call ended without an outcome'))
      else if (outcome) waiter.settle(outcome)
    }
  }

  isWaitedFor(id: SessionId): boolean {
    return this.#waiting.has(id)
  }

  /** Every session with a waiting caller. */
  ids(): SessionId[] {
    return [...this.#waiting.keys()]
  }

  close(): void {
    for (const waiters of this.#waiting.values())
      for (const { settle } of waiters) settle(new UnavailableError('this server is closing'))
  }

  #add(id: SessionId, waiter: Waiter): void {
    const waiters = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, waiters.add(waiter))
    this.#count += 1
  }

  /** A waiter is settled once: settling ends its timer and removes it here. */
  #remove(id: SessionId, waiter: Waiter): void {
    const waiters = this.#waiting.get(id)
    waiters?.delete(waiter)
    this.#count -= 1
    if (waiters?.size === 0) this.#waiting.delete(id)
  }
}
