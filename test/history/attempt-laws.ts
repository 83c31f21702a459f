/** The laws of the attempts at the PIN of an account, at a login or at a change of the PIN, for any client and any node. Each attempt is counted before the PIN is
 *  compared. There are at most three, none is compared while the account is blocked, and only the right PIN restores them. @module */
import type { LoginAnswer, LoginLine } from './lines.ts'

export type Answered = LoginLine & { readonly answer: LoginAnswer }

/** A block begins with the third attempt. */
const TRIES = 3
/** The largest difference between the clocks of nodes. */
const SKEW_MS = 1_000

/** True if it is unknown whether the call was handled, or will be. */
export function isUnknown({ answer }: LoginLine): boolean {
  return answer === null || answer.status === 503
}

/** The last moment at which the call can have had its effect. */
export function lastEnd(line: LoginLine): number {
  return isUnknown(line) ? Number.POSITIVE_INFINITY : line.endedAt
}

/** True if the PIN of an attempt was right; null if the call is no attempt. */
function isRightPin({ asked }: LoginLine): boolean | null {
  return asked.name === 'pin' || asked.name === 'change' ? asked.isRight : null
}

/** @param lines of one account
 *  @returns violations, in words */
export function wrongAttempts(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const attempts = answered
    .filter(line => isRightPin(line) !== null)
    .sort((one, other) => one.begunAt - other.begunAt)
  const resets = lines.filter(isReset)
  return [...outcomes(attempts), ...counts(attempts, resets), ...blocks(attempts, resets)]
}

/** True if the call may have restored all tries. */
function isReset(line: LoginLine): boolean {
  if (isRightPin(line) !== true) return false
  return line.answer === null || line.answer.status !== 200 || line.answer.outcome === 'right'
}

function outcomes(attempts: readonly Answered[]): readonly string[] {
  return attempts.flatMap(line => {
    const { outcome } = line.answer
    if (outcome === 'right' && !isRightPin(line)) return ['attempt: expected a wrong PIN to be refused']
    if (outcome === 'wrong' && isRightPin(line)) return ['attempt: expected the right PIN to be accepted']
    return []
  })
}

/** Each number of tries is less than the one before, unless the right PIN may have been given between them. */
function counts(attempts: readonly Answered[], resets: readonly LoginLine[]): readonly string[] {
  const told = attempts.flatMap(({ begunAt, endedAt, answer: { outcome, number = 0 } }) =>
    outcome === 'wrong' ? [{ begunAt, endedAt, number }] : [],
  )
  return told.flatMap(({ begunAt, endedAt, number }, index) => {
    if (number >= TRIES) return [`attempt: expected less than ${TRIES} tries left`]
    const earlier = told.slice(0, index).filter(other => {
      const isBefore = other.endedAt < begunAt
      if (isBefore ? number < other.number : number !== other.number) return false
      const [from, to] = [Math.min(begunAt, other.begunAt), Math.max(endedAt, other.endedAt)]
      return !resets.some(reset => reset.begunAt <= to && lastEndOfReset(reset) >= from)
    })
    const [before] = earlier
    return before ? [`attempt: expected less than ${before.number} tries left, got ${number}`] : []
  })
}

/** Only 200 is the answer of the attempt itself. After any other answer, an earlier HTTP request of the same call may still take effect later. */
function lastEndOfReset(line: LoginLine): number {
  return line.answer?.status === 200 ? line.endedAt : Number.POSITIVE_INFINITY
}

/** While an account is blocked no attempt is compared or counted. An attempt that began before the block may still end it with the right PIN. */
function blocks(attempts: readonly Answered[], resets: readonly LoginLine[]): readonly string[] {
  const blocked = attempts.filter(({ answer }) => answer.outcome === 'blocked')
  return blocked.flatMap(({ begunAt, endedAt, answer: { number = 0 } }) => {
    const isLifted = resets.some(reset => reset.begunAt <= endedAt && lastEndOfReset(reset) >= begunAt)
    if (isLifted) return []
    const [leastEnd, mostEnd] = [begunAt + (number - 1) * 1_000 - SKEW_MS, endedAt + number * 1_000 + SKEW_MS]
    const within = attempts.filter(other => other.begunAt > endedAt && other.endedAt < leastEnd)
    return within.flatMap(({ begunAt: at, answer }) => {
      if (answer.outcome === 'right' || answer.outcome === 'wrong')
        return [`block: expected no PIN to be compared for ${number} s, got one that was ${answer.outcome}`]
      const isLonger = answer.outcome === 'blocked' && at + ((answer.number ?? 0) - 1) * 1_000 > mostEnd
      return isLonger ? [`block: expected no attempt to be counted for ${number} s, got one`] : []
    })
  })
}
