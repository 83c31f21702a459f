/** The column `progress`: what the handling of a submission has come to so far, from one effect to the next. Secret. @module */
import { fromBase64, toBase64 } from '../../crypto/bytes.ts'
import { restoreJson } from '../../protocol/json.ts'
import type { IssuableCommitments } from '../../sessions/checked.ts'
import type { Judgement } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { NewSession } from '../sessions.ts'

export type Progress = {
  readonly judgement: Judgement
  /** null: nothing is issued */
  readonly commitments: IssuableCommitments | null
  /** the next session of a chain, opened when this one ends; null: none so far */
  readonly next: NewSession | null
}

/** Numbers as Base64. */
type Stored = Omit<Progress, 'commitments'> & {
  readonly commitments: { readonly n2: string; readonly U: readonly string[] } | null
}

export function storeProgress({ commitments, ...rest }: Progress): string {
  const numbers = commitments && { n2: toBase64(commitments.n2), U: commitments.U.map(toBase64) }
  return JSON.stringify({ ...rest, commitments: numbers } satisfies Stored)
}

/** @throws {TypeError} for a claim that has come to nothing yet */
export function progressOf({ progress }: Pick<SessionRow, 'progress'>): Progress {
  if (progress === null) throw new TypeError('expected a claim with progress, got one without')
  const { commitments, ...rest } = restoreJson(progress) as Stored // what `storeProgress` wrote
  return {
    ...rest,
    commitments: commitments && { n2: fromBase64(commitments.n2), U: commitments.U.map(fromBase64) },
  }
}
