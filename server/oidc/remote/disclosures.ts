/** The disclosure sessions of logins at another session server, by its REST interface (spec/interface#4.1, #4.4). Browsers talk to the provider alone: it passes
 *  on the status and the pairing. @module */
import type { Disclosure, Disclosures, DisclosureTokens } from '../../../http/oidc/disclosures.ts'
import { ServerRefusalError } from '../../../libraries/client/calls.ts'
import { createFrontend, type Frontend } from '../../../libraries/client/frontend.ts'
import { createRequestor, type Requestor } from '../../../libraries/client/requestor.ts'
import { UnavailableError, UnexpectedRequestError } from '../../../protocol/errors.ts'
import type { Profile } from '../../../protocol/profiles.ts'
import type { RemoteServerSettings } from '../../settings/oidc/session-server.ts'
import type { World } from '../../world.ts'
import { type Faults, reporting } from './faults.ts'
import { outcomeOf } from './outcome.ts'
import { wireRequest } from './wire-request.ts'

export type RemoteDeps = {
  readonly server: RemoteServerSettings
  readonly profile: Pick<Profile, 'contextBase' | 'pointerField'>
  readonly fetch: World['fetch']
  readonly clock: Pick<World['clock'], 'wallNow' | 'setTimeout' | 'clearTimeout'>
  readonly log: Pick<World['log'], 'error'>
}

/** Error types of a call that the session does not allow now: it has ended, or waits for another call. */
const NOT_NOW = ['UNEXPECTED_REQUEST', 'SESSION_UNKNOWN']

type Found = { readonly tokens: DisclosureTokens; readonly faults: Faults }

export function createRemoteDisclosures(deps: RemoteDeps): Disclosures {
  const { server, profile, fetch, clock, log } = deps
  const faults = reporting({ url: server.url, fetch, clock, log })
  return {
    async open(request, hasPairing) {
      const { sessionPtr, token, frontendRequest } = await faults('start', within =>
        requestorAt(server, within).start(wireRequest(request, profile)),
      )
      const frontend = { url: sessionPtr.u, authorization: frontendRequest.authorization }
      const tokens = { requestorToken: token, frontend }
      const options = hasPairing
        ? await faults('pairing', within => frontendOf(tokens, profile, within).setPairing('pin'))
        : null
      if (options !== null && options.pairingCode === undefined)
        throw new UnavailableError('session server: expected a pairing code, got none')
      return { ...tokens, pointer: sessionPtr, pairingCode: options?.pairingCode ?? null }
    },
    async find(tokens) {
      const status = await faults('status', within =>
        requestorAt(server, within)
          .status(tokens.requestorToken)
          .catch((error: unknown) => {
            if (error instanceof ServerRefusalError && error.type === 'SESSION_UNKNOWN') return null
            throw error
          }),
      )
      return status && { status, ...actionsOf({ tokens, faults }, deps) }
    },
  }
}

export function requestorAt(
  { url, auth }: Pick<RemoteServerSettings, 'url' | 'auth'>,
  fetch: World['fetch'],
): Requestor {
  return createRequestor({ url, fetch, ...(auth && { auth }) })
}

function actionsOf({ tokens, faults }: Found, deps: RemoteDeps): Omit<Disclosure, 'status'> {
  const { requestorToken } = tokens
  const { server, profile } = deps
  return {
    pair: () =>
      faults('pairing', async within => {
        try {
          await frontendOf(tokens, profile, within).pairingCompleted()
        } catch (error) {
          if (!isNotNow(error)) throw error
          throw new UnexpectedRequestError('pairing: expected status PAIRING, got another one')
        }
      }),
    cancel: () =>
      faults('cancel', async within => {
        try {
          await requestorAt(server, within).cancel(requestorToken)
        } catch (error) {
          if (!isNotNow(error)) throw error // otherwise the session has ended already
        }
      }),
    outcome: () => faults('result', within => outcomeOf(requestorToken, requestorAt(server, within), deps)),
    async follow(ctx, streams) {
      streams.relay(ctx, requestorToken, async (send, signal) => {
        const onChange = (status: unknown): void => send(JSON.stringify(status))
        const wait = (fetch: World['fetch']): Promise<unknown> =>
          requestorAt(server, fetch).wait(requestorToken, { signal, onChange })
        try {
          await faults('statusevents', wait, true)
        } catch (error) {
          // the fault has been logged, and the browser connects again
          if (!(error instanceof UnavailableError) && !signal.aborted) throw error
        }
      })
    },
  }
}

function isNotNow(error: unknown): boolean {
  return error instanceof ServerRefusalError && NOT_NOW.includes(error.type)
}

/** Pairing belongs to the frontend endpoints, so that a requestor token alone pairs no session. */
function frontendOf(
  { frontend }: DisclosureTokens,
  { contextBase, pointerField }: RemoteDeps['profile'],
  fetch: World['fetch'],
): Pick<Frontend, 'setPairing' | 'pairingCompleted'> {
  if (frontend === null)
    throw new UnexpectedRequestError('expected a session of the session server, got another')
  const sessionPtr = { u: frontend.url, [pointerField]: 'disclosing' }
  const { authorization } = frontend
  const versions = { minProtocolVersion: '1.0', maxProtocolVersion: '1.1' }
  return createFrontend(
    { sessionPtr, frontendRequest: { authorization, ...versions } },
    { fetch, contextBase },
  )
}
