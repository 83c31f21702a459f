/** One session on the phone, with those that follow it in a chain: what its screen shows, as the wallet goes from pointer to end, and the two
 *  answers its user can give. @module */
import type { Consent, ConsentQuestion, SessionHandlers, SessionOutcome } from '../wallet/session.ts'
import {
  type AttributeView,
  type DoneView,
  endState,
  type PhoneState,
  type QuestionView,
} from './phone-view.ts'
import { createScreen, type Shown, type Timers } from './screen.ts'

export type PhoneSession = {
  /** The next screen, or after `ms` the same; see screen.ts. */
  next(after: number, ms: number): Promise<Shown<PhoneState>>
  /** Share what was chosen, a candidate per item; sign or receive what the question says. @returns false: nothing is being asked */
  answer(choices: readonly number[]): boolean
  /** At any time: nothing more is shared, and the session server is told. */
  refuse(): void
}

/** @param answer the wallet's side of the session, from its pointer to its end
 *  @param view the question in words */
export function startPhoneSession(
  host: string,
  answer: (handlers: SessionHandlers) => Promise<SessionOutcome>,
  view: (question: ConsentQuestion) => QuestionView,
  timers: Timers,
): PhoneSession {
  const screen = createScreen<PhoneState>({ screen: 'connecting', host }, timers)
  const leaving = new AbortController()
  let couldAnswer = true
  let done: DoneView = { shared: [], hasSigned: false, received: [] }
  let asked: { question: QuestionView; decide: (consent: Consent) => void } | null = null

  function consent(asking: ConsentQuestion): Promise<Consent> {
    const question = view(asking)
    couldAnswer = question.canAnswer
    screen.show({ screen: 'consent', host, ...question })
    return new Promise(decide => {
      asked = { question, decide }
    })
  }
  const pairing = (code: string): void => screen.show({ screen: 'pairing', host, code })

  answer({ consent, pairing, signal: leaving.signal }).then(
    outcome => screen.show(endState(host, outcome, done, couldAnswer)),
    () =>
      screen.show({
        screen: 'failed',
        host,
        returnUrl: null,
        hasDone: false,
        reason: 'The wallet could not go on.',
      }),
  )

  return {
    next: screen.next,
    answer(choices) {
      if (!asked) return false
      const { question, decide } = asked
      asked = null
      done = withAnswer(done, question, choices)
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

/** Later sessions of a chain disclose again what earlier ones did: it counts once. */
function withAnswer(
  done: DoneView,
  { items, kind, offers }: QuestionView,
  choices: readonly number[],
): DoneView {
  const chosen = items
    .flatMap((item, i) => item.candidates[choices[i] ?? -1] ?? [])
    .flatMap(({ cards }) => cards)
    .flatMap(({ attributes }) => attributes)
  const isNew = ({ name, value }: AttributeView): boolean =>
    !done.shared.some(other => other.name === name && other.value === value)
  return {
    shared: [...done.shared, ...chosen.filter(isNew)],
    hasSigned: done.hasSigned || kind === 'signing',
    received: [...done.received, ...offers.map(({ name }) => name)],
  }
}
