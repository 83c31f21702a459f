/** The few parts of DER (X.690) that certificates of SD-JWT issuers need: the extensions of a certificate, and the values in them. @module */

export type Der = {
  readonly tag: number
  readonly content: Uint8Array
}

export const TAGS = { bitString: 0x03, octetString: 0x04, oid: 0x06, uri: 0x86, extensions: 0xa3 } as const

const LONG_FORM = 0x80
/** Certificates are shorter than 2^32 bytes. */
const MAX_LENGTH_BYTES = 4

/** @returns the values that lie one after another
 *  @throws {RangeError} if a value ends outside of the bytes */
export function readDer(bytes: Uint8Array): readonly Der[] {
  const values: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const { tag, start, end } = headOf(bytes, at)
    values.push({ tag, content: bytes.subarray(start, end) })
    at = end
  }
  return values
}

function headOf(bytes: Uint8Array, at: number) {
  const [tag, first] = [byteAt(bytes, at), byteAt(bytes, at + 1)]
  const count = first < LONG_FORM ? 0 : first - LONG_FORM
  if (count > MAX_LENGTH_BYTES || first === LONG_FORM) throw new RangeError('DER: expected a definite length')
  const start = at + 2 + count
  let length = count === 0 ? first : 0
  for (let i = at + 2; i < start; i++) length = length * 256 + byteAt(bytes, i)
  const end = start + length
  if (end > bytes.length) throw new RangeError('DER: expected a value inside of the bytes')
  return { tag, start, end }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new RangeError('DER: expected more bytes')
  return byte
}

/** The value of an extension of a certificate (RFC 5280, 4.1).
 *  @param certificate in DER
 *  @param oid its encoded object identifier, in hexadecimal
 *  @returns null: the certificate does not have it
 *  @throws {RangeError} */
export function extensionOf(certificate: Uint8Array, oid: string): Uint8Array | null {
  const [whole] = readDer(certificate)
  const [toBeSigned] = readDer(whole?.content ?? certificate)
  const parts = toBeSigned ? readDer(toBeSigned.content) : []
  const wrapped = parts.find(({ tag }) => tag === TAGS.extensions)
  const [list] = wrapped ? readDer(wrapped.content) : []
  for (const extension of list ? readDer(list.content) : []) {
    const members = readDer(extension.content)
    const name = members.find(({ tag }) => tag === TAGS.oid)
    const value = members.find(({ tag }) => tag === TAGS.octetString)
    if (name && value && Buffer.from(name.content).toString('hex') === oid) return value.content
  }
  return null
}
