/** Signed requests of a requestor (spec 2.7, 5.1 rule 3): what it asks for, in a JWT. @module */
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import type { SessionType } from '../../protocol/request.ts'
import { isFile } from '../paths.ts'
import { privateKeyOf, secretOf } from '../settings/keys.ts'
import type { BuiltRequest } from './build.ts'
import type { AuthFlags } from './flags.ts'

const CLAIMS: Readonly<Record<SessionType, { readonly sub: string; readonly field: string }>> = {
  disclosing: { sub: 'verification_request', field: 'sprequest' },
  signing: { sub: 'signature_request', field: 'absrequest' },
  issuing: { sub: 'issue_request', field: 'iprequest' },
}

/** How a message calls the key, which it may not quote. */
const KEY = '--key (itself, or an existing file with it)'

/** Who signs. */
export type Signer = {
  readonly method: 'hmac' | 'rsa'
  /** what `--key` says, or the content of the file it names; secret */
  readonly key: string
  readonly name: string
}

/** @throws {SettingsError} about a key that is none */
export function signRequest(
  { type, extended }: BuiltRequest,
  signer: Signer,
  nowSec: number,
): Promise<string> {
  const { sub, field } = CLAIMS[type]
  return signClaims({ sub, [field]: extended }, signer, nowSec)
}

/** @param claims beside `iat` and `iss`
 *  @throws {SettingsError} about a key that is none */
export function signClaims(
  claims: Readonly<Record<string, unknown>>,
  { method, key, name }: Signer,
  nowSec: number,
): Promise<string> {
  const isHmac = method === 'hmac'
  return new SignJWT({ iat: nowSec, iss: name, ...claims })
    .setProtectedHeader({ alg: isHmac ? 'HS256' : 'RS256', typ: 'JWT' })
    .sign(isHmac ? secretOf(KEY, key) : privateKeyOf(KEY, key))
}

/** The key of a flag: itself, or the content of the file it names. A file may end in a line break. */
export function keyText({ key = '' }: Pick<AuthFlags, 'key'>): string {
  return isFile(key) ? readFileSync(key, 'utf8').replace(/\r?\n$/, '') : key
}
