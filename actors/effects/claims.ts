/** The claims that this node works on (spec/laws#2). It performs their effects, renews their leases while it works, and retries the commit of an outcome until the
 *  stored state is known. A signal aborts the work of an ended claim. @module */
import { type AnsweredEffect, LEASE_MS } from '../../machines/session.ts'
import { effectOf } from '../../machines/session-snapshot.ts'
import { type Clock, pause, type Timer } from '../../ports/clock.ts'
import { InternalError, UnavailableError } from '../../protocol/errors.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import type { Claim, SessionId, SessionRow } from '../../stores/session-store.ts'
import { StoreError } from '../../stores/store-error.ts'
import type { BodyBytes } from '../calls/body-bytes.ts'
import type { Gate } from '../gate.ts'
import type { Step } from '../kind.ts'
import type { SessionKind } from '../kinds/session.ts'
import type { Effects } from './effects.ts'

/** The time between renewals of a lease: two renewals may fail before the lease expires. */
const RENEWAL_MS = LEASE_MS / 3
/** The pauses before attempts to commit one outcome, from the second retry on. They double from the first to the longest. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Reasons for aborting work. Shared instances, because creating an Error costs more than the rest of ending a claim. */
const OVER = new Error(
  'expected the claim of this node on the session, got a claim that has ended: the work is dropped',
)
const CLOSING = new Error(
  'expected a running server, got one that is closing: another node or the next start repeats the work',
)

export type ClaimsDeps = {
  readonly clock: Clock
  readonly effects: Effects
  readonly enter: Gate<SessionKind>['enter']
  readonly report: (id: SessionId, error: unknown) => void
  readonly bodies: Pick<BodyBytes, 'hold'>
  /** receives each ended claim and its duration, for figures */
  readonly ended?: ((row: SessionRow, ms: number) => void) | undefined
}

/** The step that enters the outcome of an effect, or that voids the claim. */
type ClaimStep = Step<SessionKind>

/** A claim of this node, from its first effect to its end. */
type Claimed = {
  readonly number: number
  /** the row when the work on the claim began */
  readonly row: SessionRow
  /** Unix ms */
  readonly beganAt: number
  readonly work: AbortController
  /** called at the end of the claim: its body is no longer counted */
  readonly releaseBody: () => void
  /** the commit that began the claim may have been lost; the stored row is an older one in that case */
  isDoubtful: boolean
  renewal: Timer | null
}

/** One effect of a claim. */
type Work = {
  readonly effect: AnsweredEffect
  readonly id: SessionId
  readonly claim: Claim
  readonly signal: AbortSignal
}

export class Claims {
  readonly #deps: ClaimsDeps
  readonly #claimed = new Map<SessionId, Claimed>()

  constructor(deps: ClaimsDeps) {
    this.#deps = deps
  }

  /** True if this process is still working on the claim. It may hold an older claim on the same session whose commit appeared to fail. */
  isWorkedOn({ id, claim }: SessionRow): boolean {
    return isSame(this.#claimed.get(id)?.row.claim, claim)
  }

  /** True if this node works on a claim of that session. */
  has(id: SessionId): boolean {
    return this.#claimed.has(id)
  }

  /** For a store that may have lost commits.
   *  @returns the sessions to reload, so that lost claims are noticed */
  doubtAll(): SessionId[] {
    for (const claimed of this.#claimed.values()) claimed.isDoubtful = true
    return [...this.#claimed.keys()]
  }

  /** Performs one effect of a claim outside of turns. Its outcome enters like any other event, with the number of the claim. */
  async perform(effect: AnsweredEffect, row: SessionRow): Promise<void> {
    if (row.claim === null) return
    const signal = this.#begin(row, row.claim)
    const outcome = await this.#outcomeOf(effect, row, row.claim, signal)
    if (!outcome || signal.aborted) return
    this.#stopRenewal(row.id)
    await this.#commitUntilKnown({ effect, id: row.id, claim: row.claim, signal }, outcome)
  }

  /** Receives every row that this node reads or commits. */
  notifyRow(id: SessionId, row: SessionRow | null): void {
    const claimed = this.#claimed.get(id)
    if (!claimed || isSame(row?.claim, claimed.row.claim)) return
    if (row !== null && row.version < claimed.number && !claimed.isDoubtful) return // read before the claim began
    this.#end(id, claimed, OVER)
  }

  close(): void {
    for (const [id, claimed] of this.#claimed) this.#end(id, claimed, CLOSING)
  }

  /** @returns a signal that is aborted at the end of the claim */
  #begin(row: SessionRow, { number }: Claim): AbortSignal {
    const { id } = row
    const known = this.#claimed.get(id)
    const isKnown = known !== undefined && isSame(known.row.claim, row.claim)
    if (known && !isKnown) this.#end(id, known, OVER)
    const begun = isKnown ? known : this.#claimOf(number, row)
    this.#claimed.set(id, { ...begun, renewal: this.#startRenewal(id, number) })
    return begun.work.signal
  }

  #claimOf(number: number, row: SessionRow): Claimed {
    const { bodies, clock } = this.#deps
    const releaseBody = bodies.hold(row.claimedBody?.length ?? 0)
    const work = new AbortController()
    return { number, row, beganAt: clock.now(), work, releaseBody, isDoubtful: false, renewal: null }
  }

  #end(id: SessionId, { row, beganAt, work, releaseBody }: Claimed, why: Error): void {
    this.#stopRenewal(id)
    this.#deps.ended?.(row, this.#deps.clock.now() - beganAt)
    releaseBody()
    this.#claimed.delete(id)
    work.abort(why)
  }

  #stopRenewal(id: SessionId): void {
    const claimed = this.#claimed.get(id)
    if (!claimed?.renewal) return
    this.#deps.clock.clearTimeout(claimed.renewal)
    claimed.renewal = null
  }

