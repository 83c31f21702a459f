/** Credentials that a demo issuer signed in the past. The private keys of the demo schemes are public. @module */
import { encodeAttribute } from '../../crypto/attribute.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { NotTriedError } from '../../libraries/conformance/expect.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { type Credential, recognise } from '../../libraries/wallet/credential.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { arithmetic, bytes } from './forge.ts'

export type Dates = { readonly issuedAtSec: number; readonly expiresAtSec: number }

/** @returns a credential whose first attribute has the value `old`
 *  @throws {NotTriedError} if the schemes lack the private key */
export function signedInThePast(
  { wallet: { schemes } }: Service,
  secretKey: bigint,
  name: string,
  dates: Dates,
): Credential {
  const credentialType = parseCredentialTypeId(name)
  const type = schemes.credentialType(credentialType)
  const privateKey = type && schemes.latestPrivateKey(issuerOf(type.id))
  const key = privateKey && schemes.publicKey(issuerOf(credentialType), privateKey.counter)
  if (!type || !privateKey || !key) throw new NotTriedError(`the schemes have no private key for ${name}`)
  const metadata = encodeMetadata({ ...dates, keyCounter: key.counter, credentialType })
  const attributes = [metadata, ...type.attributes.map((_, i) => encodeAttribute(i === 0 ? 'old' : null))]
  const signature = signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, bytes)
  const credential = recognise({ id: 'old', attributes, signature }, schemes)
  if (credential === null) throw new Error(`${name}: expected a credential of the schemes`)
  return credential
}
