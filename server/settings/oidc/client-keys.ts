/** How a client proves who it is: a secret, public keys, or not at all. No message quotes a secret or a key. @module */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { LEAST_RSA_BITS, rsaBits } from '../../../crypto/rsa.ts'
import { CLIENT_ALGORITHMS } from '../../../http/oidc/client-algorithms.ts'
import { textOrFile } from '../checks.ts'
import type { Refusals } from '../errors.ts'
import { readSettingsJson } from '../json.ts'
import { isObject, kindOf, type MemberReader } from './member-reader.ts'

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const

export type ClientKeys = {
  readonly token_endpoint_auth_method: (typeof AUTH_METHODS)[number]
  readonly client_secret?: string
  /** public keys alone */
  readonly jwks?: { readonly keys: readonly object[] }
}

/** OpenID Connect Core 16.19: a secret must not be guessed. */
const LEAST_SECRET_LETTERS = 32
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const CURVES = Object.keys(CLIENT_ALGORITHMS).filter(kind => kind !== 'RSA')

type KeyReaderDeps = { readonly production: boolean; readonly refusals: Refusals }

export function readClientKeys(client: MemberReader, facts: KeyReaderDeps): ClientKeys {
  const method = client.choice('token_endpoint_auth_method', AUTH_METHODS)
  const isSecret = method === 'client_secret_basic' || method === 'client_secret_post'
  const [secretOptions, keyOptions] = [
    ['client_secret', 'client_secret_file'],
    ['jwks', 'jwks_file'],
  ] as const
  for (const name of [
    ...(isSecret ? [] : secretOptions),
    ...(method === 'private_key_jwt' ? [] : keyOptions),
  ])
    if (client.has(name)) client.refuse(name, `expected none, because of the method ${method}, got one`)
  if (isSecret) return withSecret(client, method, facts)
  return method === 'private_key_jwt'
    ? withKeys(client, method, facts)
    : { token_endpoint_auth_method: method }
}

function withSecret(
  client: MemberReader,
  method: ClientKeys['token_endpoint_auth_method'],
  { production, refusals }: KeyReaderDeps,
): ClientKeys {
  const [own, file] = [client.text('client_secret'), client.text('client_secret_file')]
  const given = refusals.of(() => textOrFile(client.placeOf('client_secret'), own, file))
  const secret = (given?.text ?? '').replace(/\r?\n$/, '')
  const isMissing = !client.has('client_secret') && !client.has('client_secret_file')
  if (isMissing)
    client.refuse('client_secret', 'expected a secret, here or in "client_secret_file", got none')
  else if (secret !== '' && !/^[ -~]+$/.test(secret))
    client.refuse('client_secret', 'expected one line of ASCII characters, got another text')
  else if (secret !== '' && production && secret.length < LEAST_SECRET_LETTERS)
    client.refuse(
      'client_secret',
      `expected at least ${LEAST_SECRET_LETTERS} characters in production, got ${secret.length}; openssl rand -base64 32 makes some`,
    )
  return { token_endpoint_auth_method: method, client_secret: secret }
}

function withKeys(
  client: MemberReader,
  method: ClientKeys['token_endpoint_auth_method'],
  { refusals }: KeyReaderDeps,
): ClientKeys {
  const name = client.has('jwks_file') ? 'jwks_file' : 'jwks'
  if (client.has('jwks') && client.has('jwks_file'))
    client.refuse('jwks', 'expected either jwks or jwks_file, got both')
  if (!client.has(name)) client.refuse('jwks', 'expected public keys, here or in "jwks_file", got none')
  const file = client.text('jwks_file')
  const json = file === '' ? client.value('jwks') : refusals.of(() => jsonIn(client.placeOf('jwks'), file))
  const keys = isObject(json) && Array.isArray(json.keys) ? json.keys : []
  if (client.has(name) && json !== undefined && keys.length === 0)
    client.refuse(name, 'expected {"keys": [...]} with at least one public key, got something else')
  for (const [i, key] of keys.entries()) {
    const mistake = mistakeInKey(key)
    if (mistake !== null) client.refuse(name, `key ${i + 1}: ${mistake}`)
  }
  return { token_endpoint_auth_method: method, jwks: { keys } }
}

/** @returns undefined: no JSON
 *  @throws {SettingsError} if there is no such file */
function jsonIn(option: string, file: string): unknown {
  const text = textOrFile(option, '', file)?.text ?? ''
  try {
    return readSettingsJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

function mistakeInKey(jwk: unknown): string | null {
  const expected = `expected an RSA key of at least ${LEAST_RSA_BITS} bits or a key on ${CURVES.join(', ')}`
  if (!isObject(jwk)) return `${expected}, got something else`
  if (PRIVATE_MEMBERS.some(name => Object.hasOwn(jwk, name)))
    return 'expected a public key, got a private or a shared one; the client must keep it'
  const key = publicKeyOf(jwk)
  if (key === null) return `${expected}, got something else`
  if (key.asymmetricKeyType === 'rsa') {
    const bits = rsaBits(key)
    return bits < LEAST_RSA_BITS ? `${expected}, got ${bits} bits` : mistakeInPurpose(jwk, 'RSA')
  }
  const curve = CURVES.find(name => name === jwk.crv)
  return curve === undefined ? `${expected}, got another curve` : mistakeInPurpose(jwk, curve)
}

/** The protocol engine reads these members too: with a key for another purpose, it would refuse each call of the client. */
function mistakeInPurpose(jwk: Readonly<Record<string, unknown>>, kind: string): string | null {
  const { kid, use, alg, key_ops: operations } = jwk
  const algorithms = new Map<string, readonly string[]>(Object.entries(CLIENT_ALGORITHMS)).get(kind) ?? []
  if (kid !== undefined && (typeof kid !== 'string' || kid === ''))
    return `kid: expected text, got ${kindOf(kid)}`
  if (use !== undefined && use !== 'sig') return 'use: expected "sig", got another value'
  if (alg !== undefined && !algorithms.some(name => name === alg))
    return `alg: expected ${algorithms.join(' or ')}, got another value`
  if (operations === undefined) return null
  const isList = Array.isArray(operations) && operations.every(each => typeof each === 'string')
  return isList && operations.includes('verify')
    ? null
    : 'key_ops: expected a list with "verify", got another value'
}

function publicKeyOf(jwk: Readonly<Record<string, unknown>>): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null // the error of OpenSSL names no option
  }
}
