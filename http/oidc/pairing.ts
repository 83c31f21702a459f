/** POST /sign-in/{uid}/pairing: the user types the code that the wallet app shows. This server compares it. The
 *  browser may belong to another person, who does not see the screen of the phone. @module */
import type { Context } from 'koa'
import { AlreadyConsumedError } from '../../actors/oidc/records.ts'
import { InvalidRequestError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { mapShapeErrors, readObject, readString, readText } from '../../protocol/shape.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { isSameSecret } from '../secrets.ts'
import type { InteractionDeps } from './deps.ts'
import {
  type Interaction,
  interactionOf,
  type RunningLogin,
  runningLogin,
  secondsLeft,
} from './interaction.ts'

/** The most codes that a user may type for one session: a code has only 10,000 values. */
const MAX_TRIES = 3

export function pair(deps: InteractionDeps): (ctx: Context, found: null, body: Uint8Array) => Promise<void> {
  return async (ctx, _found, body) => {
    const interaction = await interactionOf(ctx, deps)
    const typed = codeIn(body)
    const running = await runningLogin(interaction, deps)
    if (isRepeated(running, typed)) return answerJson(ctx, { isRight: true, isOver: false })
    if (running?.session.status !== 'PAIRING')
      throw new UnexpectedRequestError('pairing: expected a session that waits for a code, got another one')
    const { login, session } = running
    const { pairingCode, requestorToken } = login.state
    const tryNumber = await nextTry(requestorToken, interaction, deps)
    const isRight = tryNumber !== null && pairingCode !== null && isSameSecret(typed, pairingCode)
    const isOver = !isRight && (tryNumber === null || tryNumber === MAX_TRIES)
    if (isRight) await session.pair()
    else if (isOver) await session.cancel()
    answerJson(ctx, { isRight, isOver })
  }
}

/** True if the browser has sent the right code already, and sends it again because the answer got lost. */
function isRepeated(running: RunningLogin | null, typed: string): boolean {
  const { status } = running?.session ?? {}
  const code = running?.login.state.pairingCode ?? null
  return (status === 'CONNECTED' || status === 'DONE') && code !== null && isSameSecret(typed, code)
}

/** Counts this try before its code is compared, so that many calls at once get no more tries.
 *  @param requestorToken of the session: a new session has a new code, and new tries
 *  @returns its number; null: there is none left */
async function nextTry(
  requestorToken: string,
  interaction: Pick<Interaction, 'exp'>,
  deps: Pick<InteractionDeps, 'pairingTries' | 'clock'>,
): Promise<number | null> {
  for (let number = 1; number <= MAX_TRIES; number++)
    try {
      await deps.pairingTries.upsert(`${requestorToken} ${number}`, {}, secondsLeft(interaction, deps))
      return number
    } catch (error) {
      if (!(error instanceof AlreadyConsumedError)) throw error
    }
  return null
}

/** @throws {InvalidRequestError} */
function codeIn(body: Uint8Array): string {
  return mapShapeErrors(InvalidRequestError, () => {
    const { code } = readObject(readText(textOf(body, InvalidRequestError)), 'pairing')
    return readString(code, 'code')
  })
}
