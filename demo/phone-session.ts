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
  /** What was typed on the pad. @returns false: no PIN is being asked for */
  typePin(pin: string): boolean
  /** At any time: nothing more is shared, and the session server is told. */
  refuse(): void
}

/** One question at a time, until somebody answers it. */
type Pending<Given> = {
  ask(): Promise<Given>
  /** @returns false: nothing is being asked */
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
 *  @param view the question in words */
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
