/** What must hold of an account of a keyshare server, whoever asks whichever node: attempts are counted, the secret stays, a challenge is taken once, and a commitment
 *  is answered once. @module */
import type { LoginAnswer, LoginLine } from './lines.ts'

type Answered = LoginLine & { readonly answer: LoginAnswer }

/** A block begins with the third attempt. */
const TRIES = 3

/** @param lines of one account
 *  @returns what is wrong, in words */
export function wrongAccount(lines: readonly LoginLine[]): readonly string[] {
  const answered = lines.flatMap(line => (line.answer === null ? [] : [{ ...line, answer: line.answer }]))
  return [
    ...secrets(answered),
    ...taken(answered),
    ...responses(lines, answered),
    ...attempts(lines, answered),
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

/** Between two commitments there is one response at most, and no response comes twice. */
function responses(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const given = answered
    .filter(({ asked, answer }) => asked.name === 'response' && answer.status === 200)
    .sort((a, b) => a.begunAt - b.begunAt)
  const asked = lines.filter(({ asked: { name } }) => name === 'commitments')
  const wrong: string[] = []
  for (const [index, first] of given.entries())
    for (const second of given.slice(index + 1)) {
      const [from, to] = [Math.min(first.begunAt, second.begunAt), Math.max(first.endedAt, second.endedAt)]
      const between = asked.some(({ begunAt, endedAt, answer }) => {
        const lastEnd = answer === null || answer.status === 503 ? Number.POSITIVE_INFINITY : endedAt
        return begunAt <= to && lastEnd >= from
      })
      if (!between) wrong.push('commitment: expected one response, got two')
    }
  return wrong
}

/** Nobody has more tries than the latest wrong PIN has left, before the PIN was right. */
function attempts(lines: readonly LoginLine[], answered: readonly Answered[]): readonly string[] {
  const pins = answered.filter(({ asked }) => asked.name === 'pin').sort((a, b) => a.begunAt - b.begunAt)
  const wrong: string[] = []
  for (const { asked, answer } of pins) {
    const isRight = asked.name === 'pin' && asked.isRight
    if (answer.outcome === 'right' && !isRight) wrong.push('attempt: expected a wrong PIN to be refused')
    if (answer.outcome === 'wrong' && isRight) wrong.push('attempt: expected the right PIN to be taken')
  }
  for (const one of pins) {
    if (one.answer.outcome !== 'wrong') continue
    if ((one.answer.number ?? 0) >= TRIES) wrong.push(`attempt: expected less than ${TRIES} tries left`)
    const before = pins.findLast(({ endedAt, answer }) => endedAt < one.begunAt && answer.outcome === 'wrong')
    if (!before || isReset(lines, before, one)) continue
    const [had, has] = [before.answer.number ?? 0, one.answer.number ?? 0]
    if (has >= had) wrong.push(`attempt: expected less than ${had} tries left, got ${has}`)
  }
  return wrong
}

/** Whether the right PIN may have set the counter back between the two. */
function isReset(lines: readonly LoginLine[], before: Answered, after: Answered): boolean {
  return lines.some(({ asked, answer, begunAt, endedAt }) => {
    if (asked.name !== 'pin' || !asked.isRight) return false
    const isUnknown = answer === null || answer.status !== 200
    const lastEnd = isUnknown ? Number.POSITIVE_INFINITY : endedAt
    const mayBeRight = isUnknown || answer.outcome === 'right'
    return mayBeRight && begunAt <= after.endedAt && lastEnd >= before.begunAt
  })
}
