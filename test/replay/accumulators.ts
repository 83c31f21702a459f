/** Accumulators in answers. Every signature of an accumulator has its own random number. So accumulators are compared by their content, and our signature is verified.
 *  Answers of revocation servers are CBOR, and are converted to texts. @module */
import { decode } from 'cborg'
import { openAccumulator, type SignedAccumulator } from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { readSigned } from '../../crypto/revocation/signed-bytes.ts'
import { writeJson } from '../../protocol/json.ts'
import type { Schemes } from '../../schemes/types.ts'

const IN_JSON = /"data":"([\w+/]+=*)","pk":(\d+)/g
const IN_CBOR = /"data":h'([0-9a-f]+)',"pk":(\d+)/g

/** @param text JSON, or a result of `cborText` */
export function withoutSignatures(text: string): string {
  return text
    .replace(IN_JSON, (_, data: string, pk: string) => `"data":"${saidBy(data, 'base64')}","pk":${pk}`)
    .replace(IN_CBOR, (_, data: string, pk: string) => `"data":h'${saidBy(data, 'hex')}',"pk":${pk}`)
}

function saidBy(data: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(readSigned(Buffer.from(data, encoding), 'accumulator').Msg).toString('hex')
}

/** In the notation of RFC 8949, without white space; a remote error in JSON. */
export function cborText(bytes: Uint8Array): string {
  const value: unknown = decode(bytes, { useMaps: true })
  return value instanceof Map && value.has('error') ? writeJson(Object.fromEntries(value)) : notation(value)
}

function notation(value: unknown): string {
  if (value instanceof Uint8Array) return `h'${Buffer.from(value).toString('hex')}'`
  if (value instanceof Map)
    return `{${[...value].map(([key, each]) => `${notation(key)}:${notation(each)}`).join(',')}}`
  return Array.isArray(value) ? `[${value.map(notation).join(',')}]` : JSON.stringify(value)
}

/** @param text as above
 *  @returns its accumulators without a valid signature of an issuer, one line each */
export function forgedAccumulators(text: string, schemes: Schemes): string[] {
  const found = [
    ...[...text.matchAll(IN_JSON)].map(([, data = '', pk]) => signedOf(data, 'base64', pk)),
    ...[...text.matchAll(IN_CBOR)].map(([, data = '', pk]) => signedOf(data, 'hex', pk)),
  ]
  return found.filter(each => !isSigned(each, schemes)).map(() => 'an accumulator that no issuer has signed')
}

function signedOf(data: string, encoding: 'base64' | 'hex', counter: string | undefined): SignedAccumulator {
  return { data: Buffer.from(data, encoding), keyCounter: Number(counter) }
}

function isSigned(signed: SignedAccumulator, { schemes }: Schemes): boolean {
  const issuers = [...schemes.values()].flatMap(scheme => [...scheme.issuers.values()])
  const keys = issuers.flatMap(({ publicKeys }) => publicKeys.get(signed.keyCounter) ?? [])
  return keys.some(key => {
    try {
      return openAccumulator(signed, key).index >= 0
    } catch (error) {
      if (error instanceof RevocationDataError) return false
      throw error
    }
  })
}
