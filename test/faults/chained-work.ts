/** A session that issues and has a next session: its submission is checked, the next session requested, the credentials signed, each when the test
 *  allows it. Every text that a step leaves behind contains the number of its claim. @module */

import type { EffectOutcome } from '../../actors/effects/effects.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import {
  answerOf,
  connectedNode,
  deferred,
  type FinalOutcome,
  idOf,
  type NodeOptions,
  newSessionOf,
  settle,
  type TestNode,
} from '../actors/node.ts'

export const CHAINED = { hasNextSession: true, issues: true }
export const STEPS = ['checking', 'askingNext', 'signing'] as const
export type StepName = (typeof STEPS)[number]

/** The outcome of each step if nothing fails. */
const OUTCOMES = {
  checking: (claim: number): EffectOutcome => ({
    event: { type: 'server.checked', isValid: true },
    progress: `checked ${claim}`,
  }),
  askingNext: (claim: number): EffectOutcome => ({
    event: { type: 'server.askedNext' },
    progress: `asked ${claim}`,
  }),
  signing: (claim: number): FinalOutcome => ({
    event: { type: 'server.signed' },
    columns: { result: restoreOutcome(`"result ${claim}"`) },
    answer: answerOf(`signed ${claim}`),
    opens: newSessionOf(`child-${claim}`),
  }),
}

export const FAILED: FinalOutcome = {
  event: { type: 'server.failed' },
  columns: { result: restoreOutcome('"failed"') },
  answer: answerOf('failed', 500),
}

export type Work = {
  readonly options: Pick<NodeOptions, 'check' | 'askNext' | 'sign'>
  /** steps that have begun, with the number of their claim and the progress that they received */
  readonly begun: string[]
  /** holds a step; returns the function that releases it */
  hold(step: StepName): () => void
  /** replaces the outcome of a step, once */
  spoil(step: StepName, end: () => Promise<FinalOutcome>): void
}

export function chainedWork(): Work {
  const begun: string[] = []
  const held = new Map<StepName, Promise<void>>()
  const spoilt = new Map<StepName, () => Promise<FinalOutcome>>()
  const perform =
    (step: StepName) =>
    async ({ claim, progress }: SessionRow) => {
      const number = claim?.number ?? 0
      begun.push(`${step} ${number}: ${progress}`)
      await held.get(step)
      const end = spoilt.get(step)
      spoilt.delete(step)
      return end ? end() : OUTCOMES[step](number)
    }
  return {
    options: { check: perform('checking'), askNext: perform('askingNext'), sign: perform('signing') },
    begun,
    hold(step) {
      const { promise, resolve } = deferred()
      held.set(step, promise)
      return () => {
        held.delete(step)
        resolve()
      }
    },
    spoil: (step, end) => void spoilt.set(step, end),
  }
}

export type ChainedNode = TestNode & { readonly work: Work }

/** A node with one connected session of that kind. */
export async function chainedNode(options: NodeOptions = {}): Promise<ChainedNode> {
  const work = chainedWork()
  return { ...(await connectedNode({ ...work.options, ...options }, CHAINED)), work }
}

export function stateOf(row: SessionRow | null): string {
  const value = row?.snapshot?.value
  return typeof value === 'string' ? value : String(Object(value).CONNECTED)
}

/** Claims whose next session is stored. */
export async function childrenIn(store: Store): Promise<number[]> {
  const rows = await Promise.all(
    Array.from({ length: 30 }, (_, claim) => store.sessions.load(idOf(`child-${claim}`))),
  )
  return rows.flatMap((row, claim) => (row ? [claim] : []))
}

/** Submits and waits until that step has begun. */
export async function submitUntil(
  node: ChainedNode,
  step: StepName,
): Promise<{ answer: Promise<string>; letGo: () => void }> {
  const letGo = node.work.hold(step)
  const answer = node.submit()
  answer.catch(() => {}) // the test awaits it later
  while (stateOf(await node.row()) !== step) await settle()
  await settle()
  return { answer, letGo }
}
