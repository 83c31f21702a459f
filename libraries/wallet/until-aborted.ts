/** Waits for the user, who may abort. @module */
import { CancelledError } from './failure.ts'

/** @throws {CancelledError} as soon as the signal is aborted, without waiting for the answer */
export async function untilAborted<Value>(
  answer: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return answer
  let leave = (): void => undefined
  const walkedAway = new Promise<never>((_, reject) => {
    leave = () => reject(new CancelledError())
  })
  signal.addEventListener('abort', leave)
  try {
    if (signal.aborted) leave()
    return await Promise.race([answer, walkedAway])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
