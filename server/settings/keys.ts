/** The keys of the settings: those that authenticate requestors, and the one that signs results (spec/session-server#6.4, #13.3). A message names
 *  the option and its file, and never quotes a key. @module */
import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { LEAST_RSA_BITS, rsaBits } from '../../crypto/rsa.ts'
import type { RequestorAuth, RequestorSettings } from '../../http/settings.ts'
import type { ResultSigner } from '../../sessions/result-jwt.ts'
import { refuse, textOrFile } from './checks.ts'
import type { RequestorOption } from './objects-by-name.ts'
import type { OptionValues } from './session-server.ts'

/** @throws {SettingsError} */
export function requestorAuth(name: string, requestor: RequestorOption): RequestorAuth {
  const { auth_method: method, key = '', key_file: file = '' } = requestor
  const option = `requestors.${name}`
  if (method !== 'token' && method !== 'hmac' && method !== 'publickey')
    return refuse(
      `${option}.auth_method`,
      `expected token, hmac or publickey, got ${JSON.stringify(method.slice(0, 40))}`,
    )
  const given = textOrFile(`${option}.key`, key, file)
  if (given === undefined) return refuse(`${option}.key`, `expected the key of the requestor, got none`)
  const { text, place } = given
  if (method === 'hmac') return { method, key: secretOf(place, text) }
  if (method === 'publickey') return { method, key: publicKeyOf(place, text) }
  // a file may end in a line break, which is not part of the token
  return { method, token: tokenOf(place, file === '' ? text : text.replace(/\r?\n$/, '')) }
}

/** A token that an `Authorization` header can hold as it is: no line break, no space around it.
 *  @throws {SettingsError} */
export function tokenOf(place: string, text: string): string {
  if (!/^[!-~\x80-\xff](?:[ -~\x80-\xff]*[!-~\x80-\xff])?$/.test(text))
    refuse(place, 'expected a token of one line that a header can hold, got another text')
  return text
}

/** Reads Base64 in either alphabet, with or without padding and line breaks.
 *  @throws {SettingsError} */
export function secretOf(place: string, text: string): KeyObject {
  const digits = text.replace(/\s+/g, '').replace(/=+$/, '')
  if (!/^[\w+/-]+$/.test(digits) || digits.length % 4 === 1)
    refuse(place, 'expected a secret in Base64, got something else')
  return createSecretKey(Buffer.from(digits, 'base64')) // reads both alphabets
}

/** @throws {SettingsError} */
export function publicKeyOf(place: string, pem: string): KeyObject {
  // without this check, Node would accept a private key and derive its public key
  const isPublic = /^\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----/.test(pem)
  const key = isPublic && parsed(() => createPublicKey(pem))
  if (!key) return refuse(place, 'expected an RSA public key or certificate in PEM, got something else')
  return requireRsa(place, key)
}

/** @returns null: results are not signed */
export function resultSignerOf(options: OptionValues): ResultSigner | null {
  const given = textOrFile('jwt_privkey', options.jwt_privkey, options.jwt_privkey_file)
  if (given === undefined) return null
  const privateKey = privateKeyOf(given.place, given.text)
  return {
    issuer: options.jwt_issuer,
    privateKey,
    publicKeyPem: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  }
}

/** @param pem PKCS#1 or PKCS#8
 *  @throws {SettingsError} */
export function privateKeyOf(place: string, pem: string): KeyObject {
  const key = parsed(() => createPrivateKey(pem))
  if (!key) return refuse(place, 'expected an unencrypted RSA private key in PEM, got something else')
  return requireRsa(place, key)
}

function parsed(parse: () => KeyObject): KeyObject | null {
  try {
    return parse()
  } catch {
    return null // the error of OpenSSL names no option
  }
}

function requireRsa(place: string, key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') refuse(place, `expected an RSA key, got ${key.asymmetricKeyType}`)
  const bits = rsaBits(key)
  if (bits < LEAST_RSA_BITS)
    refuse(place, `expected an RSA key of at least ${LEAST_RSA_BITS} bits, got ${bits}`)
  return key
}

/** A token identifies its requestor, so two requestors cannot have the same token. */
export function refuseSharedTokens(requestors: readonly Pick<RequestorSettings, 'name' | 'auth'>[]): void {
  const owners = new Map<string, string>()
  for (const { name, auth } of requestors) {
    if (auth.method !== 'token') continue
    const other = owners.get(auth.token)
    if (other !== undefined) refuse(`requestors.${name}`, `expected a token of its own, got that of ${other}`)
    owners.set(auth.token, name)
  }
}

/** Called if only signed requests are accepted: a requestor with a token could then not start any session.
 *  @throws {SettingsError} */
export function refuseTokens(requestors: readonly Pick<RequestorSettings, 'name' | 'auth'>[]): void {
  const tokened = requestors.find(({ auth }) => auth.method === 'token')
  if (tokened)
    refuse(
      `requestors.${tokened.name}.auth_method`,
      'expected hmac or publickey, because of "signed_requests_only", got token',
    )
}
