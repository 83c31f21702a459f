/** JWTs as text: the content of a recorded JWT, in the words of a profile, signed again with the keys of test/vectors. @module */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'

export type JwtText = {
  readonly header: string
  readonly payload: string
  readonly isOf: (key: JwtKey) => boolean
}
/** `sign` returns the signature of a text */
export type JwtKey = {
  readonly alg: string
  isRight(text: string, signature: Buffer): boolean
  sign(text: string): Buffer
}

const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

/** @returns null if it is not a JWT of JSON */
export function readJwt(text: string): JwtText | null {
  const [, head = '', body = '', signature = ''] = FORM.exec(text.trim()) ?? []
  const [header, payload] = [head, body].map(part => Buffer.from(part, 'base64url').toString())
  if (!header?.startsWith('{') || !payload?.startsWith('{')) return null
  return {
    header,
    payload,
    isOf: key => key.isRight(`${head}.${body}`, Buffer.from(signature, 'base64url')),
  }
}

export function writeJwt(header: string, payload: string, key: JwtKey): string {
  const text = [header, payload].map(part => Buffer.from(part).toString('base64url')).join('.')
  return `${text}.${key.sign(text).toString('base64url')}`
}

export function hmacKey(base64: string): JwtKey {
  const secret = Buffer.from(base64, 'base64')
  const signed = (text: string): Buffer => createHmac('sha256', secret).update(text).digest()
  return { alg: 'HS256', sign: signed, isRight: (text, signature) => signed(text).equals(signature) }
}

/** @param name of a key in test/vectors/keys */
export function rsaKey(name: string): JwtKey {
  const read = (kind: string): Buffer => readFileSync(join(PROJECT, `test/vectors/keys/${name}.${kind}.pem`))
  const [publicKey, privateKey]: [KeyObject, KeyObject] = [
    createPublicKey(read('public')),
    createPrivateKey(read('private')),
  ]
  return {
    alg: 'RS256',
    sign: text => sign('sha256', Buffer.from(text), privateKey),
    isRight: (text, signature) => verify('sha256', Buffer.from(text), publicKey, signature),
  }
}
