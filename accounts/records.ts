/** The encrypted columns of an account: the record of its secrets (spec/keyshare-server#11.2), and w_k of a pending commitment. @module */
import { bytesOf, integerOf, leftPadded } from '../crypto/bytes.ts'
import { type AccountSecrets, readSecrets, writeSecrets } from './secrets.ts'
import { type StorageKeys, seal, unseal } from './storage-keys.ts'

/** The length of w_k in a column, for all values: 640 bits. */
const RANDOMIZER_BYTES = 80

/** @param nonce 12 fresh random bytes */
export function sealRecord(secrets: AccountSecrets, keys: StorageKeys, nonce: Uint8Array): Uint8Array {
  return seal(writeSecrets(secrets), keys, nonce)
}

export type OpenedRecord = {
  readonly secrets: AccountSecrets
  /** True: the next commit of the account should encrypt the record again with the primary key. */
  readonly isOutdated: boolean
}

/** @throws {RecordError} */
export function openRecord(record: Uint8Array, keys: StorageKeys): OpenedRecord {
  const { plain, isPrimary } = unseal(record, keys)
  return { secrets: readSecrets(plain), isOutdated: !isPrimary }
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
  return integerOf(unseal(sealed, keys, purposeOf(userName)).plain)
}

function purposeOf(userName: string): string {
  return `commitment of ${userName}`
}
