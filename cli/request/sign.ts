/** A signed session request (spec 2.7, 5.1 rule 3): the extended request in a JWT of the requestor. @module */
import { existsSync, readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import type { SessionType } from '../../protocol/request.ts'
import { privateKeyOf, secretOf } from '../settings/keys.ts'
import type { BuiltRequest } from './build.ts'
import type { RequestFlags } from './flags.ts'

const CLAIMS: Readonly<Record<SessionType, { readonly sub: string; readonly field: string }>> = {
  disclosing: { sub: 'verification_request', field: 'sprequest' },
  signing: { sub: 'signature_request', field: 'absrequest' },
  issuing: { sub: 'issue_request', field: 'iprequest' },
}

/** @param key what `--key` says, or the content of the file it names; secret
 *  @throws {SettingsError} about a key that is none */
export function signRequest(
  { type, extended }: BuiltRequest,
  { method, key, name }: { readonly method: 'hmac' | 'rsa'; readonly key: string; readonly name: string },
  nowSec: number,
): Promise<string> {
  const { sub, field } = CLAIMS[type]
  const isHmac = method === 'hmac'
  return new SignJWT({ iat: nowSec, iss: name, sub, [field]: extended })
    .setProtectedHeader({ alg: isHmac ? 'HS256' : 'RS256', typ: 'JWT' })
    .sign(isHmac ? secretOf('--key', key) : privateKeyOf('--key', key))
}

/** The key of a flag: itself, or the content of the file it names. A file may end in a line break. */
export function keyText({ key = '' }: Pick<RequestFlags, 'key'>): string {
  return existsSync(key) ? readFileSync(key, 'utf8').replace(/\r?\n$/, '') : key
}
