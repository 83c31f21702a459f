/** The phone of the tests: this project's wallet, which shows its screens to a test and waits for the test's decisions. @module */
import { EventEmitter, once } from 'node:events'
import { DEMO_CREDENTIALS } from '../../demo/wallet-credentials.ts'
import {
  answerSession,
  type Consent,
  type ConsentQuestion,
  type SessionOutcome,
} from '../../libraries/wallet/session.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { inTime } from '../patience.ts'
import { deps, newWallet } from '../wallet/demo-wallets.ts'

const now = { ...deps, clock: createSystemClock() }

export type Scan = {
  /** the code on the screen that the user types on the page */
  pairingCode(): Promise<string>
  /** Resolves when the user gets a question. */
  asked(): Promise<void>
  /** Agrees to the question. */
  agree(): void
  refuse(): void
  readonly outcome: Promise<SessionOutcome>
}

export type Phone = {
  /** @param text of a QR code or a link */
  scan(text: string): Scan
  close(): Promise<void>
}

export async function startPhone(): Promise<Phone> {
  const wallet = await newWallet(DEMO_CREDENTIALS, true, now)
  return { scan: text => scan({ ...now, wallet, fetch }, text), close: () => wallet.close() }
}

function scan(phone: Parameters<typeof answerSession>[0], text: string): Scan {
  const screen = new EventEmitter()
  let pending: { readonly question: ConsentQuestion; readonly answer: (consent: Consent) => void } | null =
    null
  let code: string | null = null
  const outcome = answerSession(phone, text, {
    pairing: shown => {
      code = shown
      screen.emit('change')
    },
    consent: question =>
      new Promise(answer => {
        pending = { question, answer }
        screen.emit('change')
      }),
  })
  const ended = outcome.then(end => {
    throw new Error(`expected the phone to show something, got ${JSON.stringify(end)}`)
  })
  ended.catch(() => undefined) // a test that waits for a screen gets the error
  const shown = async <Value>(look: () => Value | null): Promise<Value> => {
    for (;;) {
      const value = look()
      if (value !== null) return value
      await inTime(Promise.race([once(screen, 'change'), ended]), 'another screen of the phone')
    }
  }
  const decide = (decision: (question: ConsentQuestion) => Consent): void => {
    if (!pending) throw new Error('expected a question on the phone, got none')
    pending.answer(decision(pending.question))
    pending = null
  }
  return {
    pairingCode: () => shown(() => code),
    asked: async () => void (await shown(() => pending)),
    agree: () => decide(({ candidates: { items } }) => ({ answer: 'disclose', choices: items.map(() => 0) })),
    refuse: () => decide(() => ({ answer: 'refuse' })),
    outcome,
  }
}
