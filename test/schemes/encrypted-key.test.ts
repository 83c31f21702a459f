/** Private keys of schemes with a passphrase (spec/schemes-and-cli#16.6). */
import { execFileSync, spawnSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  encryptedKeyPem,
  needsPassphrase,
  openKeyPem,
  WrongPassphraseError,
} from '../../schemes/encrypted-key.ts'
import { isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Keys = suite('private keys of schemes with a passphrase')

const PASSPHRASE = 'correct horse'
const FOLDER = join(PROJECT, 'test/vectors/scheme-keys')
const recorded = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
const spkiOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

for (const name of readdirSync(FOLDER).filter(each => each !== 'other-type.pem')) {
  const isPlain = name === 'ssh-plain.pem'
  Keys(`${name} is opened only with its passphrase`, () => {
    const pem = recorded(name)
    assert.is(needsPassphrase(pem), !isPlain)
    const key = openKeyPem(pem, isPlain ? '' : PASSPHRASE)
    assert.is(key.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    if (isPlain) return
    for (const wrong of [`${PASSPHRASE} `, 'x', ''])
      assert.throws(
        () => openKeyPem(pem, wrong),
        (error: unknown) => error instanceof WrongPassphraseError,
      )
  })
}

/** @param isWanted is called with the first byte of the secret number */
function keyThat(isWanted: (first: number) => boolean): KeyObject {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const [first = 0] = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
    if (isWanted(first)) return privateKey
  }
}

Keys('the error for a part of a PKCS #8 key differs from that for a wrong passphrase', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sealed = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE } as const
  const lines = privateKey.export(sealed).toString().trim().split('\n')
  for (const part of [lines.slice(0, -1), lines.toSpliced(3, 1), lines.toSpliced(2, 3)])
    assert.throws(() => openKeyPem(part.join('\n'), PASSPHRASE), /^expected a whole key, got a part of one$/)
})

Keys('a written key is read again, and each encryption differs', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = encryptedKeyPem(privateKey, PASSPHRASE, randomBytes)
  assert.match(pem, /^-----BEGIN ENCRYPTED IRMA SCHEME PRIVATE KEY-----\n/)
  assert.is(spkiOf(openKeyPem(pem, PASSPHRASE)), spkiOf(privateKey))
  assert.is.not(encryptedKeyPem(privateKey, PASSPHRASE, randomBytes), pem)
})

for (const [what, isWanted] of [
  ['a zero byte', (first: number) => first === 0],
  ['a set bit', (first: number) => first >= 0x80],
  ['a bit that is not set', (first: number) => first > 0 && first < 0x80],
] as const)
  Keys(`a secret number that begins with ${what} is read again`, () => {
    const privateKey = keyThat(isWanted)
    const pem = encryptedKeyPem(privateKey, PASSPHRASE, randomBytes)
    assert.is(spkiOf(openKeyPem(pem, PASSPHRASE)), spkiOf(privateKey))
  })

if (!isMissing('ssh-keygen', spawnSync('ssh-keygen', ['-?']).error === undefined))
  Keys('ssh-keygen reads a written key, under its own label', () => {
    const privateKey = keyThat(first => first >= 0x80) // such a number gets a leading zero byte
    const file = join(temporaryFolder(), 'key')
    const pem = encryptedKeyPem(privateKey, PASSPHRASE, randomBytes)
    writeFileSync(file, pem.replaceAll('ENCRYPTED IRMA SCHEME', 'OPENSSH'))
    chmodSync(file, 0o600)
    execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-P', PASSPHRASE, '-N', '', '-f', file])
    assert.is(spkiOf(openKeyPem(readFileSync(file, 'utf8'), '')), spkiOf(privateKey))
  })

/** The same container with other bytes. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  const [first = '', ...lines] = recorded(name).trim().split('\n')
  const last = lines.pop() ?? ''
  return [first, change(Buffer.from(lines.join(''), 'base64')).toString('base64'), last, ''].join('\n')
}

Keys('a part of a key, too many rounds, another cipher and another type have separate errors', () => {
  const refused = (pem: string, reason: RegExp): void => {
    assert.throws(() => openKeyPem(pem, PASSPHRASE), reason)
  }
  const name = 'existing.pem'
  for (const length of [20, 60, 200])
    refused(
      changed(name, bytes => bytes.subarray(0, length)),
      /expected a whole key, got a part of one/,
    )
  const rounds = (count: number) => (bytes: Buffer) => {
    bytes.writeUInt32BE(count, 63) // after the salt
    return bytes
  }
  for (const count of [0, 3_001, 2 ** 32 - 1])
    refused(changed(name, rounds(count)), /expected 1 to 3000 rounds of bcrypt, got/)
  const cipher = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('latin1').replace('aes256-ctr', 'aes999-ctr'), 'latin1')
  refused(
    changed(name, cipher),
    /expected one of the ciphers aes256-ctr, .* with bcrypt, got another; write the key again/,
  )
  const otherPoint = (bytes: Buffer): Buffer => {
    const at = bytes.lastIndexOf(Buffer.of(0, 0, 0, 65, 4))
    bytes.writeUInt8(bytes.readUInt8(at + 10) ^ 1, at + 10)
    return bytes
  }
  refused(changed('ssh-plain.pem', otherPoint), /its own public key beside it, got another public key/)
  refused(recorded('other-type.pem'), /expected a P-256 private key, got a key of another type/)
})

Keys.run()
