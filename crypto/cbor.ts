/** The CBOR form of everything that is signed, hashed or encrypted: definite lengths, shortest forms, and map keys in the order of declaration. @module */
import { encode } from 'cborg'

type CborValue =
  | null
  | bigint
  | number
  | string
  | Uint8Array
  | CborList
  | CborObject
  | ReadonlyMap<number, CborValue>
type CborList = readonly CborValue[]
type CborObject = { readonly [name: string]: CborValue | undefined }

/** Members in the given order; undefined members are left out. */
export function writeCbor(value: CborValue): Uint8Array {
  return encode(value, { mapSorter: () => 0, ignoreUndefinedProperties: true })
}