  #startRenewal(id: SessionId, number: number): Timer {
    const { clock, enter, report } = this.#deps
    return clock.setTimeout(() => {
      const claimed = this.#claimed.get(id)
      if (claimed?.number !== number) return
      claimed.renewal = this.#startRenewal(id, number)
      const event = { type: 'claim.renewed', claim: number } as const
      const renewed: ClaimStep = { event, written: () => ({ renewsLease: true }) }
      enter(id, () => renewed).catch(error => report(id, error))
    }, RENEWAL_MS)
  }

  /** @returns null if the claim has ended: the outcome is discarded */
  async #outcomeOf(
    effect: AnsweredEffect,
    row: SessionRow,
    { number, callHash }: Claim,
    signal: AbortSignal,
  ): Promise<ClaimStep | null> {
    try {
      const { event, progress = null, ...last } = await this.#deps.effects[effect](row, signal)
      const goingOn = progress === null ? {} : { progress }
      return {
        event: { ...event, claim: number },
        written: asked => ({ callHash, ...(asked.length > 0 ? goingOn : last) }),
      }
    } catch (error) {
      if (signal.aborted) return null
      this.#deps.report(row.id, error)
      return voided(number) // the app may submit again
    }
  }

  /** Commits the same outcome again, at once and then with growing pauses, until the stored state is known. Nothing is calculated twice. The lease is not
   *  renewed meanwhile, so the retries end with the claim. An outcome that fails permanently is replaced by another one. */
  async #commitUntilKnown(work: Work, outcome: ClaimStep): Promise<void> {
    const { clock } = this.#deps
    const { id, claim, signal } = work
    for (let failures = 0; !signal.aborted; ) {
      try {
        return await this.#commit(work, outcome)
      } catch (error) {
        if (failures === 0) this.#deps.report(id, error)
        if (!mayWorkLater(error)) {
          const other = insteadOf(outcome, claim, error)
          return other ? this.#commitUntilKnown(work, other) : undefined
        }
      }
      failures += 1
      if (failures > 1)
        await pause(clock, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS), signal)
    }
  }

  /** One turn. If the claim is already in a later state, this outcome brought it there, although its commit appeared to fail. The next effect has not begun in
   *  that case, and is started here.
   *  @throws the errors of the gate: the stored state is unknown */
  async #commit({ effect, id, claim }: Work, outcome: ClaimStep): Promise<void> {
    const later: SessionRow[] = []
    await this.#deps.enter(id, row => {
      const isClaimed = isSame(row.claim, claim)
      const isHere = isClaimed && effectOf(row.snapshot) === effect
      later.splice(0, 1, ...(isClaimed && !isHere ? [row] : []))
      return isHere ? outcome : null
    })
    for (const row of later) await this.#goOn(row)
  }

  async #goOn(row: SessionRow): Promise<void> {
    const effect = effectOf(row.snapshot)
    if (effect) await this.perform(effect, row)
  }
}

/** Compares the boot id too: a claim's number is a version, and another node may assign a lost version again. */
function isSame(one: Claim | null | undefined, other: Claim | null | undefined): boolean {
  if (!one || !other) return false
  return one.number === other.number && one.bootId === other.bootId
}

/** True if the store fails temporarily, or the gate had no turn. Any other error would recur: the store refuses the outcome permanently, or the chart fails. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof StoreError || error instanceof UnavailableError
}

/** An outcome that the store refuses is replaced by the cancellation of the session, so that the app gets 500 at once. If that fails too, or the chart fails,
 *  the claim becomes void.
 *  @returns null if nothing is left to try */
function insteadOf({ event }: ClaimStep, { number, callHash }: Claim, error: unknown): ClaimStep | null {
  if (event.type === 'claim.voided') return null
  if (event.type === 'server.failed' || error instanceof InternalError) return voided(number)
  const cancelled = cancelledBy(new InternalError(), false)
  return { event: { type: 'server.failed', claim: number }, written: () => ({ callHash, ...cancelled }) }
}

function voided(claim: number): ClaimStep {
  return { event: { type: 'claim.voided', claim } }
}
