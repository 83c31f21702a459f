/** Private keys of schemes with a passphrase (spec/schemes-and-cli#16.6): the container of OpenSSH under another PEM label. Cipher and rounds of the key
 *  derivation are read from the container. @module */
import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPrivateKey,
  type KeyObject,
} from 'node:crypto'
import bcrypt from 'bcrypt-pbkdf'
import { readDer } from './sd-jwt/der.ts'

/** A passphrase that does not open the key. */
export class WrongPassphraseError extends Error {
  override readonly name = 'WrongPassphraseError'
}

const LABEL = 'ENCRYPTED IRMA SCHEME PRIVATE KEY'
const CONTAINER =
  /-----BEGIN (OPENSSH|ENCRYPTED \w+ SCHEME) PRIVATE KEY-----([\w+/=\s]+)-----END \1 PRIVATE KEY-----/
/** PEM texts with a passphrase that OpenSSL reads: PKCS #8, and the older form. */
const OF_OPENSSL = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m
const PKCS8 = /-----BEGIN ENCRYPTED PRIVATE KEY-----([\w+/=\s]+)-----END ENCRYPTED PRIVATE KEY-----/
const MAGIC = Buffer.from('openssh-key-v1\0')
const [TYPE, CURVE] = ['ecdsa-sha2-nistp256', 'nistp256']
const [SCALAR_BYTES, POINT_BYTES] = [32, 65]

type Cipher = {
  readonly name: string
  readonly keyBytes: number
  readonly ivBytes: number
  readonly block: number
}
const CTR: Cipher = { name: 'aes-256-ctr', keyBytes: 32, ivBytes: 16, block: 16 }
const CIPHERS: Readonly<Record<string, Cipher>> = {
  'aes256-ctr': CTR,
  'aes192-ctr': { ...CTR, name: 'aes-192-ctr', keyBytes: 24 },
  'aes128-ctr': { ...CTR, name: 'aes-128-ctr', keyBytes: 16 },
  'aes256-cbc': { ...CTR, name: 'aes-256-cbc' },
  'aes192-cbc': { ...CTR, name: 'aes-192-cbc', keyBytes: 24 },
  'aes128-cbc': { ...CTR, name: 'aes-128-cbc', keyBytes: 16 },
}
const GCM: Readonly<Record<string, CipherGCMTypes>> = {
  'aes256-gcm@openssh.com': 'aes-256-gcm',
  'aes128-gcm@openssh.com': 'aes-128-gcm',
}
const [GCM_IV_BYTES, GCM_TAG_BYTES] = [12, 16]

/** The rounds and the salt of new keys, as OpenSSH has them. */
const [ROUNDS, SALT_BYTES] = [16, 16]
/** The maximum rounds of a key that is read; they take about a minute. */
const MOST_ROUNDS = 3_000

/** @returns whether a private key needs a passphrase */
export function needsPassphrase(pem: string): boolean {
  if (OF_OPENSSL.test(pem)) return true
  const bytes = containerIn(pem)
  return bytes !== undefined && new Reader(bytes.subarray(MAGIC.length)).words() !== 'none'
}

/** @param passphrase empty: none
 *  @throws {WrongPassphraseError} @throws {Error} for a text that is no such key */
export function openKeyPem(pem: string, passphrase: string): KeyObject {
  const bytes = containerIn(pem)
  if (bytes !== undefined) return openContainer(bytes, passphrase)
  if (!OF_OPENSSL.test(pem)) return createPrivateKey(pem)
  requireWhole(pem)
  try {
    return createPrivateKey({ key: pem, passphrase })
  } catch (error) {
    throw new WrongPassphraseError('wrong passphrase', { cause: error })
  }
}

/** OpenSSL gives the same errors for a part of PKCS #8 as for a wrong passphrase. */
function requireWhole(pem: string): void {
  const body = PKCS8.exec(pem)?.[1]
  if (body === undefined) {
    if (pem.includes('Proc-Type')) return
  } else if (isDer(Buffer.from(body, 'base64'))) return
  throw new Error('expected a whole key, got a part of one')
}

