/** The time limit of a call to another server. A limit is `Disposable`: with `using`, its timer is always cleared at the end of the call. @module */
import type { Clock } from './clock.ts'

export type Limit = Disposable & {
  /** aborted when the time has elapsed, when `stop` is aborted, and when the limit is disposed, so that no unread work continues */
  readonly signal: AbortSignal
  /** true: the time has elapsed */
  readonly isOver: boolean
  /** Restarts the time. @param ms null: no time limit from now on */
  restart(ms: number | null): void
}

/** The reason of every abort by a limit. It is shared, because an error with its own stack for each call would cost more than the limit. */
const ENDED = new DOMException('This operation was aborted', 'AbortError')

/** @param stop aborts the signal earlier */
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
