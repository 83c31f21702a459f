/** Refusals of a thread: input that must never be signed, calculated or issued. @module */
import type { RemoteError } from '../../protocol/errors.ts'

/** The reason, as sent by a thread. */
export type Refusal = { readonly refusal: string }

/** @throws a thrown value that is no Error */
export function orRefusal<Result>(work: () => Result): Result | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) return { refusal: error.message }
    throw error
  }
}

/** A thread has refused the input of its task: keys that do not belong together, or a commitment that no wallet makes. */
export class TaskRefusedError extends Error {
  override readonly name = 'TaskRefusedError'
}

/** For the `catch` of a task: a refusal becomes the given error. The failure of a thread is no refusal, and is rethrown.
 *  @throws the same cause, or the given error */
export function refusedAs(
  Failed: new (message: string, options: ErrorOptions) => RemoteError,
): (cause: unknown) => never {
  return cause => {
    if (cause instanceof TaskRefusedError) throw new Failed(cause.message, { cause })
    throw cause
  }
}

/** @throws {TaskRefusedError} */
export function orThrow<Result extends object>(outcome: Result | Refusal): Result {
  if ('refusal' in outcome) throw new TaskRefusedError(outcome.refusal)
  return outcome
}
