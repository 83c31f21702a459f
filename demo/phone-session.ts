/** One session on the phone, and the sessions chained to it: the screens from pointer to end, and the answers of the user: consent, PIN or refusal. @module */
import type {
  Consent,
  ConsentQuestion,
  SessionHandlers,
  SessionOutcome,
} from '../libraries/wallet/session.ts'
import {
  type AttributeView,
  type DoneView,
  endState,
  type PhoneState,
  type QuestionView,
} from './phone-view.ts'
import { createScreen, type Timers, type VersionedState } from './screen.ts'

export type PhoneSession = {
  /** Waits for the next screen, or returns the current one after `ms`; see screen.ts. */
  next(after: number, ms: number): Promise<VersionedState<PhoneState>>
  /** Discloses the chosen candidates, one per item, and signs or receives as the question says. @returns false if there is no question */
  answer(choices: readonly number[]): boolean
  /** Answers the question for the PIN. @returns false if no PIN is requested */
  typePin(pin: string): boolean
  /** Refuses, at any time: nothing more is disclosed, and the session server is notified. */
  refuse(): void
}

/** One question at a time, pending until it is answered. */
type Pending<Given> = {
  ask(): Promise<Given>
  /** @returns false if no question is pending */
  settle(given: Given): boolean
}

function pending<Given>(): Pending<Given> {
  let settle: ((given: Given) => void) | null = null
  return {
    ask: () =>
      new Promise(resolve => {
        settle = resolve
      }),
    settle(given) {
      if (!settle) return false
      settle(given)
      settle = null
      return true
    },
  }
}

/** @param answer the wallet's side of the session, from its pointer to its end
 *  @param view converts a question to texts */
export function startPhoneSession(
  host: string,
  answer: (handlers: SessionHandlers) => Promise<SessionOutcome>,
  view: (question: ConsentQuestion) => QuestionView,
  timers: Timers,
): PhoneSession {
  const screen = createScreen<PhoneState>({ screen: 'connecting', host }, timers)
  const leaving = new AbortController()
  const [consents, pins] = [pending<Consent>(), pending<string | null>()]
  let asked: QuestionView | null = null
  let done: DoneView = { shared: [], hasSigned: false, received: [] }
  const handlers: SessionHandlers = {
    consent(asking) {
      asked = view(asking)
      screen.show({ screen: 'consent', host, ...asked })
      return consents.ask()
    },
    pin({ triesLeft }) {
      screen.show({ screen: 'pin', host, triesLeft })
      return pins.ask()
    },
    pairing: code => screen.show({ screen: 'pairing', host, code }),
    signal: leaving.signal,
  }
  answer(handlers).then(
    outcome => screen.show(endState(host, outcome, done, asked?.canAnswer ?? true)),
    () => screen.show(broken(host)),
  )
  return {
    next: screen.next,
    answer(choices) {
      if (!asked || !consents.settle({ answer: 'disclose', choices })) return false
      done = withAnswer(done, asked, choices)
      screen.show({ screen: 'sending', host })
      return true
    },
    typePin(pin) {
      if (!pins.settle(pin)) return false
      screen.show({ screen: 'sending', host })
      return true
    },
    refuse() {
      consents.settle({ answer: 'refuse' })
      pins.settle(null)
      leaving.abort()
    },
  }
}

function broken(host: string): PhoneState {
  const reason = 'The wallet could not go on.'
  return { screen: 'failed', host, returnUrl: null, hasDone: false, blockedSec: null, reason }
}

/** Adds an answer to the summary. Later sessions of a chain disclose earlier attributes again; those count once. */
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
