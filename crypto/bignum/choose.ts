/** Chooses the arithmetic of this thread. @module */
import type { Arithmetic } from './arithmetic.ts'
import { bigintArithmetic } from './bigint.ts'
import { loadLibcrypto } from './libcrypto.ts'
import { opensslArithmetic } from './openssl.ts'
import { selfTest } from './self-test.ts'

let chosen: Arithmetic | undefined

function openssl(): Arithmetic {
  if (chosen === undefined) {
    const candidate = opensslArithmetic(loadLibcrypto())
    selfTest(candidate)
    chosen = candidate
  }
  return chosen
}

/** The arithmetic of this thread, the same one at every call. `auto` takes OpenSSL if it passes its self-test, else BigInt.
 *  @throws {Error} for `openssl` if its functions cannot be called or calculate wrongly */
export function chooseArithmetic(wanted: 'auto' | 'openssl' | 'bigint'): Arithmetic {
  if (wanted === 'bigint') return bigintArithmetic
  try {
    return openssl()
  } catch (error) {
    if (wanted === 'openssl') throw error
    return bigintArithmetic // the name in the result shows the choice
  }
}
