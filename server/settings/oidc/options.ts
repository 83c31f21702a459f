/** The options of an OpenID provider about claims, subjects and clients. Their content is read against the schemes (read-sign-in.ts). @module */
import { z } from 'zod'
import { facts, list, objectsByName, toggle } from '../kinds.ts'

const ANY = z.unknown()

/** The place in the list of options, `svc oidc`. */
export const signInOptions = {
  claims: objectsByName(ANY, 'claim to the attributes that it is made of', {
    description:
      'claims by name: an attribute, or {attribute, attributes, separator, members, where, value, notNull, convert, formats, true_words, false_words, unconvertible, acr, not_revoked}, or {any_of: [...]}; false removes a standard claim',
    defaultWords: 'the standard claims whose attributes the schemes have',
  }),
  scopes: objectsByName(ANY, 'scope to a list of claims, or {essential, voluntary}', {
    description:
      'claims that a scope asks for, by scope: a list of claims that a wallet must give, or {essential: [...], voluntary: [...]}',
    defaultWords: 'profile, email, phone and address, with voluntary standard claims',
  }),
  acr_values: list([], {
    description: 'levels of assurance (acr) that mappings of claims may name, the weakest first',
  }),
  subject: z.unknown().default(null).register(facts, {
    form: 'json',
    placeholder: 'JSON',
    defaultWords: 'none, must be given',
    description:
      '{attribute, salt_file}: the sub of a user is derived from this attribute; it is the same at each login, and different for each site. "random": each login has a new sub',
  }),
  verified_claims: toggle(false, {
    description: 'add the claim verified_claims: issuer, credential type and checks of each claim',
  }),
  clients: z.array(ANY, { error: 'expected a list of clients' }).default([]).register(facts, {
    form: 'json',
    placeholder: 'JSON',
    isSecret: true,
    description:
      'sites that may sign in users: [{client_id, client_name, redirect_uris, post_logout_redirect_uris, token_endpoint_auth_method, client_secret or client_secret_file, jwks or jwks_file, scopes, may_ask, subject, sector_identifier, require_pushed_authorization_requests, backchannel_logout_uri, backchannel_logout_session_required}]',
  }),
}

/** The place in the list of options, `svc oidc`. */
export const remoteOptions = {
  session_server: z.unknown().default(null).register(facts, {
    form: 'json',
    placeholder: 'JSON',
    isSecret: true,
    defaultWords: 'none: the built-in session server',
    description:
      'external session server that runs the sessions of logins: {url, requestor, auth_method, key or key_file, public_key or public_key_file, issuer}; auth_method is token, hmac, publickey or none, and key is the token, the shared secret or the private key',
  }),
}

export type SignInOptionValues = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: Readonly<Record<string, unknown>>
  readonly acr_values: readonly string[]
  readonly subject?: unknown
  readonly verified_claims: boolean
  readonly clients: readonly unknown[]
}
