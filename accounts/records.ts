/** The encrypted columns of an account: the record of its secrets (spec/keyshare-server#11.2), and w_k of a pending commitment. A record has two forms. The
 *  recorded form of existing servers opens in any row. The bound form opens only in the row that it was sealed for. @module */
import { bytesOf, integerOf, leftPadded } from '../crypto/bytes.ts'
import { writeCbor } from '../crypto/cbor.ts'
import { RecordError } from './record-error.ts'
import { type AccountSecrets, readSecrets, writeSecrets } from './secrets.ts'
import { type StorageKeys, seal, unseal } from './storage-keys.ts'

/** The length of w_k in a column, for all values: 640 bits. */
const RANDOMIZER_BYTES = 80
/** The length of `movedMs` at the end of a bound record. */
const MOVED_BYTES = 8

/** @param nonce 12 fresh random bytes */
export function sealRecord(secrets: AccountSecrets, keys: StorageKeys, nonce: Uint8Array): Uint8Array {
  return seal(writeSecrets(secrets), keys, nonce)
}

/** @throws {RecordError} */
export function openRecord(record: Uint8Array, keys: StorageKeys): AccountSecrets {
  return readSecrets(unseal(record, keys))
}

/** The columns of a row that a bound record belongs to. The names separate columns of one type. */
export type BoundColumns = Readonly<Record<string, string | number | Uint8Array | null>>

/** @param columns all other columns of the row
 *  @param movedMs of the store (stores/account-store.ts), when the row was written
 *  @param nonce 12 fresh random bytes */
export function sealBoundRecord(
  secrets: AccountSecrets,
  { columns, movedMs }: { readonly columns: BoundColumns; readonly movedMs: number },
  keys: StorageKeys,
  nonce: Uint8Array,
): Uint8Array {
  const sealed = seal(writeSecrets(secrets), keys, nonce, rowBytes(columns, movedMs))
  const moved = Buffer.alloc(MOVED_BYTES)
  moved.writeBigInt64LE(BigInt(movedMs))
  return Buffer.concat([sealed, moved])
}

/** @param columnsAt the columns as they were written, when the store had this `movedMs`
 *  @throws {RecordError} also if the record belongs to another row, or to an earlier state of this row */
export function openBoundRecord(
  record: Uint8Array,
  columnsAt: (movedMs: number) => BoundColumns,
  keys: StorageKeys,
): AccountSecrets {
  const movedAt = record.length - MOVED_BYTES
  if (movedAt < 0) throw new RecordError('record of an account: expected one that is bound, got fewer bytes')
  const movedMs = Number(Buffer.from(record).readBigInt64LE(movedAt))
  return readSecrets(unseal(record.subarray(0, movedAt), keys, rowBytes(columnsAt(movedMs), movedMs)))
}

function rowBytes(columns: BoundColumns, movedMs: number): Uint8Array {
  return writeCbor(['account', columns, movedMs])
}

/** @param wk secret, below 2^640
 *  @param userName of the account that asked for the commitment; w_k can be opened only with the same name
 *  @param nonce 12 fresh random bytes */
export function sealRandomizer(
  wk: bigint,
  userName: string,
  keys: StorageKeys,
  nonce: Uint8Array,
): Uint8Array {
  const bytes = leftPadded(bytesOf(wk), RANDOMIZER_BYTES, 'w_k, which is below 2^640')
  return seal(bytes, keys, nonce, purposeOf(userName))
}

/** @returns w_k; secret, to be used for one response only
 *  @throws {RecordError} */
export function openRandomizer(sealed: Uint8Array, userName: string, keys: StorageKeys): bigint {
  return integerOf(unseal(sealed, keys, purposeOf(userName)))
}

function purposeOf(userName: string): string {
  return `commitment of ${userName}`
}
