/** How often a PIN may be tried (K13): three times, then once after each block, which begins with 60 s and doubles up to 24 h. Only a right PIN sets the
 *  counter back, time never does. Every attempt is counted before its PIN is compared, and whoever asks for whatever draws from the same counter. @module */
import type { PinRefusal } from '../protocol/keyshare/answers.ts'

/** The attempts until the first block: the last of them begins it. */
const FREE_TRIES = 3
const FIRST_BLOCK_MS = 60_000
const LONGEST_BLOCK_MS = 24 * 3_600_000

/** @param attempts counted since the last right PIN, the one that is being counted included
 *  @returns the length of the block that begins with it; 0: none */
export function blockMsAfter(attempts: number): number {
  if (attempts < FREE_TRIES) return 0
  return Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** (attempts - FREE_TRIES))
}

/** @returns the attempts that are left before a block; 0: the account is blocked */
export function triesLeft(attempts: number): number {
  return Math.max(0, FREE_TRIES - attempts)
}

/** What is answered to an attempt that was refused: a wrong PIN, or an account that is blocked, whose PIN nobody compares.
 *  @param attempts counted since the last right PIN, this one included if it was counted
 *  @param blockedUntil Unix ms of the end of the block, if one has begun
 *  @param at Unix ms of the answer. At the end of the block or after it, which a slow answer may be, the wait is 1 s: wallet apps take 0 for a wrong PIN */
export function pinRefusal(attempts: number, blockedUntil: number, at: number): PinRefusal {
  const left = triesLeft(attempts)
  if (left > 0) return { status: 'failure', triesLeft: left }
  return { status: 'error', waitSec: Math.max(1, Math.ceil((blockedUntil - at) / 1_000)) }
}
