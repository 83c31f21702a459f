/** The option `session_server` of an OpenID provider: another session server, how the provider authenticates there, and the key that verifies its results.
 *  No message quotes a token or a key. @module */
import type { RequestorAuth } from '../../../libraries/client/authorization.ts'
import { type GivenText, textOrFile } from '../checks.ts'
import type { Refusals } from '../errors.ts'
import { privateKeyOf, publicKeyOf, secretOf, tokenOf } from '../keys.ts'
import { mistakeInClientAddress } from './client-addresses.ts'
import { MemberReader } from './member-reader.ts'

export type RemoteServerSettings = {
  /** no slash at its end */
  readonly url: string
  /** secret; null: the server accepts requests without authentication */
  readonly auth: RequestorAuth | null
  /** verifies signed results, in PEM; null: results are read without a signature */
  readonly publicKey: string | null
  /** `jwt_issuer` of the server; empty: any */
  readonly issuer: string
}

const MEMBERS = [
  'url',
  'requestor',
  'auth_method',
  'key',
  'key_file',
  'public_key',
  'public_key_file',
  'issuer',
]
const METHODS = ['token', 'hmac', 'publickey', 'none'] as const

/** @returns null: none is given, or it is refused */
export function readRemoteServer(given: unknown, refusals: Refusals): RemoteServerSettings | null {
  if (given === null || given === undefined) return null
  const server = new MemberReader('session_server', given, MEMBERS, refusals)
  const url = server.text('url')
  const mistake = mistakeInUrl(url)
  if (mistake !== null) server.refuse('url', mistake)
  const auth = readAuth(server, refusals)
  const key = refusals.of(() => textOrFile('session_server.public_key', ...both(server, 'public_key')))
  const publicKey = key && refusals.of(() => publicKeyOf(key.place, key.text))
  const issuer = server.text('issuer')
  if (server.has('issuer') && key === undefined)
    server.refuse('issuer', 'expected "public_key" or "public_key_file" beside it, got none')
  return {
    url: url.replace(/\/+$/, ''),
    auth,
    publicKey: publicKey?.export({ type: 'spki', format: 'pem' }).toString() ?? null,
    issuer,
  }
}

/** The token of the requestor and the results are secret, so they need https outside of this computer. */
function mistakeInUrl(url: string): string | null {
  if (url === '') return 'expected the address of a session server, got none'
  return (
    mistakeInClientAddress(url, false) ??
    (url.includes('?') ? 'expected an address without "?", got one' : null)
  )
}

function readAuth(server: MemberReader, refusals: Refusals): RequestorAuth | null {
  const method = server.choice('auth_method', METHODS)
  const name = server.text('requestor')
  const given = refusals.of(() => textOrFile('session_server.key', ...both(server, 'key')))
  const isSigned = method === 'hmac' || method === 'publickey'
  if (method === 'none') {
    if (server.has('key') || server.has('key_file'))
      server.refuse('key', 'expected none, because of the method none, got one')
    return null
  }
  if (isSigned && name === '')
    server.refuse(
      'requestor',
      `expected the name of the requestor, because of the method ${method}, got none`,
    )
  if (!server.has('key') && !server.has('key_file'))
    server.refuse('key', 'expected the key of the requestor, here or in "key_file", got none')
  return (given && refusals.of(() => authOf(method, name, given))) ?? null
}

function authOf(
  method: 'token' | 'hmac' | 'publickey',
  name: string,
  { text, place }: GivenText,
): RequestorAuth {
  if (method === 'token') return { method, token: tokenOf(place, text.replace(/\r?\n$/, '')) }
  if (method === 'hmac') return { method, name, key: secretOf(place, text).export() }
  const key = privateKeyOf(place, text).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { method, name, key }
}

function both(server: MemberReader, name: string): readonly [text: string, file: string] {
  return [server.text(name), server.text(`${name}_file`)]
}
