/** The disclosure sessions of logins, and those of the session server inside of the OpenID provider. No caller gets a token of such a session. @module */
import type { Context } from 'koa'
import { newSession } from '../../actors/kinds/new-session.ts'
import type { NewSession } from '../../actors/sessions.ts'
import type { SessionStatus } from '../../machines/session.ts'
import { InvalidRequestError, UnexpectedRequestError } from '../../protocol/errors.ts'
import type { DisclosureRequest, ExtendedRequest } from '../../protocol/request.ts'
import { type SessionPointer, sessionPointer } from '../../protocol/session-package.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'
import { acceptedByNewest } from '../../sessions/newest-schemes.ts'
import type { ResultAttribute } from '../../sessions/sign-in/login-result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { ServerDeps } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { requireRoom } from '../session/open-own.ts'

type Deps = Pick<
  ServerDeps,
  'sessions' | 'schemes' | 'lookForSchemes' | 'settings' | 'random' | 'clock' | 'revocation' | 'isOverloaded'
>

/** Names a session of a login. Secret. */
export type DisclosureTokens = {
  readonly requestorToken: string
  /** the frontend endpoints of the session at another server; null: the session is at the server inside */
  readonly frontend: { readonly url: string; readonly authorization: string } | null
}

/** Secret. */
export type OpenedDisclosure = DisclosureTokens & {
  readonly pointer: SessionPointer
  /** null: no pairing */
  readonly pairingCode: string | null
}

/** The parts of a result that a login is made of. Secret. */
export type Disclosed = {
  /** `VALID` for a login */
  readonly proofStatus: string | null
  readonly disclosed: readonly (readonly ResultAttribute[] | null)[]
}

/** A session as it was when it was found. */
export type Disclosure = {
  readonly status: SessionStatus
  /** The user has typed the right code.
   *  @throws {UnexpectedRequestError} if the app does not wait for it */
  pair(): Promise<void>
  /** Cancels an open session. A session that has ended stays as it is. */
  cancel(): Promise<void>
  /** @throws {UntrustedResultError} */
  outcome(): Promise<Disclosed>
  /** Answers a call with each change of status, as a JSON string. */
  follow(ctx: Context, streams: EventStreams): Promise<void>
}

/** Another session server may be unreachable, so each function may throw `UnavailableError`. */
export type Disclosures = {
  /** @param endsInMs a session at the server inside ends within this time. Another session server uses its own times
   *  @throws {OverloadedError} @throws {UnavailableError} @throws {InvalidRequestError} if the schemes do not have the requested attributes */
  open(request: DisclosureRequest, hasPairing: boolean, endsInMs: number): Promise<OpenedDisclosure>
  /** null: unknown or forgotten */
  find(tokens: DisclosureTokens): Promise<Disclosure | null>
}

/** A session server gave a result that is not the result of this login. */
export class UntrustedResultError extends Error {
  override readonly name = 'UntrustedResultError'
}

/** The number of open statuses: `INITIALIZED`, `PAIRING` and `CONNECTED`. */
const OPEN_STATUSES = 3
/** A login has no requestor: its client is authenticated by the provider. */
const NO_REQUESTOR = ''

export function createDisclosures(deps: Deps): Disclosures {
  const { sessions } = deps
  return {
    open: (...asked) => open(asked, deps),
    async find({ requestorToken }) {
      const row = await sessions.findByRequestorToken(requestorToken)
      return row && disclosureOf(row, deps)
    },
  }
}

function disclosureOf(row: SessionRow, { sessions }: Pick<Deps, 'sessions'>): Disclosure {
  const { id, status, result } = row
  return {
    status,
    async pair() {
      const turn = await sessions.turn(id, () => ({ event: { type: 'frontend.paired' } }))
      if ('refused' in turn)
        throw new UnexpectedRequestError(`pairing: expected status PAIRING, got ${turn.refused}`)
    },
    async cancel() {
      await sessions.turn(id, (_row, can) =>
        can({ type: 'cancelled' }) ? { event: { type: 'cancelled' } } : null,
      )
    },
    async outcome() {
      const { proofStatus = null, disclosed = [] } = result?.value ?? {}
      return { proofStatus, disclosed }
    },
    follow: (ctx, streams) => streams.open(ctx, row, 'requestor', newStatus => newStatus),
  }
}

async function open(
  [request, hasPairing, endsInMs]: Parameters<Disclosures['open']>,
  deps: Deps,
): Promise<OpenedDisclosure> {
  const { sessions, settings, random } = deps
  const { url, profile } = settings
  const extended = await acceptedByNewest(
    () => acceptOwnRequest(extendedOf(request), acceptFacts(deps, profile)),
    deps.lookForSchemes,
  )
  requireRoom(deps)
  const session = endingWithin(endsInMs, newSession(extended, NO_REQUESTOR, settings, random))
  const { clientToken, requestorToken } = session.columns
  const pairingCode = hasPairing ? random.pairingCode() : null
  const row = await sessions.open(session)
  if (hasPairing) await enablePairing(row, pairingCode, deps)
  const { type, host } = extended.request
  const pointer = sessionPointer({ clientToken, url, profile, type, host })
  return { pointer, requestorToken, frontend: null, pairingCode }
}

/** The deadline of a session is set again in each status. */
function endingWithin(ms: number, session: NewSession): NewSession {
  const stayMs = Math.floor(ms / OPEN_STATUSES)
  return {
    ...session,
    timeoutMs: Math.min(session.timeoutMs, stayMs),
    connectedTimeoutMs: Math.min(session.connectedTimeoutMs, stayMs),
  }
}

async function enablePairing(
  { id }: SessionRow,
  pairingCode: string | null,
  { sessions }: Deps,
): Promise<void> {
  const turn = await sessions.turn(id, () => ({
    event: { type: 'frontend.chose', method: 'pin' },
    columns: { pairingCode },
  }))
  if ('refused' in turn)
    throw new InvalidRequestError(`pairing: expected a session without an app, got ${turn.refused}`)
}

function extendedOf(request: DisclosureRequest): ExtendedRequest {
  return {
    request,
    validitySec: 0,
    timeoutSec: 0,
    callbackUrl: '',
    nextSession: null,
    implicitDisclose: [],
    isLegacy: false,
  }
}
