/** The acts of the user of a keyshare server in a simulation, drawn from the seed. @module */
import type { Random } from './random.ts'

/** Each step begins with a login if it needs a token and has none. */
export const LOGIN_STEPS = [
  'asks for a response',
  'asks for two responses at once',
  'asks for commitments twice at once',
  'asks for a response late',
  'logs in',
  'guesses',
  'guesses three times at once',
  'guesses until the account is blocked, and goes on',
  'changes the PIN',
  'changes the PIN while a response is asked for',
  'deletes the account',
] as const
export type LoginStep = (typeof LOGIN_STEPS)[number]

export type LoginJourney = {
  readonly name: string
  readonly atMs: number
  readonly steps: readonly LoginStep[]
}

const MOST_STEPS = 8

export function loginJourneyOf(random: Random, name: string, busyMs: number): LoginJourney {
  const length = 2 + random.below(MOST_STEPS - 1)
  return {
    name,
    atMs: Math.round(random.between(0, busyMs)),
    steps: Array.from({ length }, () => random.pick(LOGIN_STEPS)),
  }
}
