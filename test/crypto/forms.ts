/** OpenSSL's functions with each way to multiply (crypto/bignum/multipliers.ts) that this machine has. @module */
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'

const lib = loadLibcrypto()
const withoutDigits = { ...lib, multiplyDigits: new Map() }

/** All ways, the fastest first. */
export const FORMS: readonly Libcrypto[] = [
  ...(lib.multiplyDigits.size > 0 ? [lib] : []),
  ...(lib.multiplyWords === undefined ? [] : [withoutDigits]),
  { ...withoutDigits, multiplyWords: undefined },
]

/** Runs `happens` before each multiplication. */
export function between(form: Libcrypto, happens: () => void): Libcrypto {
  const after =
    <Input extends readonly unknown[], Output>(call: (...input: Input) => Output) =>
    (...input: Input): Output => {
      happens()
      return call(...input)
    }
  return {
    ...form,
    multiply: after(form.multiply),
    multiplyWords: form.multiplyWords && after(form.multiplyWords),
    multiplyDigits: new Map([...form.multiplyDigits].map(([digits, multiply]) => [digits, after(multiply)])),
  }
}
