/** Reads the result of a login from another session server. With a public key, only a signed result is accepted. @module */
import { errors } from 'jose'
import { type Disclosed, UntrustedResultError } from '../../../http/oidc/disclosures.ts'
import { isSameSecret } from '../../../http/secrets.ts'
import type { Requestor } from '../../../libraries/client/requestor.ts'
import type { DisclosedAttribute, SessionResult } from '../../../libraries/client/results.ts'
import { verifyResult } from '../../../libraries/client/verify-result.ts'
import type { RemoteServerSettings } from '../../settings/oidc/session-server.ts'
import type { World } from '../../world.ts'

type OutcomeDeps = {
  readonly server: RemoteServerSettings
  readonly clock: Pick<World['clock'], 'wallNow'>
}

/** @throws {UntrustedResultError} for the result of another session, or one with another signature */
export async function outcomeOf(
  requestorToken: string,
  requestor: Pick<Requestor, 'result' | 'resultJwt'>,
  deps: OutcomeDeps,
): Promise<Disclosed> {
  const result =
    deps.server.publicKey === null
      ? await requestor.result(requestorToken)
      : await verified(await requestor.resultJwt(requestorToken), deps.server.publicKey, deps)
  const { token, type, status, proofStatus = null, disclosed = [] } = result
  if (typeof token !== 'string' || !isSameSecret(token, requestorToken))
    throw new UntrustedResultError('expected the result of this session, got the result of another one')
  if (type !== 'disclosing' || status !== 'DONE')
    throw new UntrustedResultError('expected the result of a disclosure that has ended, got another one')
  return { proofStatus, disclosed: disclosed.map(item => listOf(item)) }
}

async function verified(
  jwt: string,
  publicKey: string,
  { server: { issuer }, clock }: OutcomeDeps,
): Promise<SessionResult> {
  try {
    const currentDate = new Date(clock.wallNow())
    return await verifyResult(jwt, { publicKey, currentDate, ...(issuer !== '' && { issuer }) })
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    throw new UntrustedResultError(
      `expected a result that the session server signed, got another: ${error.code}`,
    )
  }
}

/** A request with conjunctions has a list for each disjunction. */
function listOf(
  item: DisclosedAttribute | readonly DisclosedAttribute[] | null,
): Disclosed['disclosed'][number] {
  if (item === null || Array.isArray(item)) return item
  throw new UntrustedResultError('expected lists of attributes, got single ones')
}
