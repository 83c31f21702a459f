/** The certificates of an SD-JWT issuer (spec/session-server#18): the leaf first, then the certificates of its CAs. A chain whose SD-JWTs every wallet app
 *  would refuse is a broken file. @module */

import { type KeyObject, X509Certificate } from 'node:crypto'
import { parseUrl } from '../../ports/parse-url.ts'
import { BrokenFileError } from '../scheme-error.ts'
import { extensionOf, readDer, TAGS } from './der.ts'

/** Object identifiers in DER, in hexadecimal. */
const KEY_USAGE = '551d0f'
const SUBJECT_ALT_NAME = '551d11'
/** 2.1.123.1: the registration of the issuer with the scheme of wallet apps */
const REGISTRATION = '517b01'
const DIGITAL_SIGNATURE = 0x80

export type Chain = {
  /** `iss` of its SD-JWTs */
  readonly url: string
  /** standard Base64 of DER, in the order of the file */
  readonly x5c: readonly string[]
  readonly leaf: X509Certificate
  /** the time in which every certificate of the chain is valid */
  readonly validFromSec: number
  readonly validUntilSec: number
  /** facts because of which some wallet apps may refuse its SD-JWTs; without the name of the file */
  readonly warnings: readonly string[]
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[^-]*-----END \1-----/g

export type PemBlock = { readonly label: string; readonly text: string }

/** @returns the blocks of a file in PEM, in their order */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(BLOCK)].map(([block, label = '']) => ({ label, text: block }))
}

const PRIVATE = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/m
const HAS_PRIVATE = 'the file also has a private key, which belongs in the folder of private keys alone'
const BEGIN = /^-----BEGIN CERTIFICATE-----/gm

/** @throws {BrokenFileError} */
export function readChain(text: string): Chain {
  const chain = pemBlocks(text)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(parseCertificate)
  const [leaf] = chain
  if (leaf === undefined)
    throw new BrokenFileError('expected certificates in PEM, the one of the issuer first, got none')
  if ([...text.matchAll(BEGIN)].length > chain.length)
    throw new BrokenFileError('expected whole certificates in PEM, got one without its end')
  checkOrder(chain)
  checkLeaf(leaf)
  return {
    leaf,
    url: urlOf(leaf),
    x5c: chain.map(({ raw }) => raw.toString('base64')),
    validFromSec: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom) / 1_000)),
    validUntilSec: Math.min(...chain.map(({ validTo }) => Date.parse(validTo) / 1_000)),
    warnings: [...warningsAbout(leaf, chain.length), ...(PRIVATE.test(text) ? [HAS_PRIVATE] : [])],
  }
}

function parseCertificate({ text }: PemBlock, position: number): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new BrokenFileError(`certificate ${position + 1}: expected a certificate in PEM, got another text`)
  }
}

/** Each certificate is signed by the next one. */
function checkOrder(chain: readonly X509Certificate[]): void {
  for (const [i, certificate] of chain.entries()) {
    const issuer = chain[i + 1]
    if (issuer === undefined || isSignedBy(certificate, issuer)) continue
    throw new BrokenFileError(
      `certificate ${i + 1}: expected to be signed by certificate ${i + 2}, got another issuer; write the certificate of the issuer first, then its CA`,
    )
  }
}

/** True if the issuer is a CA, and has signed the certificate. */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(publicKeyOf(issuer))
}

/** Node decodes the key at its first use.
 *  @throws {BrokenFileError} */
export function publicKeyOf(certificate: X509Certificate): KeyObject {
  try {
    return certificate.publicKey
  } catch {
    throw new BrokenFileError('expected a public key that can be read in each certificate, got another')
  }
}

export function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

function checkLeaf(leaf: X509Certificate): void {
  if (!isP256(publicKeyOf(leaf)))
    throw new BrokenFileError('expected a key on the curve P-256 in the first certificate, got another key')
  if (!maySign(leaf))
    throw new BrokenFileError(
      'expected the key usage digitalSignature in the first certificate, got a certificate without it; wallet apps would refuse every SD-JWT',
    )
}

/** True if the certificate names the key usage digitalSignature. */
export function maySign(certificate: X509Certificate): boolean {
  const usage = extension(certificate, KEY_USAGE)
  const [bits] = usage === null ? [] : readDer(usage)
  // the first byte counts the unused bits
  return bits?.tag === TAGS.bitString && ((bits.content[1] ?? 0) & DIGITAL_SIGNATURE) !== 0
}

export function urlOf(leaf: X509Certificate): string {
  const names = extension(leaf, SUBJECT_ALT_NAME)
  const [list] = names === null ? [] : readDer(names)
  const uri = (list ? readDer(list.content) : []).find(({ tag }) => tag === TAGS.uri)
  if (uri === undefined)
    throw new BrokenFileError(
      'expected the https address of the issuer as URI among the alternative names of the first certificate, got no URI',
    )
  const url = Buffer.from(uri.content).toString('latin1')
  if (!url.startsWith('https://') || parseUrl(url) === null)
    throw new BrokenFileError(
      `expected an https address as first URI among the alternative names of the first certificate, got ${JSON.stringify(url)}`,
    )
  return url
}

function warningsAbout(leaf: X509Certificate, count: number): string[] {
  const isSelfSigned = leaf.issuer === leaf.subject
  return [
    ...(isSelfSigned ? ['the certificate is self-signed: wallet apps accept only CAs that they know'] : []),
    ...(count === 1 && !isSelfSigned
      ? ['there is no CA beside the certificate: wallet apps that do not know its CA refuse the SD-JWTs']
      : []),
    ...(extension(leaf, REGISTRATION) === null
      ? ['the certificate has no extension 2.1.123.1: Yivi apps refuse the SD-JWTs']
      : []),
  ]
}

function extension(certificate: X509Certificate, oid: string): Uint8Array | null {
  try {
    return extensionOf(certificate.raw, oid)
  } catch (error) {
    if (error instanceof RangeError)
      throw new BrokenFileError('expected readable extensions', { cause: error })
    throw error
  }
}
