/** `svc wallet answer`: asks in the terminal for consent, as a wallet app does on its screen. @module */

import { CancelledError } from '../../libraries/wallet/failure.ts'
import { refreshWitnesses } from '../../libraries/wallet/refresh.ts'
import {
  answerSession,
  type Consent,
  type ConsentQuestion,
  type SessionOutcome,
} from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import type { Clock } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { decimalIn } from '../decimal.ts'
import { agreementOf, linesOf, successOf } from './consent-text.ts'
import { failureWords } from './failure-words.ts'
import type { AnswerFlags } from './flags.ts'
import { print, withWallet } from './folder.ts'
import { pinOf } from './pin.ts'
import { createTerminal, type Terminal } from './questions.ts'

const DAY_SEC = 24 * 3600
const REFUSE: Consent = { answer: 'refuse' }

/** Answers a session and all sessions chained to it.
 *  @throws {Error} unless the session ended as the user decided */
export async function answer(pointer: string, flags: AnswerFlags): Promise<void> {
  const left = new AbortController()
  process.once('SIGINT', () => left.abort())
  const terminal = createTerminal()
  let agreed: ConsentQuestion | null = null
  await withWallet(flags, async (wallet, { clock, randomBytes }) => {
    const outcome = await answerSession({ wallet, fetch: systemFetch, clock, randomBytes }, pointer, {
      consent: question => {
        if (agreed) print(successOf(agreed))
        agreed = question
        return decide(question, flags, terminal)
      },
      pin: pinOf(flags.pinFile, terminal),
      pairing: code => print(`Pairing code: ${code}`),
      signal: left.signal,
    }).finally(() => terminal.close())
    report(outcome, agreed)
    await keepUpToDate({ wallet, clock, signal: left.signal })
  })
}

/** Updates witnesses once a day, after the session, so that the user does not wait. A failed update is retried the next time. */
async function keepUpToDate(deps: { wallet: Wallet; clock: Clock; signal: AbortSignal }): Promise<void> {
  try {
    await refreshWitnesses({ ...deps, fetch: systemFetch }, DAY_SEC)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
  }
}

function report(outcome: SessionOutcome, agreed: ConsentQuestion | null): void {
  switch (outcome.status) {
    case 'success':
      if (agreed) print(successOf(agreed))
      break
    case 'cancelled':
      print('Refused.')
      break
    case 'failed':
      throw new Error(failureWords(outcome))
  }
  if (outcome.clientReturnUrl !== null) print(`Go on at: ${outcome.clientReturnUrl}`)
}

/** @throws {Error} if the wallet lacks a requested attribute */
async function decide(
  question: ConsentQuestion,
  { yes, refuse }: AnswerFlags,
  terminal: Terminal,
): Promise<Consent> {
  const { items, isSatisfiable } = question.candidates
  for (const line of linesOf(question)) print(line)
  if (refuse) return REFUSE
  if (!isSatisfiable)
    throw new Error(
      'expected credentials that satisfy the request, got a wallet without them: the session is cancelled',
    )
  return yes ? { answer: 'disclose', choices: items.map(() => 0) } : ask(question, terminal)
}

/** Asks for a choice for each item with several candidates, then for consent. Anything except yes refuses, including the end of standard input. */
async function ask(question: ConsentQuestion, terminal: Terminal): Promise<Consent> {
  const choices: number[] = []
  for (const [index, { candidates }] of question.candidates.items.entries()) {
    const { length } = candidates
    const choice = length > 1 ? decimalIn(await terminal.ask(`Choice for ${index + 1} (1-${length}): `)) : 1
    if (!(choice >= 1 && choice <= length)) return REFUSE
    choices.push(choice - 1)
  }
  const agreement = await terminal.ask(`${agreementOf(question)}? (yes/no): `)
  return /^y(es)?$/i.test(agreement) ? { answer: 'disclose', choices } : REFUSE
}
