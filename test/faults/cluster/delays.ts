/** Delays of a machine that is too slow for the time limits of the servers. Each is a line of the history, because a node may then have to repeat a post. @module */
import type { DelayLine, HistoryLine } from '../../history/lines.ts'
import { pause } from '../../patience.ts'

/** The two log lines of a node about its store: the store gave no answer, and the store has worked again for a while. */
const STORE_LINE = /store .*: (?:expected .*|it works again)/
/** The store failed at most this long before such a line: the limit of an answer, plus the time after which the store counts as working. */
const BEFORE_LINE_MS = 8_000
/** A longer pause of this process is a delay. Stores have the same time for an answer. */
const SLOW_MS = 3_000
const LOOK_MS = 250

/** @param output of a node
 *  @returns one delay, or none */
export function storeDelayIn(output: string): readonly DelayLine[] {
  const [why] = STORE_LINE.exec(output) ?? []
  const to = Date.now()
  return why === undefined ? [] : [{ what: 'delay', from: to - BEFORE_LINE_MS, to, why }]
}

/** Records each time in which this process could not run.
 *  @returns ends it */
export function watchDelays(record: (line: HistoryLine) => void): () => void {
  let isOver = false
  void (async () => {
    for (let from = Date.now(); !isOver; from = Date.now()) {
      await pause(LOOK_MS)
      const to = Date.now()
      if (to - from > SLOW_MS)
        record({ what: 'delay', from, to, why: 'the process of the test could not run' })
    }
  })()
  return () => {
    isOver = true
  }
}
