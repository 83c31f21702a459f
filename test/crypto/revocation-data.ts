/** A recorded update, and changes of it that are signed with the issuer's own key, for tests of refusals. @module */
import * as assert from 'uvu/assert'
import {
  type Accumulator,
  readAccumulator,
  type SignedAccumulator,
  signAccumulator,
} from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { recordedOf } from './recorded-revocation.ts'
import { keyOf } from './vectors.ts'

export const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
export const { initial, witness, afterThree: update } = recordedOf('svc-demo.fast-0')
export const accumulator = readAccumulator(update.signed)

/** The accumulator of the update with changes, and with a valid signature. */
export const signed = (changed: Partial<Accumulator>): SignedAccumulator =>
  signAccumulator({ ...accumulator, ...changed }, privateKey, key.counter)

export function refused(call: () => unknown, message: RegExp, isBadSignature = false): void {
  try {
    call()
  } catch (error) {
    if (!(error instanceof RevocationDataError)) throw error
    assert.match(error.message, message)
    assert.is(error.isBadSignature, isBadSignature)
    return
  }
  assert.unreachable('expected a RevocationDataError')
}
