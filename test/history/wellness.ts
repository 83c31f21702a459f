/** The times at which nodes were well. A delay counts only while some node was able to act. @module */
import type { History } from './lines.ts'

type Span = { readonly from: number; readonly to: number }

/** After trouble a node reconnects, and reads the changes that it missed. */
const RECOVERY_MS = 3_000

export type Wellness = {
  /** @returns the moment at which the node has been well for that long since `at`; if the node is null: at which at least one node has been */
  readonly after: (at: number, ms: number, node: string | null) => number
  /** true if any node was in trouble, or the machine delayed work, between the two moments */
  readonly isTroubled: (from: number, to: number) => boolean
}

/** @param recoveryMs time after the end of its trouble during which a node still counts as troubled */
export function wellnessOf(history: History, recoveryMs = RECOVERY_MS): Wellness {
  const nodes = new Set<string>()
  for (const line of history) if ('node' in line) nodes.add(line.node)
  const troubles = new Map([...nodes].map(node => [node, troublesOf(history, node, recoveryMs)]))
  const shared = [...troubles.values()].reduce(
    (all, some, index) => (index === 0 ? some : intersection(all, some)),
    [] as readonly Span[],
  )
  const delays = history.flatMap(line =>
    line.what === 'delay' ? [{ from: line.from, to: line.to + recoveryMs }] : [],
  )
  const all = [...troubles.values(), delays].flat()
  return {
    after: (at, ms, node) => wellAfter(node === null ? shared : (troubles.get(node) ?? []), at, ms),
    isTroubled: (from, to) => all.some(span => span.from <= to && span.to >= from),
  }
}

function troublesOf(history: History, node: string, recoveryMs: number): readonly Span[] {
  const lines = history
    .flatMap(line => (line.what === 'node' && line.node === node ? [line] : []))
    .sort((a, b) => a.at - b.at)
  const spans: Span[] = []
  let from: number | null = null
  for (const { at, isWell } of lines) {
    if (!isWell) from ??= at
    else if (from !== null) {
      spans.push({ from, to: at + recoveryMs })
      from = null
    }
  }
  if (from !== null) spans.push({ from, to: Number.POSITIVE_INFINITY })
  return spans
}

function intersection(some: readonly Span[], others: readonly Span[]): readonly Span[] {
  return some.flatMap(a =>
    others.flatMap(b => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)]
      return from < to ? [{ from, to }] : []
    }),
  )
}

function wellAfter(troubles: readonly Span[], at: number, ms: number): number {
  let [now, left] = [at, ms]
  for (const { from, to } of [...troubles].sort((a, b) => a.from - b.from)) {
    if (to <= now) continue
    if (now + left < from) return now + left
    left -= Math.max(0, from - now)
    now = to
  }
  return now + left
}
