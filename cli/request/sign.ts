/** Signed requests of a requestor (spec/interface#2.7, #5.1 rule 3), as JWTs. @module */
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import type { SessionType } from '../../protocol/request.ts'
import { isFile } from '../../server/files/paths.ts'
import { privateKeyOf, secretOf } from '../../server/settings/keys.ts'
import type { BuiltRequest } from './build.ts'
import type { AuthFlags } from './flags.ts'

const CLAIMS: Readonly<Record<SessionType, { readonly sub: string; readonly field: string }>> = {
  disclosing: { sub: 'verification_request', field: 'sprequest' },
  signing: { sub: 'signature_request', field: 'absrequest' },
  issuing: { sub: 'issue_request', field: 'iprequest' },
}

/** The signing requestor. */
export type Signer = {
  readonly method: 'hmac' | 'rsa'
  readonly key: FlagKey
  readonly name: string
}

/** The value of `--key`, or the content of the file that it names. */
export type FlagKey = {
  /** secret */
  readonly text: string
  /** name of the source, for messages */
  readonly place: string
}

/** @throws {SettingsError} for an invalid key */
export function signRequest(
  { type, extended }: Pick<BuiltRequest, 'type'> & { readonly extended: object },
  signer: Signer,
  nowSec: number,
): Promise<string> {
  const { sub, field } = CLAIMS[type]
  return signClaims({ sub, [field]: extended }, signer, nowSec)
}

/** @param claims all except `iat` and `iss`
 *  @throws {SettingsError} for an invalid key */
export function signClaims(
  claims: Readonly<Record<string, unknown>>,
  { method, key, name }: Signer,
  nowSec: number,
): Promise<string> {
  const isHmac = method === 'hmac'
  return new SignJWT({ iat: nowSec, iss: name, ...claims })
    .setProtectedHeader({ alg: isHmac ? 'HS256' : 'RS256', typ: 'JWT' })
    .sign(isHmac ? secretOf(key.place, key.text) : privateKeyOf(key.place, key.text))
}

/** Reads the key. A line break at the end of a file is removed. */
export function keyOf({ key = '' }: Pick<AuthFlags, 'key'>): FlagKey {
  if (!isFile(key)) return { text: key, place: '--key (itself, or an existing file with it)' }
  return { text: readFileSync(key, 'utf8').replace(/\r?\n$/, ''), place: `--key ${key}` }
}
