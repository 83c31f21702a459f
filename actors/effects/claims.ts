/** The claims that this node works on (law 2): their effects are performed, their leases renewed as long as this process means to finish them, and the
 *  outcome of an effect is committed again until it is known what is stored. A signal ends work whose claim is over. @module */
import type { AnsweredEffect } from '../../machines/session.ts'
import { effectOf } from '../../machines/session-snapshot.ts'
import { type Clock, pause, type Timer } from '../../ports/clock.ts'
import { InternalError, Unavailable } from '../../protocol/errors.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import type { Claim, SessionId, SessionRow } from '../../stores/session-store.ts'
import { StoreFailure } from '../../stores/store-failure.ts'
import type { BodyBytes } from '../calls/body-bytes.ts'
import type { Gate } from '../gate.ts'
import type { Step } from '../kind.ts'
import { LEASE_MS, type SessionKind } from '../kinds/session.ts'
import type { Effects } from './effects.ts'

/** The time between renewals of a lease; two of them may fail before it is over. */
const RENEWAL_MS = LEASE_MS / 3
/** The pauses between attempts to commit one outcome, after the second: they double from the first to the longest. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Why work ends whose result nobody wants. They are made once: an error costs more than all else that ends a claim, and hardly any end is heard. */
const OVER = new Error('the claim is over')
const CLOSING = new Error('this server is closing')

export type ClaimsDeps = {
  readonly clock: Clock
  readonly effects: Effects
  readonly enter: Gate<SessionKind>['enter']
  readonly report: (id: SessionId, error: unknown) => void
  readonly bodies: Pick<BodyBytes, 'hold'>
  /** hears of each claim that is over, and how long it stood, for figures */
  readonly ended?: ((row: SessionRow, ms: number) => void) | undefined
}

/** The outcome of an effect, or that there is none. */
type Outcome = Step<SessionKind>

/** A claim of this node, from its first effect until it is over. */
type Claimed = {
  readonly number: number
  /** as it was when the work on the claim began */
  readonly row: SessionRow
  /** Unix ms */
  readonly beganAt: number
  readonly work: AbortController
  /** to be called when it is over: its body is held no longer */
  readonly releaseBody: () => void
  /** the commit that began it may have been lost since: then the row that is stored is an older one */
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

  /** Whether this process means to finish that claim: another one of its own it has lost, for the commit that made it seemed to fail. */
  isWorkedOn({ id, claim }: SessionRow): boolean {
    return isSame(this.#claimed.get(id)?.row.claim, claim)
  }

  /** Whether a claim is worked on in that session. */
  has(id: SessionId): boolean {
    return this.#claimed.has(id)
  }

  /** Commits may have been lost that were made.
   *  @returns the sessions whose rows are to be read, so that it is seen whose claims are among them */
  doubtAll(): SessionId[] {
    for (const claimed of this.#claimed.values()) claimed.isDoubtful = true
    return [...this.#claimed.keys()]
  }

  /** Performs one effect of a claim outside of turns; its outcome enters like everything else, with the number of the claim. */
  async perform(effect: AnsweredEffect, row: SessionRow): Promise<void> {
    if (row.claim === null) return
    const signal = this.#begin(row, row.claim)
    const outcome = await this.#outcomeOf(effect, row, row.claim, signal)
    if (!outcome || signal.aborted) return
    this.#stopRenewal(row.id)
    await this.#commitUntilKnown({ effect, id: row.id, claim: row.claim, signal }, outcome)
  }

  /** Every row that this node reads or commits passes here. */
  see(id: SessionId, row: SessionRow | null): void {
    const claimed = this.#claimed.get(id)
    if (!claimed || isSame(row?.claim, claimed.row.claim)) return
    if (row !== null && row.version < claimed.number && !claimed.isDoubtful) return // read before the claim began
    this.#end(id, claimed, OVER)
  }

  close(): void {
    for (const [id, claimed] of this.#claimed) this.#end(id, claimed, CLOSING)
  }

  /** @returns aborted when the claim is over */
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
      const renewed: Outcome = { event, written: () => ({ renewsLease: true }) }
      enter(id, () => renewed).catch(error => report(id, error))
    }, RENEWAL_MS)
  }

  /** @returns null: the claim is over, and so is what was done for it */
  async #outcomeOf(
    effect: AnsweredEffect,
    row: SessionRow,
    { number, callHash }: Claim,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
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

  /** Nothing is calculated twice: the same outcome is committed again, at once and then with growing pauses, until it or something else is known to be
   *  stored. The lease is not renewed meanwhile, so that this ends with the claim. An outcome that fails for good is replaced by another one. */
  async #commitUntilKnown(work: Work, outcome: Outcome): Promise<void> {
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

  /** One turn. A claim that stands in a later state was brought there by this very outcome, though its commit seemed to fail; then nobody has begun the
   *  next effect.
   *  @throws whatever the gate throws: what is stored is not known */
  async #commit({ effect, id, claim }: Work, outcome: Outcome): Promise<void> {
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

/** Numbers are versions, and a version that was lost may be given again by another node. */
function isSame(one: Claim | null | undefined, other: Claim | null | undefined): boolean {
  if (!one || !other) return false
  return one.number === other.number && one.bootId === other.bootId
}

/** The store fails for a while, or the gate had no turn. Every other error would come again: the store refuses the outcome for good, or the chart fails. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof StoreFailure || error instanceof Unavailable
}

/** An outcome that the store refuses cancels the session, so that the app is answered 500 at once. If that fails too, or the chart does, the claim is void.
 *  @returns null: nothing is left to try */
function insteadOf({ event }: Outcome, { number, callHash }: Claim, error: unknown): Outcome | null {
  if (event.type === 'claim.voided') return null
  if (event.type === 'server.failed' || error instanceof InternalError) return voided(number)
  const cancelled = cancelledBy(new InternalError(), false)
  return { event: { type: 'server.failed', claim: number }, written: () => ({ callHash, ...cancelled }) }
}

function voided(claim: number): Outcome {
  return { event: { type: 'claim.voided', claim } }
}
