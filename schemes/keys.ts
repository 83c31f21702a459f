/** Readers of issuer key files (spec/schemes-and-cli#7; spec/cryptography#2). A public key is trusted because a signed index lists it; only the form and
 *  size of its numbers are checked. No error contains a number of a private key. @module */
import { createPrivateKey, ECDH } from 'node:crypto'
import { SPKI_P256 } from '../crypto/issuer-key.ts'
import { type IssuerPrivateKey, type IssuerPublicKey, systemParameters } from '../crypto/public-key.ts'
import { BrokenFileError } from './scheme-error.ts'
import type { XmlElement } from './xml.ts'
import {
  bigIntegerAt,
  checkEqual,
  elementsAt,
  integerAt,
  parseBigInteger,
  parseInteger,
  textAt,
  unsignedAt,
} from './xml-values.ts'

const POINT_LENGTH = 65
export const NAMESPACE = 'http://www.zurich.ibm.com/security/idemix'

/** @throws {BrokenFileError} */
export function readPublicKey(root: XmlElement, counter: number): IssuerPublicKey {
  checkRoot(root, 'IssuerPublicKey')
  checkEqual('Counter', String(counter), String(unsignedAt(root, 'Counter')))
  const n = bigIntegerAt(root, 'Elements', 'n')
  checkSize(n)
  const key = {
    n,
    Z: bigIntegerAt(root, 'Elements', 'Z'),
    S: bigIntegerAt(root, 'Elements', 'S'),
    R: readBases(root),
    counter,
    expiresAtSec: integerAt(root, 'ExpiryDate'),
  }
  const revocation = readRevocation(root)
  return revocation ? { ...key, revocation } : key
}

function checkSize(n: bigint): void {
  try {
    systemParameters(n)
  } catch (cause) {
    throw new BrokenFileError(`n: expected 1024, 2048 or 4096 bits, got ${n.toString(2).length}`, { cause })
  }
}

/** In document order; the names of the elements are ignored. */
function readBases(root: XmlElement): readonly bigint[] {
  const container = elementsAt(root, 'Elements', 'Bases').at(-1)
  const bases = container?.children ?? []
  const announced = parseInteger(container?.attributes.get('num') ?? '', 'num')
  if (announced !== bases.length)
    throw new BrokenFileError(
      `Bases: expected as many elements as num says: num says ${announced}, but there are ${bases.length}`,
    )
  return bases.map((base, index) => parseBigInteger(base.text, `base ${index}`))
}

/** A key supports revocation only if it has all three parts. */
function readRevocation(root: XmlElement): IssuerPublicKey['revocation'] {
  const ecdsa = textAt(root, 'ECDSA')
  const hasBases = ['G', 'H'].every(name => elementsAt(root, 'Elements', name).length > 0)
  if (ecdsa === '' || !hasBases) return undefined
  checkEcdsa(ecdsa, isPublicP256)
  return { G: bigIntegerAt(root, 'Elements', 'G'), H: bigIntegerAt(root, 'Elements', 'H'), ecdsa }
}

/** @throws {BrokenFileError} */
export function readPrivateKey(root: XmlElement): IssuerPrivateKey {
  checkRoot(root, 'IssuerPrivateKey')
  const key = {
    p: bigIntegerAt(root, 'Elements', 'p'),
    q: bigIntegerAt(root, 'Elements', 'q'),
    pPrime: bigIntegerAt(root, 'Elements', 'pPrime'),
    qPrime: bigIntegerAt(root, 'Elements', 'qPrime'),
    counter: unsignedAt(root, 'Counter'),
    expiresAtSec: integerAt(root, 'ExpiryDate'),
  }
  const ecdsa = textAt(root, 'ECDSA')
  if (ecdsa === '') return key
  checkEcdsa(ecdsa, isPrivateP256)
  return { ...key, ecdsa }
}

function checkRoot(root: XmlElement, name: string): void {
  checkEqual('root element', name, root.name)
  const namespace = root.attributes.get(root.prefix ? `xmlns:${root.prefix}` : 'xmlns') ?? ''
  checkEqual('namespace', NAMESPACE, namespace)
}

function checkEcdsa(ecdsa: string, isKey: (der: Buffer) => boolean): void {
  const der = Buffer.from(ecdsa, 'base64')
  if (der.toString('base64') !== ecdsa || !isKey(der))
    throw new BrokenFileError('ECDSA: expected the Base64 of a P-256 key, got something else')
}

/** True for a SubjectPublicKeyInfo whose point is on the curve. Takes a tenth of the CPU time of creating a key object. */
function isPublicP256(der: Buffer): boolean {
  const [prefix, point] = [der.subarray(0, SPKI_P256.length), der.subarray(SPKI_P256.length)]
  if (!prefix.equals(SPKI_P256) || point.length !== POINT_LENGTH) return false
  try {
    return ECDH.convertKey(point, 'prime256v1').length > 0
  } catch {
    return false // not on the curve
  }
}

function isPrivateP256(der: Buffer): boolean {
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'sec1' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false // not a SEC 1 key
  }
}
