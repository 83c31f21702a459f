/** What must hold of an account of a keyshare server, whoever asks whichever node: the secret stays, a challenge is taken once, a commitment is answered once and in
 *  time, a token ends with the PIN that it was given for, and an account is gone once it is deleted. What holds of attempts at the PIN: `attempt-laws.ts`. @module */
import { type Answered, isUnknown, lastEnd, wrongAttempts } from './attempt-laws.ts'
import type { LoginLine } from './lines.ts'

/** The lifetime of a commitment (decisions: lifetimes). */
const COMMITMENT_MS = 20_000
/** The most by which the clocks of nodes differ. */
const SKEW_MS = 1_000

/** @param lines of one account
 *  @returns what is wrong, in words */
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

/** An attempt takes its challenge: no other answer to it is compared. */
function taken(answered: readonly Answered[]): readonly string[] {
  const compared = answered.flatMap(({ asked, answer }) =>
    asked.name === 'pin' && (answer.outcome === 'right' || answer.outcome === 'wrong')
      ? [asked.challenge]
      : [],
  )
  const twice = compared.length - new Set(compared).size
  return twice === 0 ? [] : [`challenge: expected one attempt at each, got ${twice} more`]
}

function isResponse({ asked, answer }: Answered): boolean {
  return asked.name === 'response' && answer.status === 200
}

/** Between two commitments there is one response at most, and no response comes twice. */
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

/** A response follows a commitment that is not over. */
function inTime(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const asked = lines.filter(({ asked: { name } }) => name === 'commitments')
  return answered.filter(isResponse).flatMap(({ begunAt, endedAt }) => {
    const from = begunAt - COMMITMENT_MS - SKEW_MS
    const isThere = asked.some(each => each.begunAt <= endedAt && lastEnd(each) >= from)
    return isThere ? [] : ['commitment: expected no response after its end, got one']
  })
}

/** The right old PIN ends every token that was there before. */
function tokens(answered: readonly Answered[]): readonly string[] {
  const changes = answered.filter(
    ({ asked, answer }) => asked.name === 'change' && answer.outcome === 'right',
  )
  return answered.flatMap(({ asked, answer, begunAt }) => {
    if ((asked.name !== 'commitments' && asked.name !== 'response') || answer.status !== 200) return []
    const { tokenAt = Number.POSITIVE_INFINITY } = asked
    const isOver = changes.some(change => tokenAt < change.begunAt && change.endedAt < begunAt)
    return isOver
      ? [`token: expected none to be good for ${asked.name} after a change of the PIN, got one`]
      : []
  })
}

/** An account is there until its owner deletes it, and not from then on. */
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
      return [`account: expected it to be known to ${asked.name}, got ${answer.error}`]
    return []
  })
}
