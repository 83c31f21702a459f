/** A service that signs its results, and the claims of its signed results. @module */
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import type { Json } from './json.ts'
import { type Service, startService } from './service.ts'

const KEY_FILE = join(PROJECT, 'test/vectors/keys/session-jwt.private.pem')

export type SigningService = {
  readonly service: Service
  readonly publicKeyPem: string
  /** Checks the signature of a JWT, with the key that the service publishes. */
  claimsOf(jwt: string): Json
}

export async function startSigningService(options: SettingsOfTest = {}): Promise<SigningService> {
  const privateKey = createPrivateKey(readFileSync(KEY_FILE))
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const resultSigner = { issuer: 'demo server', privateKey, publicKeyPem }
  return {
    service: await startService({ resultSigner, ...options }),
    publicKeyPem,
    claimsOf(jwt) {
      const [head = '', body = '', signature = ''] = jwt.split('.')
      const signed = Buffer.from(`${head}.${body}`)
      if (!verify('sha256', signed, publicKeyPem, Buffer.from(signature, 'base64url')))
        throw new Error('expected a JWT signed by the service')
      return JSON.parse(Buffer.from(body, 'base64url').toString())
    },
  }
}
