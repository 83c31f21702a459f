/** The effect `askNext`: posts the result of a valid session to its `nextSession.url` and prepares the session that the answer asks for (spec/decisions#chain;
 *  spec/session-server#15). The next session is not opened, and no app learns of it, before the present session ends. Every failure is `NEXT_SESSION`, which cancels the present session.
 *  @module */
import type { Clock } from '../../ports/clock.ts'
import { type Outgoing, type OutgoingAnswer, OutgoingError } from '../../ports/outgoing.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { type Traces, traceparentOf } from '../../ports/traces.ts'
import { NextSessionError, UnavailableError } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import type { Schemes } from '../../schemes/types.ts'
import { type AcceptSettings, acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import { acceptedByNewest } from '../../sessions/newest-schemes.ts'
import { nextSessionRequest } from '../../sessions/next-session.ts'
import type { Requestor } from '../../sessions/permissions.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import type { Judgement } from '../../sessions/result.ts'
import { resultMessage } from '../../sessions/result-message.ts'
import type { NoteUnknownMembers } from '../../sessions/unknown-members-log.ts'
import { type SessionRow, sentTokenOf } from '../../stores/session-store.ts'
import type { OwedBound } from '../deliveries/owed-bound.ts'
import { newSession, type SessionSettings } from '../kinds/new-session.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { NewSession } from '../sessions.ts'
import type { PerformEffect } from './effects.ts'
import { type OutcomeSettings, workDone } from './outcomes.ts'
import { progressOf } from './progress.ts'

export type AskNextSettings = OutcomeSettings &
  SessionSettings &
  AcceptSettings & { readonly requestors: readonly Requestor[] }

export type AskNextDeps = {
  readonly schemes: Schemes
  /** Tries to bring the schemes up to date, in bounded time. */
  readonly lookForSchemes: () => Promise<void>
  readonly clock: Pick<Clock, 'wallNow'>
  readonly outgoing: Pick<Outgoing, 'post'>
  readonly random: Randomness
  readonly traces: Traces
  readonly revocation: Pick<Revocation, 'canIssue'>
  readonly owedBound: Pick<OwedBound, 'requireRoom'>
  readonly settings: AskNextSettings
  readonly noteUnknownMembers: NoteUnknownMembers
}

/** The session as created, and its outcome. */
type Parent = {
  readonly row: SessionRow
  readonly extended: ExtendedRequest
  readonly profile: Profile
  readonly judgement: Judgement
}

export function askNext(deps: AskNextDeps): PerformEffect {
  return async row => {
    const { judgement, commitments } = progressOf(row)
    const parent = {
      row,
      extended: row.request.value,
      profile: profileOf(row, deps.settings),
      judgement,
    }
    const answer = await post(parent, deps)
    const next = await acceptedByNewest(() => prepared(answer, parent, deps), deps.lookForSchemes)
    if (next) await requireRoomFor(next, deps)
    const event = { type: 'server.askedNext' } as const
    return workDone(row, event, { judgement, commitments, next }, deps.settings)
  }
}

async function post(parent: Parent, deps: AskNextDeps): Promise<OutgoingAnswer> {
  const { row, extended } = parent
  const traceparent = traceparentOf(deps.traces.of(extended.traceparent ?? ''))
  const message = { ...(await messageOf(parent, deps)), idempotencyKey: row.id, traceparent }
  try {
    return await deps.outgoing.post(extended.nextSession?.url ?? '', message)
  } catch (cause) {
    if (!(cause instanceof OutgoingError)) throw cause
    // the wallet app reads this text, and does not learn whether a host refused the call or took too long
    throw new NextSessionError('nextSession.url: expected an answer, got none', { cause })
  }
}

/** Refuses a next session with a callback if its requestor or host has reached the bound of owed callbacks. Without this check, the commit that ends this
 *  session would open it.
 *  @throws {NextSessionError} */
async function requireRoomFor(next: NewSession, { owedBound }: AskNextDeps): Promise<void> {
  try {
    await owedBound.requireRoom(next)
  } catch (cause) {
    throw cause instanceof UnavailableError ? new NextSessionError(cause.message, { cause }) : cause
  }
}

/** The result so far, signed if there is a key. */
function messageOf({ row, extended, profile, judgement }: Parent, { clock, settings }: AskNextDeps) {
  const requestorToken = sentTokenOf(row)
  const { validitySec, isLegacy } = extended
  const { type } = extended.request
  return resultMessage(
    {
      requestorToken,
      status: profile.chainedStatus,
      type,
      outcome: judgement,
      profile,
      isLegacy,
      validitySec,
    },
    settings.resultSigner,
    clock.wallNow(),
  )
}

/** @returns null if there is no next session
 *  @throws {NextSessionError} */
function prepared(answer: OutgoingAnswer, parent: Parent, deps: AskNextDeps): NewSession | null {
  const { row, judgement, profile } = parent
  const { random, settings } = deps
  const { traceparent } = parent.extended
  const accept = (extended: ExtendedRequest, unknown: readonly string[]): ExtendedRequest => {
    deps.noteUnknownMembers(row.requestor, unknown, traceparent?.split('-')[1])
    const accepted = acceptRequest(extended, requestorOf(row, settings), acceptFacts(deps, profile))
    return { ...accepted, ...(traceparent !== undefined && { traceparent }) }
  }
  const extended = nextSessionRequest(answer, judgement, accept, profile)
  return extended && newSession(extended, row.requestor, { ...settings, profile }, random, row)
}

/** The permissions that the requestor of a session has now. A requestor that is no longer configured has none. */
function requestorOf({ requestor: name }: SessionRow, { requestors }: AskNextSettings): Requestor {
  const nobody = { name, disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
  return requestors.find(requestor => requestor.name === name) ?? nobody
}
