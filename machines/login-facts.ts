/** The facts of a keyshare login, and the rules that its chart (machines/keyshare-login.ts) applies to them. @module */
import { z } from 'zod'
import { blockMsAfter, triesLeft } from '../accounts/pin-attempts.ts'
import type { ProofVersion } from './login-events.ts'

/** The most attempts that await their outcome. If a process dies, its outcomes never arrive; new attempts then displace the oldest ones. */
const MAX_COMPARING = 8

/** Facts that are columns of the row. While the actor is at rest they are stored there only. */
export const loginColumns = z.strictObject({
  /** attempts reserved since the last correct PIN */
  attempts: z.int().nonnegative(),
  /** Unix ms of the end of the block; 0: not blocked */
  blockedUntil: z.int().nonnegative(),
  /** Unix ms from which the account may be deleted; null: the account is kept. A new account is kept from its first use on */
  deleteAt: z.int().nullable(),
})

/** All other facts: small, and free of secrets. */
export const loginFacts = z.strictObject({
  /** the record holds a device key; it cannot be replaced */
  isDeviceBound: z.boolean(),
  /** numbers of the attempts whose PIN is being compared with the current record, oldest first */
  comparing: z.array(z.int().positive()).max(MAX_COMPARING),
  /** Unix ms; null: none is pending */
  challengeEndsAt: z.int().nullable(),
  /** Unix ms; null: none is pending */
  commitmentEndsAt: z.int().nullable(),
})

export type LoginColumns = Readonly<z.output<typeof loginColumns>>
export type LoginFacts = Readonly<z.output<typeof loginFacts>>
export type LoginContext = LoginColumns & LoginFacts
export type LoginInput = { readonly isDeviceBound: boolean }

export type Timed = { readonly at: number }
export type Answer = Timed & { readonly isRightChallenge: boolean }
export type SentPin = Timed & { readonly isSignedByDevice: boolean }
export type Attempt = { readonly attempt: number }
export type Refusal = Attempt & { readonly triesLeft: number }
export type Version = { readonly version: ProofVersion }

const DAY_MS = 24 * 3_600_000

/** How long a new account is kept that is never used. */
export const UNUSED_DAYS = 30

/** When an account that was registered, warned or disabled now may be deleted.
 *  @returns Unix ms */
export function deletionAt(now: number, deleteDays: number): number {
  return now + deleteDays * DAY_MS
}

export function isOpen({ blockedUntil }: LoginContext, { at }: Timed): boolean {
  return at >= blockedUntil
}

/** True for the right answer to the pending challenge of an account that is not blocked. The answer also consumes an attempt. */
export function isAnswer(context: LoginContext, answer: Answer): boolean {
  return context.challengeEndsAt !== null && isOpen(context, answer) && answer.isRightChallenge
}

/** A PIN without the signature of the registered device is not compared: the answer would let any caller test the PIN. */
export function isSignedAsBound(context: LoginContext, sent: SentPin): boolean {
  return isOpen(context, sent) && sent.isSignedByDevice === context.isDeviceBound
}

export function isLastTry({ attempts }: LoginContext): boolean {
  return triesLeft(attempts + 1) === 0
}

export function isCompared({ comparing }: LoginContext, { attempt }: Attempt): boolean {
  return comparing.includes(attempt)
}

/** Counts the attempt, and starts the block if there is one, before the PIN is compared. */
export function reserved(
  { attempts, comparing }: LoginContext,
  { attempt, at }: Attempt & Timed,
): Partial<LoginContext> {
  const blockMs = blockMsAfter(attempts + 1)
  return {
    attempts: attempts + 1,
    blockedUntil: blockMs === 0 ? 0 : at + blockMs,
    comparing: [...comparing, attempt].slice(-MAX_COMPARING),
  }
}
