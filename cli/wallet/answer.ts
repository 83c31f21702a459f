/** `svc wallet answer`: the consent screen of a wallet app as questions in the terminal. @module */
import { createInterface } from 'node:readline'
import type { Candidate, ItemCandidates } from '../../wallet/candidates.ts'
import {
  answerSession,
  type Consent,
  type ConsentQuestion,
  type SessionOutcome,
} from '../../wallet/session.ts'
import { systemClock } from '../clock.ts'
import type { AnswerFlags } from '../wallet.ts'
import { print, withWallet } from './folder.ts'

const REFUSE: Consent = { answer: 'refuse' }

/** @throws {Error} when the session did not end as the user decided */
export async function answer(pointer: string, flags: AnswerFlags): Promise<void> {
  const left = new AbortController()
  process.once('SIGINT', () => left.abort())
  const outcome = await withWallet(flags, (wallet, { randomBytes }) =>
    answerSession({ wallet, fetch, clock: systemClock, randomBytes }, pointer, {
      consent: question => decide(question, flags),
      pairing: code => print(`Pairing code: ${code}`),
      signal: left.signal,
    }),
  )
  report(outcome)
}

function report(outcome: SessionOutcome): void {
  switch (outcome.status) {
    case 'success':
      print('Disclosed: the proofs are valid.')
      break
    case 'cancelled':
      print('Refused.')
      break
    case 'failed':
      throw new Error(`${outcome.reason}: ${outcome.message}`)
  }
  if (outcome.clientReturnUrl !== null) print(`Go on at: ${outcome.clientReturnUrl}`)
}

/** @throws {Error} if the wallet lacks what is asked */
async function decide(question: ConsentQuestion, { yes, refuse }: AnswerFlags): Promise<Consent> {
  const { items, isSatisfiable } = question.candidates
  print(`${question.requestorHost} asks:`)
  for (const [index, item] of items.entries()) describe(index, item)
  if (refuse) return REFUSE
  if (!isSatisfiable) throw new Error('the wallet lacks what is asked; the session is cancelled')
  return yes ? { answer: 'disclose', choices: items.map(() => 0) } : ask(items)
}

function describe(index: number, { candidates, missing }: ItemCandidates): void {
  print(`${index + 1}.`)
  for (const [number, candidate] of candidates.entries()) print(`   ${number + 1}) ${inWords(candidate)}`)
  if (candidates.length > 0) return
  for (const lacking of missing) print(`   missing: ${lacking.join(', ')}`)
}

function inWords({ attributes }: Candidate): string {
  if (attributes.length === 0) return 'nothing'
  return attributes.map(({ id, value }) => `${id} = ${value ?? '(none)'}`).join(', ')
}

/** One choice for each item that has several, then consent. Anything but a clear yes refuses, also the end of standard input. */
async function ask(items: readonly ItemCandidates[]): Promise<Consent> {
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  const reply = async (question: string): Promise<string> => {
    process.stderr.write(question)
    const line = await lines.next()
    return line.done ? '' : line.value.trim()
  }
  try {
    const choices: number[] = []
    for (const [
      index,
      {
        candidates: { length },
      },
    ] of items.entries()) {
      const choice = length > 1 ? Number(await reply(`Choice for ${index + 1} (1-${length}): `)) : 1
      if (!(Number.isInteger(choice) && choice >= 1 && choice <= length)) return REFUSE
      choices.push(choice - 1)
    }
    return /^y(es)?$/i.test(await reply('Disclose? (yes/no): ')) ? { answer: 'disclose', choices } : REFUSE
  } finally {
    terminal.close()
  }
}
