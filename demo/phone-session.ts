/** One session on the phone: what its screen shows, as the wallet goes from pointer to end, and the two answers its user can give. @module */
import type { Consent, ConsentQuestion, SessionHandlers, SessionOutcome } from '../wallet/session.ts'
import { type AttributeView, endState, type ItemView, type PhoneState } from './phone-view.ts'
import { createScreen, type Shown, type Timers } from './screen.ts'

export type PhoneSession = {
  /** The next screen, or after `ms` the same; see screen.ts. */
  next(after: number, ms: number): Promise<Shown<PhoneState>>
  /** Share what was chosen, a candidate per item. @returns false: nothing is being asked */
  answer(choices: readonly number[]): boolean
  /** At any time: nothing is shared, and the session server is told. */
  refuse(): void
}

/** @param answer the wallet's side of the session, from its pointer to its end
 *  @param view the question in words */
export function startPhoneSession(
  host: string,
  answer: (handlers: SessionHandlers) => Promise<SessionOutcome>,
  view: (question: ConsentQuestion) => readonly ItemView[],
  timers: Timers,
): PhoneSession {
  const screen = createScreen<PhoneState>({ screen: 'connecting', host }, timers)
  const leaving = new AbortController()
  let shared: readonly AttributeView[] = []
  let asked: { items: readonly ItemView[]; decide: (consent: Consent) => void } | null = null

  function consent(question: ConsentQuestion): Promise<Consent> {
    const items = view(question)
    screen.show({ screen: 'consent', host, items, canAnswer: question.candidates.isSatisfiable })
    return new Promise(decide => {
      asked = { items, decide }
    })
  }
  const pairing = (code: string): void => screen.show({ screen: 'pairing', host, code })

  answer({ consent, pairing, signal: leaving.signal }).then(
    outcome => screen.show(endState(host, outcome, shared)),
    () => screen.show({ screen: 'failed', host, reason: 'The wallet could not go on.' }),
  )

  return {
    next: screen.next,
    answer(choices) {
      if (!asked) return false
      const { items, decide } = asked
      asked = null
      shared = chosen(items, choices)
      screen.show({ screen: 'sending', host })
      decide({ answer: 'disclose', choices })
      return true
    },
    refuse() {
      asked?.decide({ answer: 'refuse' })
      asked = null
      leaving.abort()
    },
  }
}

function chosen(items: readonly ItemView[], choices: readonly number[]): AttributeView[] {
  const candidates = items.flatMap((item, i) => item.candidates[choices[i] ?? -1] ?? [])
  return candidates.flatMap(({ cards }) => cards).flatMap(({ attributes }) => attributes)
}
