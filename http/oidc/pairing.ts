/** POST /sign-in/{uid}/pairing: the user types the code that the wallet app shows. This server compares it. The
 *  browser may belong to another person, who does not see the screen of the phone. @module */
import type { Context } from 'koa'
import { InvalidRequestError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { mapShapeErrors, readObject, readString, readText } from '../../protocol/shape.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { isSameSecret } from '../secrets.ts'
import type { InteractionDeps } from './deps.ts'
import { interactionOf, runningLogin, secondsLeft } from './interaction.ts'

/** A code has 10,000 values, so one session takes few guesses. */
const MAX_WRONG_CODES = 3

export function pair(deps: InteractionDeps): (ctx: Context, found: null, body: Uint8Array) => Promise<void> {
  const { logins, disclosures } = deps
  return async (ctx, _found, body) => {
    const interaction = await interactionOf(ctx, deps)
    const typed = codeIn(body)
    const running = await runningLogin(interaction, deps)
    if (running?.session.status !== 'PAIRING')
      throw new UnexpectedRequestError('pairing: expected a session that waits for a code, got another one')
    const { login, session } = running
    const { state } = login
    const isRight = state.pairingCode !== null && isSameSecret(typed, state.pairingCode)
    if (isRight) {
      await disclosures.pair(session)
      return answerJson(ctx, { isRight, isOver: false })
    }
    const wrongCodes = state.wrongCodes + 1
    await logins.upsert(
      interaction.uid,
      { ...login, state: { ...state, wrongCodes } },
      secondsLeft(interaction, deps),
    )
    const isOver = wrongCodes >= MAX_WRONG_CODES
    if (isOver) await disclosures.cancel(session)
    answerJson(ctx, { isRight, isOver })
  }
}

/** @throws {InvalidRequestError} */
function codeIn(body: Uint8Array): string {
  return mapShapeErrors(InvalidRequestError, () => {
    const { code } = readObject(readText(textOf(body, InvalidRequestError)), 'pairing')
    return readString(code, 'code')
  })
}
