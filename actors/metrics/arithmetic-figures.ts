/** Durations of the work on proofs and signatures, and of its wait for a thread. @module */
import type { Meter } from '../../ports/meter.ts'

const WORK_SEC = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const WAIT_SEC = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The work that waits or is in progress. */
export type QueueState = {
  readonly pieces: number
  /** its estimated duration */
  readonly estimatedMs: number
}

export type ArithmeticFigures = {
  /** @param kind of the piece, and the size of its key
   *  @returns to be called at its end, with the working time of the thread in ms, if known */
  readonly begin: (kind: string) => (ms?: number) => void
  /** how long a message has waited when its first piece begins */
  readonly waited: (ms: number) => void
  readonly watch: (queue: () => QueueState) => void
}

export function arithmeticFigures(meter: Meter): ArithmeticFigures {
  const work = meter.durations(
    {
      name: 'svc_arithmetic_seconds',
      help: 'Time that a worker thread takes for a proof, a signature or another piece of work',
      labels: ['work'],
    },
    WORK_SEC,
  )
  const waited = meter.durations(
    {
      name: 'svc_arithmetic_wait_seconds',
      help: 'Time for which a message waits until its first piece of work begins',
      labels: [],
    },
    WAIT_SEC,
  )
  return {
    begin(kind) {
      const beganAt = meter.now()
      const [name = ''] = kind.split(' ', 1)
      return (ms = meter.now() - beganAt) => work({ work: name }, ms / 1_000)
    },
    waited: ms => waited({}, ms / 1_000),
    watch(queue) {
      const gauge = (name: string, help: string, read: (state: QueueState) => number): void =>
        meter.gauge({ name, help, labels: [] }, () => [{ labels: {}, value: read(queue()) }])
      gauge('svc_arithmetic_queue_pieces', 'Pieces of work that wait or are worked on', state => state.pieces)
      gauge(
        'svc_arithmetic_queue_seconds',
        'Time that the work in the queue is estimated to take; past max_queue_time no session is started',
        state => state.estimatedMs / 1_000,
      )
    },
  }
}
