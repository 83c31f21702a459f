/** The time that a call to others may take. A limit is `Disposable`: with `using`, no timer stays when the call is over, however it ended. @module */
import type { Clock } from './clock.ts'

export type Limit = Disposable & {
  /** aborted when the time is over, when whoever may stop the call does, and at the end of the limit, so that nothing goes on that nobody reads */
  readonly signal: AbortSignal
  /** whether it was the time that ended it */
  readonly isOver: boolean
  /** The time begins anew. @param ms null: it has no end any more */
  restart(ms: number | null): void
}

/** Why whatever a limit ends is ended. It is made once: one with a stack of its own for each call would cost more than the limit. */
const ENDED = new DOMException('This operation was aborted', 'AbortError')

/** @param stop ends it sooner */
export function timeLimit(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  ms: number,
  stop?: AbortSignal,
): Limit {
  const abort = new AbortController()
  let isOver = false
  const end = (): void => abort.abort(ENDED)
  const expire = (): void => {
    isOver = true
    end()
  }
  let timer = clock.setTimeout(expire, ms)
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()
  return {
    signal: abort.signal,
    get isOver() {
      return isOver
    },
    restart(again) {
      clock.clearTimeout(timer)
      if (again !== null) timer = clock.setTimeout(expire, again)
    },
    [Symbol.dispose]() {
      clock.clearTimeout(timer)
      stop?.removeEventListener('abort', end)
      end()
    },
  }
}
