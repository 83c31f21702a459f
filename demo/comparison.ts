/** Compares two logins. The disclosed attributes should be equal and all other numbers of the proofs different; this is computed, not assumed. @module */
import { z } from 'zod'

const NUMBER = z.string()
const NUMBERS = z.record(z.string(), NUMBER)
const PROOF = z.looseObject({
  A: NUMBER,
  c: NUMBER,
  e_response: NUMBER,
  v_response: NUMBER,
  a_responses: NUMBERS,
  a_disclosed: NUMBERS,
})
/** The submission of a wallet app in a disclosure session, with one card. */
const SUBMISSION = z.looseObject({ proofs: z.tuple([PROOF]) })

export type Login = {
  /** numbers of the proof in Base64, in order, without the disclosed ones */
  readonly numbers: readonly string[]
  /** the submission that the session server received, unchanged */
  readonly sent: object
}

export type Comparison = {
  readonly logins: readonly [Login, Login]
  /** the disclosed attributes are equal, including the type and week of issue of the card */
  readonly isSameShown: boolean
  /** number of undisclosed numbers that occur in both proofs; one of them would prove that both came from one wallet */
  readonly alike: number
}

/** @returns null if one of them is not a submission of one proof */
export function compareLogins(first: unknown, second: unknown): Comparison | null {
  const [one, two] = [SUBMISSION.safeParse(first), SUBMISSION.safeParse(second)]
  if (!one.success || !two.success) return null
  const logins = [loginOf(one.data), loginOf(two.data)] as const
  const [disclosed, again] = [one.data, two.data].map(({ proofs: [{ a_disclosed }] }) => a_disclosed)
  return {
    logins,
    isSameShown: JSON.stringify(disclosed) === JSON.stringify(again),
    alike: logins[0].numbers.filter(number => logins[1].numbers.includes(number)).length,
  }
}

function loginOf(sent: z.infer<typeof SUBMISSION>): Login {
  const [{ A, c, e_response, v_response, a_responses }] = sent.proofs
  return { numbers: [A, c, e_response, v_response, ...Object.values(a_responses)], sent }
}
