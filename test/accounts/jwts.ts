/** JWTs made for tests, valid and invalid ones. @module */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { CompactSign } from 'jose'

export const NOW_SEC = 1_795_261_850

export type Device = { readonly der: Uint8Array; readonly privateKey: KeyObject }

export function newDevice(namedCurve = 'P-256'): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  return { der: publicKey.export({ format: 'der', type: 'spki' }), privateKey }
}

/** A compact JWS over any text, or over bytes that need not be a text. */
export function signedText(
  text: string | Uint8Array,
  header: Record<string, unknown>,
  key: KeyObject | Uint8Array,
) {
  return new CompactSign(Buffer.from(text))
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header })
    .sign(key)
}

export function appJwt(claims: object, { privateKey }: Device, header: Record<string, unknown> = {}) {
  return signedText(JSON.stringify(claims), header, privateKey)
}

/** A JWT that no library would sign: for any header, the signature is ECDSA with SHA-256. */
export function forcedJwt(claims: object, { privateKey }: Device, header: object): string {
  const encoded = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = sign('sha256', Buffer.from(encoded.join('.')), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return [...encoded, signature.toString('base64url')].join('.')
}
