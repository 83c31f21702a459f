/** The disclosure sessions of logins, in the session server inside of the OpenID provider. No caller gets a token of such a session. @module */
import { newSession } from '../../actors/kinds/new-session.ts'
import { InvalidRequestError, UnexpectedRequestError } from '../../protocol/errors.ts'
import type { DisclosureRequest, ExtendedRequest } from '../../protocol/request.ts'
import { type SessionPointer, sessionPointer } from '../../protocol/session-package.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'
import type { DisclosedAttribute } from '../../sessions/disclosed.ts'
import { acceptedByNewest } from '../../sessions/newest-schemes.ts'
import type { ProofStatus } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { ServerDeps } from '../deps.ts'
import { requireRoom } from '../session/open-own.ts'

type Deps = Pick<
  ServerDeps,
  'sessions' | 'schemes' | 'lookForSchemes' | 'settings' | 'random' | 'clock' | 'revocation' | 'isOverloaded'
>

/** Secret. */
export type OpenedDisclosure = {
  readonly pointer: SessionPointer
  readonly requestorToken: string
  /** null: no pairing */
  readonly pairingCode: string | null
}

export type Disclosures = {
  /** @throws {OverloadedError} @throws {UnavailableError} @throws {InvalidRequestError} if the schemes do not have what is asked for */
  open(request: DisclosureRequest, hasPairing: boolean): Promise<OpenedDisclosure>
  /** null: unknown or forgotten */
  find(requestorToken: string): Promise<SessionRow | null>
  /** The user has typed the right code.
   *  @throws {UnexpectedRequestError} if the app does not wait for it */
  pair(session: SessionRow): Promise<void>
  /** A session that has ended stays as it is. */
  cancel(session: SessionRow): Promise<void>
  outcomeOf(session: SessionRow): {
    readonly proofStatus: ProofStatus | null
    readonly disclosed: readonly (readonly DisclosedAttribute[] | null)[]
  }
}

/** A login has no requestor: its client is authenticated by the provider. */
const NO_REQUESTOR = ''

export function createDisclosures(deps: Deps): Disclosures {
  const { sessions } = deps
  return {
    open: (request, hasPairing) => open(request, hasPairing, deps),
    find: token => sessions.findByRequestorToken(token),
    async pair({ id }) {
      const turn = await sessions.turn(id, () => ({ event: { type: 'frontend.paired' } }))
      if ('refused' in turn)
        throw new UnexpectedRequestError(`pairing: expected status PAIRING, got ${turn.refused}`)
    },
    async cancel({ id }) {
      await sessions.turn(id, (_row, can) =>
        can({ type: 'cancelled' }) ? { event: { type: 'cancelled' } } : null,
      )
    },
    outcomeOf({ result }) {
      const { proofStatus = null, disclosed = [] } = result?.value ?? {}
      return { proofStatus, disclosed }
    },
  }
}

async function open(request: DisclosureRequest, hasPairing: boolean, deps: Deps): Promise<OpenedDisclosure> {
  const { sessions, settings, random } = deps
  const { url, profile } = settings
  const extended = await acceptedByNewest(
    () => acceptOwnRequest(extendedOf(request), acceptFacts(deps, profile)),
    deps.lookForSchemes,
  )
  requireRoom(deps)
  const session = newSession(extended, NO_REQUESTOR, settings, random)
  const { clientToken, requestorToken } = session.columns
  const pairingCode = hasPairing ? random.pairingCode() : null
  const row = await sessions.open(session)
  if (hasPairing) await enablePairing(row, pairingCode, deps)
  const { type, host } = extended.request
  return { pointer: sessionPointer({ clientToken, url, profile, type, host }), requestorToken, pairingCode }
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
