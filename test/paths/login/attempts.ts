/** Attempts at a PIN whose calls wait for their outcome. The outcome in the path decides which call an attempt makes. @module */
import * as assert from 'uvu/assert'
import { getNextSnapshot } from 'xstate'
import type { Answer } from '../../http/client.ts'
import { said, WRONG_PIN } from '../../http/keyshare/app.ts'
import type { Edge } from '../engine/graph.ts'
import { until } from '../until.ts'
import { type AccountSnapshot, accountModel, attemptOf, type OutcomeType, type PathEvent } from './account.ts'
import { changePin, changePinPlainly, login, plainLogin, registerKey, type User } from './calls.ts'
import type { HeldOutcome, LoginServer } from './server.ts'

export type Reserving = Extract<PathEvent, { readonly type: 'app.answered' | 'app.sentPin' }>

/** A reserved attempt: its call is held before the turn of its outcome. */
type Waiting = HeldOutcome & {
  readonly answer: Promise<Answer>
  /** true if a commit records the outcome; a wrong PIN outside a login is only answered */
  readonly isStored: boolean
  /** true if the call registers the key that is already registered: the right PIN then causes no login */
  readonly isKeyAgain: boolean
}

type Ended = Pick<Waiting, 'isStored' | 'isKeyAgain'> & { readonly answer: Answer }

/** The right PIN, its replacement, and the challenge. */
type PinsAndChallenge = { readonly pin: string; readonly newPin: string; readonly challenge: string }

/** For each step of a path, the outcome of the attempt that it reserves, or null. */
export function fatesOf(
  first: AccountSnapshot,
  steps: readonly Edge<PathEvent, unknown>[],
): (OutcomeType | null)[] {
  const fates: (OutcomeType | null)[] = steps.map(() => null)
  const reservedBy = new Map<number, number>()
  let model = first
  for (const [i, { event, isAccepted }] of steps.entries()) {
    if (!isAccepted) continue
    if ('of' in event) fates[reservedBy.get(attemptOf(model.context, event.of)) ?? -1] = event.type
    model = getNextSnapshot(accountModel, model, event)
    reservedBy.set(model.context.version, i)
  }
  return fates
}

export class Attempts {
  readonly #server: LoginServer
  readonly #user: User
  readonly #waiting = new Map<number, Waiting>()

  constructor(server: LoginServer, user: User) {
    this.#server = server
    this.#user = user
  }

  /** Makes the call of an attempt, and waits until its PIN was compared. */
  async begin(
    number: number,
    event: Reserving,
    fate: OutcomeType | null,
    words: PinsAndChallenge,
  ): Promise<void> {
    const { held } = this.#server
    const answer = this.#call(event, fate, words)
    const early: Answer[] = []
    void answer.then(given => early.push(given))
    await until(() => held.length > 0 || early.length > 0)
    assert.equal(early.map(said), [], 'answers before the outcome of the attempt')
    const isChange = event.type === 'app.sentPin' && event.isSignedByDevice
    const isStored = !(isChange && fate === 'server.refusedPin')
    const isKeyAgain = isChange && fate === 'server.acceptedPin'
    for (const outcome of held.splice(0))
      this.#waiting.set(number, { ...outcome, answer, isStored, isKeyAgain })
  }

  #call(event: Reserving, fate: OutcomeType | null, { pin, newPin, challenge }: PinsAndChallenge) {
    const [server, user] = [this.#server, this.#user]
    const isWrong = fate === 'server.refusedPin'
    const sent = isWrong ? WRONG_PIN : pin
    if (event.type === 'app.answered') return login(server, user, challenge, sent)
    if (event.isSignedByDevice)
      return fate === 'server.acceptedPin'
        ? registerKey(server, user, pin)
        : changePin(server, user, sent, newPin)
    if (fate === 'server.registeredKey') return registerKey(server, user, pin)
    const isLogin = isWrong || fate === 'server.acceptedPin'
    return isLogin ? plainLogin(server, user, sent) : changePinPlainly(server, user, pin, newPin)
  }

  /** Releases the outcome of an attempt.
   *  @returns null if no call has that outcome */
  async end(number: number, type: OutcomeType): Promise<Ended | null> {
    const waiting = this.#waiting.get(number)
    if (waiting?.type !== type) return null
    this.#waiting.delete(number)
    waiting.release()
    const { isStored, isKeyAgain } = waiting
    return { answer: await waiting.answer, isStored, isKeyAgain }
  }

  /** Releases attempts that the account no longer stores. They have no outcome: their calls get the error for a missing challenge. */
  async endOthers(comparing: readonly number[]): Promise<void> {
    for (const [number, { release, answer }] of this.#waiting) {
      if (comparing.includes(number)) continue
      this.#waiting.delete(number)
      release()
      assert.match(said(await answer), /^409 MISSING_CHALLENGE/, 'the answer to a dropped attempt')
    }
  }

  /** Releases all calls at the end of the path. */
  async close(): Promise<void> {
    for (const { release, answer } of this.#waiting.values()) {
      release()
      await answer
    }
  }
}
