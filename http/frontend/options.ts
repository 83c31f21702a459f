/** POST {prefix}/session/{clientToken}/frontend/options (spec/interface#4.4, #2.10): pairing on or off, as often as the frontend likes until the app connects.
 *  Each `pin` makes a new code. @module */
import type { Decide } from '../../actors/sessions.ts'
import { MalformedInputError, SessionUnknownError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { type PairingChoice, parseFrontendOptions, sessionOptions } from '../../protocol/frontend-messages.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerJson } from '../answer.ts'
import type { BodyEndpoint, ServerDeps } from '../deps.ts'
import { textOf } from '../read-body.ts'

type Deps = Pick<ServerDeps, 'sessions' | 'settings' | 'random'>

export function options({ sessions, settings, random }: Deps): BodyEndpoint {
  return async (ctx, session, body) => {
    const profile = profileOf(session, settings)
    const choice = parseFrontendOptions(textOf(body, MalformedInputError), profile)
    const turn = await sessions.turn(session.id, choose(choice, random))
    if ('refused' in turn)
      throw turn.refused === 'unknown' ? new SessionUnknownError() : tooLate(turn.refused)
    answerJson(ctx, sessionOptions(profile.contextBase, turn.row.pairingCode))
  }
}

/** The code is made only if the chart allows the event. It is made once, also if the turn is repeated. */
function choose(choice: PairingChoice, random: Deps['random']): Decide {
  let code: string | null = null
  return (row, can) => {
    if (!can({ type: 'frontend.chose', method: 'none' })) throw tooLate(row.status)
    if (choice === 'unchanged') return null
    if (choice === 'pin') code ??= random.pairingCode()
    return { event: { type: 'frontend.chose', method: choice }, columns: { pairingCode: code } }
  }
}

function tooLate(status: SessionRow['status']): UnexpectedRequestError {
  return new UnexpectedRequestError(`frontend options: expected status INITIALIZED, got ${status}`)
}
