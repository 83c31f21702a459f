/** The initial data of a session (spec/session-server#6.7): its tokens, its challenge and its times. The same rule applies to sessions of a requestor and
 *  to the next session of a chain. @module */
import { toBase64 } from '../../crypto/bytes.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { type ExtendedRequest, storeRequest } from '../../protocol/request.ts'
import { withReturnToken } from '../../sessions/prepare-request.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { NewSession } from '../sessions.ts'

export type SessionSettings = {
  readonly profile: Profile
  /** the longest time in a status that `timeout` does not bound; also the default of `timeout` (spec/decisions#d3) */
  readonly maxSessionLifetimeMs: number
  /** retention after a final status (spec/decisions#d4) */
  readonly resultLifetimeMs: number
}

/** Random values are drawn in this order: client token, requestor token, frontend token unless it is given, nonce.
 *  @param extended the request, already permitted and prepared
 *  @param requestor its name; empty without authentication
 *  @param chained the session that it follows, whose frontend keeps its token; left out: none */
export function newSession(
  extended: ExtendedRequest,
  requestor: string,
  settings: SessionSettings,
  random: Pick<Randomness, 'token' | 'nonce'>,
  chained?: { readonly frontendTokenHash: string },
): NewSession {
  const clientToken = random.token()
  const requestorToken = random.token()
  const frontendToken = chained ? '' : random.token()
  const request = storeRequest(withReturnToken(extended, requestorToken))
  const [hasCallback, hasNextSession] = [extended.callbackUrl !== '', extended.nextSession !== null]
  const { timeoutMs, connectedTimeoutMs } = staysOf(extended, settings)
  return {
    columns: {
      clientToken,
      requestorToken,
      frontendToken,
      requestorTokenHash: hashOfToken(requestorToken),
      frontendTokenHash: chained?.frontendTokenHash ?? hashOfToken(frontendToken),
      sentToken: hasCallback || hasNextSession ? requestorToken : null,
      requestor,
      profile: settings.profile.name,
      request,
      nonce: toBase64(random.nonce()),
      pairingCode: null,
      clientAuthorization: null,
      sentUpdates: null,
      result: null,
    },
    timeoutMs,
    connectedTimeoutMs,
    retentionMs: settings.resultLifetimeMs,
    hasCallback,
    hasNextSession,
    issues: extended.request.type === 'issuing',
  }
}

/** The bounds of spec/decisions#d3. */
function staysOf({ timeoutSec }: ExtendedRequest, { profile, maxSessionLifetimeMs }: SessionSettings) {
  const timeoutMs = timeoutSec === 0 ? maxSessionLifetimeMs : timeoutSec * 1_000
  return {
    timeoutMs,
    connectedTimeoutMs: profile.timeoutBounds === 'open' ? timeoutMs : maxSessionLifetimeMs,
  }
}
