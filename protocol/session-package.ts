/** The session package: the answer to the session request of a requestor (spec/interface#2.2, spec/decisions#d11). @module */
import { pointerHost } from './hosts.ts'
import type { Profile } from './profiles.ts'
import { attributeRequests, type ExtendedRequest, type SessionType } from './request.ts'
import { withoutSlashesAtEnd } from './text-scanning.ts'

export type SessionPointer = {
  readonly u: string
  readonly svcqr?: SessionType
  readonly irmaqr?: SessionType
}

export type PointerFacts = {
  /** base URL of the server, without the prefix of the profile */
  readonly url: string
  /** replaces the host of `url`; empty: not replaced */
  readonly host: string
  readonly profile: Profile
  readonly clientToken: string
  readonly type: SessionType
}

/** The session pointer: the content of a QR code. */
export function sessionPointer({ clientToken, type, ...address }: PointerFacts): SessionPointer {
  return { u: `${sessionsAddress(address)}/${clientToken}`, [address.profile.pointerField]: type }
}

/** The name of a static session. */
export const STATIC_NAME = /^[a-zA-Z0-9_]+$/

/** The content of the printed QR code of a static session. An app that follows it gets the pointer of a new session. */
export function staticPointer(
  name: string,
  address: Pick<PointerFacts, 'url' | 'profile'>,
): { readonly u: string; readonly [pointerField: string]: string } {
  const u = `${sessionsAddress({ ...address, host: '' })}/${name}`
  return { u, [address.profile.pointerField]: 'redirect' }
}

function sessionsAddress({ url, host, profile }: Pick<PointerFacts, 'url' | 'host' | 'profile'>): string {
  const base = new URL(url)
  return `${base.protocol}//${pointerHost(host, base, profile)}${withoutSlashesAtEnd(base.pathname)}${profile.prefix}/session`
}

/** The versions of the frontend protocol. Version 1.0 has no frontend endpoints (spec/interface#4.4, #9.2). */
const FRONTEND_VERSIONS = { minProtocolVersion: '1.0', maxProtocolVersion: '1.1' } as const

export type SessionPackage = {
  readonly sessionPtr: SessionPointer
  readonly token: string
  readonly frontendRequest: {
    readonly authorization: string
    readonly pairingHint?: true
    readonly minProtocolVersion: string
    readonly maxProtocolVersion: string
  }
}

/** The answer to `POST /session`. Members are in the order of the wire. All three tokens are secret. */
export function sessionPackage(
  extended: ExtendedRequest,
  facts: Omit<PointerFacts, 'host' | 'type'> & {
    readonly requestorToken: string
    readonly frontendToken: string
  },
): SessionPackage {
  const { host, type } = extended.request
  return {
    sessionPtr: sessionPointer({ ...facts, host, type }),
    token: facts.requestorToken,
    frontendRequest: {
      authorization: facts.frontendToken,
      ...(isPairingAdvised(extended) && { pairingHint: true }),
      ...FRONTEND_VERSIONS,
    },
  }
}

/** True if frontends should turn pairing on: a session that reaches another phone would do harm (spec/decisions#d11). */
function isPairingAdvised({ request, nextSession }: ExtendedRequest): boolean {
  if (nextSession !== null && nextSession.url !== '') return true
  return request.type !== 'disclosing' || attributeRequests(request).some(({ value }) => value !== null)
}
