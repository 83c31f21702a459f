/** What is never signed, calculated or issued, whoever tries, as it comes from a thread. @module */
import type { RemoteError } from '../../protocol/errors.ts'

/** The reason, as a thread sends it. */
export type Refusal = { readonly refusal: string }

/** @throws what is no error */
export function orRefusal<Result>(work: () => Result): Result | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) return { refusal: error.message }
    throw error
  }
}

/** What is never signed, whoever tries: keys that do not belong together, a commitment that no wallet makes. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused'
}

/** For a task's `catch`: what is never signed, calculated or issued becomes this error; a thread that died says nothing about it, and passes.
 *  @throws the same cause, or that error */
export function refusedAs(
  Failed: new (message: string, options: ErrorOptions) => RemoteError,
): (cause: unknown) => never {
  return cause => {
    if (cause instanceof SigningRefused) throw new Failed(cause.message, { cause })
    throw cause
  }
}

/** @throws {SigningRefused} */
export function orThrow<Result extends object>(outcome: Result | Refusal): Result {
  if ('refusal' in outcome) throw new SigningRefused(outcome.refusal)
  return outcome
}
