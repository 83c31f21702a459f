/** The laws of an account of a keyshare server, for any client and any node. The secret stays the same. A challenge is used once, and a commitment is answered once and in
 *  time. A token ends at the next change of the PIN, and a deleted account is unknown. The laws of attempts at the PIN are in `attempt-laws.ts`. @module */
import { type Answered, isUnknown, lastEnd, wrongAttempts } from './attempt-laws.ts'
import type { LoginLine } from './lines.ts'

/** The lifetime of a commitment (spec/decisions#lifetimes). */
const COMMITMENT_MS = 20_000
/** The largest difference between the clocks of nodes. */
const SKEW_MS = 1_000

/** @param lines of one account
 *  @returns violations, in words */
export function wrongAccount(lines: readonly LoginLine[]): readonly string[] {
  const answered = lines.flatMap(line => (line.answer === null ? [] : [{ ...line, answer: line.answer }]))
  return [
    ...secrets(answered),
    ...taken(answered),
    ...responses(lines, answered),
    ...inTime(lines, answered),
    ...wrongAttempts(lines, answered),
    ...tokens(answered),
    ...existence(lines, answered),
  ]
}

function secrets(answered: readonly Answered[]): readonly string[] {
  const parts = new Set(answered.flatMap(({ answer }) => answer.P ?? []))
  return parts.size > 1 ? [`P: expected the same at all times, got ${parts.size}`] : []
}

/** An attempt uses up its challenge: the server compares no second answer to that challenge. */
function taken(answered: readonly Answered[]): readonly string[] {
  const compared = answered.flatMap(({ asked, answer }) =>
    asked.name === 'pin' && (answer.outcome === 'right' || answer.outcome === 'wrong')
      ? [asked.challenge]
      : [],
  )
  const twice = compared.length - new Set(compared).size
  return twice === 0 ? [] : [`challenge: expected one attempt for each, got ${twice} too many`]
}

function isResponse({ asked, answer }: Answered): boolean {
  return asked.name === 'response' && answer.status === 200
}

/** Between two commitments there is at most one response, and no response is repeated. */
function responses(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const given = answered.filter(isResponse).sort((a, b) => a.begunAt - b.begunAt)
  const asked = lines.filter(({ asked: { name } }) => name === 'commitments')
  const wrong: string[] = []
  for (const [index, first] of given.entries())
    for (const second of given.slice(index + 1)) {
      const [from, to] = [Math.min(first.begunAt, second.begunAt), Math.max(first.endedAt, second.endedAt)]
      if (!asked.some(each => each.begunAt <= to && lastEnd(each) >= from))
        wrong.push('commitment: expected one response, got two')
    }
  return wrong
}

/** A response follows a commitment that has not expired. */
function inTime(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const asked = lines.filter(({ asked: { name } }) => name === 'commitments')
  return answered.filter(isResponse).flatMap(({ begunAt, endedAt }) => {
    const from = begunAt - COMMITMENT_MS - SKEW_MS
    const isThere = asked.some(each => each.begunAt <= endedAt && lastEnd(each) >= from)
    return isThere ? [] : ['commitment: expected no response after its end, got one']
  })
}

/** A change with the right old PIN ends every earlier token. */
function tokens(answered: readonly Answered[]): readonly string[] {
  const changes = answered.filter(
    ({ asked, answer }) => asked.name === 'change' && answer.outcome === 'right',
  )
  return answered.flatMap(({ asked, answer, begunAt }) => {
    if ((asked.name !== 'commitments' && asked.name !== 'response') || answer.status !== 200) return []
    const { tokenAt = Number.POSITIVE_INFINITY } = asked
    const isOver = changes.some(change => tokenAt < change.begunAt && change.endedAt < begunAt)
    return isOver
      ? [`token: expected ${asked.name} with a token from before a change of the PIN to be refused, got 200`]
      : []
  })
}

/** An account exists until its owner deletes it, and never after that. */
function existence(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const deletions = lines.filter(({ asked: { name } }) => name === 'delete')
  const isDeletedBefore = (at: number): boolean =>
    deletions.some(line => !isUnknown(line) && line.answer?.status === 200 && line.endedAt < at)
  return answered.flatMap(({ asked, answer, begunAt, endedAt }) => {
    if (asked.name === 'delete') return []
    if (answer.status === 200 && isDeletedBefore(begunAt))
      return [`account: expected no answer to ${asked.name} after its deletion, got one`]
    const mayBeGone = deletions.some(line => line.begunAt <= endedAt)
    if (answer.error === 'USER_NOT_REGISTERED' && !mayBeGone)
      return [`account: expected ${asked.name} before its deletion to succeed, got ${answer.error}`]
    return []
  })
}
