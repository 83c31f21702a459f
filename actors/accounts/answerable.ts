/** The commitments that this node may answer. Two responses with one w_k reveal m_k, so a commitment that has left its row is never answered again, also if another
 *  program puts its row back. Node memory holds this for the lifetime of a commitment. @module */
import { hash } from 'node:crypto'
import { endOfCommitment } from '../../machines/keyshare-login.ts'
import type { Clock } from '../../ports/clock.ts'
import { OverloadedError } from '../../protocol/errors.ts'
import type { AccountRow, StoredCommitment } from '../../stores/account-store.ts'

/** The most commitments that began or ended within one lifetime. */
const MAX_KEPT = 100_000

/** The values of the option, the default first. `any`: also those of other nodes, and of this node before its restart. `own`: only those that this process made. */
export const COMMITMENTS_OF = ['any', 'own'] as const
export type CommitmentsOf = (typeof COMMITMENTS_OF)[number]
type CommitmentState = { readonly isEnded: boolean; readonly until: number }

export class Answerable {
  readonly #clock: Pick<Clock, 'now'>
  readonly #answers: CommitmentsOf
  readonly #maxKept: number
  /** by hash of the sealed w_k, the oldest first */
  readonly #kept = new Map<string, CommitmentState>()

  constructor(clock: Pick<Clock, 'now'>, answers: CommitmentsOf, maxKept = MAX_KEPT) {
    this.#clock = clock
    this.#answers = answers
    this.#maxKept = maxKept
  }

  has(commitment: StoredCommitment): boolean {
    const kept = this.#kept.get(nameOf(commitment))
    return kept ? !kept.isEnded : this.#answers === 'any'
  }

  /** @throws {OverloadedError} if this node could not remember another commitment */
  requireRoom(): void {
    this.#dropOld()
    if (this.#kept.size >= this.#maxKept)
      throw new OverloadedError('too many commitments were made and answered')
  }

  /** To be called with each row that this node committed, before the next turn of the account. */
  note(before: AccountRow | null, after: AccountRow | null): void {
    const [ended, begun] = [before, after].map(row => row?.commitment && nameOf(row.commitment))
    if (ended === begun) return
    if (ended) this.#keep(ended, true)
    if (begun && !this.#kept.get(begun)?.isEnded) this.#keep(begun, false)
  }

  #keep(name: string, isEnded: boolean): void {
    this.#dropOld()
    this.#kept.delete(name)
    this.#kept.set(name, { isEnded, until: endOfCommitment(this.#clock.now()) })
  }

  #dropOld(): void {
    const now = this.#clock.now()
    for (const [name, { until }] of this.#kept) {
      if (until >= now) return
      this.#kept.delete(name)
    }
  }
}

function nameOf({ sealedRandomizer }: StoredCommitment): string {
  return hash('sha256', sealedRandomizer)
}
