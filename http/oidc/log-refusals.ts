/** Log lines of the errors that the provider answers to sites and browsers. The answer to a site tells an attacker little, so only the log has the reason. @module */
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { HttpDeps } from '../deps.ts'

/** No line has a token, a code or a value of a parameter: the texts of the provider name parameters only. */
export function logRefusals(provider: Provider, log: Pick<HttpDeps['log'], 'info' | 'warn'>): void {
  const refused = ({ oidc }: KoaContextWithOIDC, refusal: errors.OIDCProviderError): void => {
    const { error, error_description: description, error_detail: reason = description } = refusal
    log.info(
      { route: oidc?.route, client: oidc?.client?.clientId, error, reason },
      'request of a site refused',
    )
  }
  provider.on('authorization.error', refused)
  provider.on('pushed_authorization_request.error', refused)
  provider.on('grant.error', refused)
  provider.on('userinfo.error', refused)
  provider.on('introspection.error', refused)
  provider.on('revocation.error', refused)
  provider.on('end_session.error', refused)
  provider.on('end_session_confirm.error', refused)
  provider.on('backchannel.error', (_ctx, error: Error, { clientId: client }) =>
    log.warn({ client, reason: error.message }, 'a site did not take the notice of a logout'),
  )
}
