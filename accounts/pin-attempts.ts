/** The limit of PIN attempts (spec/decisions#k13): three, then one after each block. A block lasts 60 s at first and doubles up to 24 h. Only a right PIN resets the
 *  counter; time does not. Every attempt is counted before its PIN is compared, and all kinds of requests share one counter. @module */
import type { PinRefusal } from '../protocol/keyshare/answers.ts'

/** The number of attempts before the first block; the last of them starts the block. */
export const FREE_TRIES = 3
const FIRST_BLOCK_MS = 60_000
export const LONGEST_BLOCK_MS = 24 * 3_600_000

/** @param attempts number since the last right PIN, including this one
 *  @returns the length of the block that starts now; 0: none */
export function blockMsAfter(attempts: number): number {
  if (attempts < FREE_TRIES) return 0
  return Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** (attempts - FREE_TRIES))
}

/** @returns the number of attempts left before a block; 0: the account is blocked */
export function triesLeft(attempts: number): number {
  return Math.max(0, FREE_TRIES - attempts)
}

/** The answer to a refused attempt: the PIN was wrong, or the account is blocked and the PIN was not compared.
 *  @param attempts number since the last right PIN, including this one if it was counted
 *  @param blockedUntil Unix ms of the end of the block, if there is one
 *  @param at Unix ms of the answer. A slow answer may be sent after the end of the block. Its wait is 1 s then, because wallet apps treat a wait of 0 as a wrong PIN */
export function pinRefusal(attempts: number, blockedUntil: number, at: number): PinRefusal {
  const left = triesLeft(attempts)
  if (left > 0) return { status: 'failure', triesLeft: left }
  return { status: 'error', waitSec: Math.max(1, Math.ceil((blockedUntil - at) / 1_000)) }
}