function isDer(bytes: Uint8Array): boolean {
  try {
    return readDer(bytes).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** @param key secret, of the curve P-256
 *  @param random provides 16 bytes for the salt, then 4 */
export function encryptedKeyPem(
  key: KeyObject,
  passphrase: string,
  random: (count: number) => Uint8Array,
): string {
  const { x = '', y = '', d = '' } = key.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const salt = random(SALT_BYTES)
  const check = random(4)
  const secret = Buffer.concat([
    check,
    check,
    field(TYPE),
    field(CURVE),
    field(point),
    field(unsigned(d)),
    field(''),
  ])
  const { name, keyBytes, ivBytes, block } = CTR
  const padding = Buffer.from(
    Array.from({ length: (block - (secret.length % block)) % block }, (_, at) => at + 1),
  )
  const derived = derive(passphrase, salt, ROUNDS, keyBytes + ivBytes)
  const cipher = createCipheriv(name, derived.subarray(0, keyBytes), derived.subarray(keyBytes))
  const container = Buffer.concat([
    MAGIC,
    field('aes256-ctr'),
    field('bcrypt'),
    field(Buffer.concat([field(salt), number(ROUNDS)])),
    number(1),
    field(Buffer.concat([field(TYPE), field(CURVE), field(point)])),
    field(Buffer.concat([cipher.update(Buffer.concat([secret, padding])), cipher.final()])),
  ])
  const lines = container.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${LABEL}-----`, ...lines, `-----END ${LABEL}-----`, ''].join('\n')
}

function containerIn(pem: string): Buffer | undefined {
  const body = CONTAINER.exec(pem)?.[2]
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64')
  return bytes?.subarray(0, MAGIC.length).equals(MAGIC) ? bytes : undefined
}

function openContainer(bytes: Buffer, passphrase: string): KeyObject {
  const outer = new Reader(bytes.subarray(MAGIC.length))
  const [cipher, kdf, options] = [outer.words(), outer.words(), outer.bytes()]
  const keys = outer.number()
  if (keys !== 1) throw new Error(`expected one key in it, got ${keys}`)
  outer.bytes() // the public key is in the secret part too
  const closed = outer.bytes()
  const isPlain = cipher === 'none' && kdf === 'none'
  return keyIn(isPlain ? closed : decrypted({ cipher, kdf, options, closed, tag: outer.rest() }, passphrase))
}

type Closed = Readonly<Record<'cipher' | 'kdf', string>> &
  Readonly<Record<'options' | 'closed' | 'tag', Buffer>>

function decrypted({ cipher, kdf, options, closed, tag }: Closed, passphrase: string): Buffer {
  const gcm = Object.hasOwn(GCM, cipher) ? GCM[cipher] : undefined
  const plain = Object.hasOwn(CIPHERS, cipher) ? CIPHERS[cipher] : undefined
  if (kdf !== 'bcrypt' || (gcm === undefined && plain === undefined))
    throw new Error(
      `expected one of the ciphers ${[...Object.keys(CIPHERS), ...Object.keys(GCM)].join(', ')} with bcrypt, got another; write the key again with ssh-keygen -p -Z aes256-ctr`,
    )
  const said = new Reader(options)
  const [salt, rounds] = [said.bytes(), said.number()]
  if (rounds < 1 || rounds > MOST_ROUNDS)
    throw new Error(`expected 1 to ${MOST_ROUNDS} rounds of bcrypt, got ${rounds}`)
  if (gcm !== undefined) {
    const keyBytes = gcm === 'aes-256-gcm' ? 32 : 16
    const derived = derive(passphrase, salt, rounds, keyBytes + GCM_IV_BYTES)
    const decipher = createDecipheriv(gcm, derived.subarray(0, keyBytes), derived.subarray(keyBytes))
    decipher.setAuthTag(tag.subarray(0, GCM_TAG_BYTES))
    return finished(() => Buffer.concat([decipher.update(closed), decipher.final()]))
  }
  const { name, keyBytes, ivBytes } = plain ?? CTR
  const derived = derive(passphrase, salt, rounds, keyBytes + ivBytes)
  const decipher = createDecipheriv(name, derived.subarray(0, keyBytes), derived.subarray(keyBytes))
  decipher.setAutoPadding(false)
  return finished(() => Buffer.concat([decipher.update(closed), decipher.final()]))
}

function finished(decrypt: () => Buffer): Buffer {
  try {
    return decrypt()
  } catch (error) {
    throw new WrongPassphraseError('wrong passphrase', { cause: error })
  }
}

/** The container repeats a random number in front of the key. A wrong passphrase gives two numbers that differ. */
function keyIn(secret: Buffer): KeyObject {
  const inner = new Reader(secret)
  const [first, second] = [inner.number(), inner.number()]
  if (first !== second) throw new WrongPassphraseError('wrong passphrase')
  const type = inner.words()
  if (type !== TYPE) throw new Error('expected a P-256 private key, got a key of another type')
  inner.words() // name of the curve, as the type says
  const point = inner.bytes()
  const scalar = inner.bytes()
  const d = Buffer.concat([Buffer.alloc(SCALAR_BYTES), scalar]).subarray(-SCALAR_BYTES)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  if (point.length !== POINT_BYTES || !pair.getPublicKey().equals(point))
    throw new Error('expected a private key with its own public key beside it, got another public key')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', d: inBase64(d), x: inBase64(x), y: inBase64(y) }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}

function inBase64(bytes: Buffer): string {
  return bytes.toString('base64url')
}

function derive(passphrase: string, salt: Uint8Array, rounds: number, length: number): Buffer {
  const secret = Buffer.from(passphrase)
  const output = Buffer.alloc(length)
  const code = bcrypt.pbkdf(secret, secret.length, salt, salt.length, output, length, rounds)
  if (code !== 0) throw new WrongPassphraseError('expected a passphrase and a salt, got an empty one')
  return output
}

/** A positive number of SSH: without leading zeros, and with one zero byte before a first bit that is set. */
function unsigned(base64url: string): Buffer {
  const hex = Buffer.from(base64url, 'base64url')
    .toString('hex')
    .replace(/^(00)+/, '')
  const bytes = Buffer.from(hex, 'hex')
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function field(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([number(bytes.length), bytes])
}

/** Fields with their lengths in front. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(): number {
    return this.#take(4).readUInt32BE()
  }

  bytes(): Buffer {
    return this.#take(this.number())
  }

  words(): string {
    return this.bytes().toString('latin1')
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  #take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new Error('expected a whole key, got a part of one')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
