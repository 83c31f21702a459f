/** The column `progress`: the outcomes of a submission's effects so far, for the next effect. Secret. @module */
import { fromBase64, toBase64 } from '../../crypto/bytes.ts'
import { restoreJson } from '../../protocol/json.ts'
import { restoreRequest } from '../../protocol/request.ts'
import type { IssuableCommitments } from '../../sessions/checked-submission.ts'
import type { Judgement } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { NewColumns, NewSession } from '../sessions.ts'

export type Progress = {
  readonly judgement: Judgement
  /** null: nothing is issued */
  readonly commitments: IssuableCommitments | null
  /** the next session of a chain, opened at the end of this one; null: none so far */
  readonly next: NewSession | null
}

/** Numbers as Base64, and the request of the next session as the text of its column. */
type Stored = Omit<Progress, 'commitments' | 'next'> & {
  readonly commitments: {
    readonly n2: string
    readonly U: readonly string[]
    readonly keys?: NonNullable<IssuableCommitments['keys']>
  } | null
  readonly next: StoredNext | null
}
type StoredNext = Omit<NewSession, 'columns'> & {
  readonly columns: Omit<NewColumns, 'request'> & { readonly request: string }
}

export function storeProgress({ judgement, commitments, next }: Progress): string {
  const stored: Stored = {
    judgement,
    commitments: commitments && {
      n2: toBase64(commitments.n2),
      U: commitments.U.map(toBase64),
      ...(commitments.keys && { keys: commitments.keys }),
    },
    next: next && { ...next, columns: { ...next.columns, request: next.columns.request.text } },
  }
  return JSON.stringify(stored)
}

/** @throws {TypeError} for a claim without the outcome of any effect */
export function progressOf({ progress }: Pick<SessionRow, 'progress'>): Progress {
  if (progress === null) throw new TypeError('expected a claim with progress, got one without')
  const { judgement, commitments, next } = restoreJson(progress) as Stored // written by `storeProgress`
  return {
    judgement,
    commitments: commitments && {
      n2: fromBase64(commitments.n2),
      U: commitments.U.map(fromBase64),
      ...(commitments.keys && { keys: commitments.keys }),
    },
    next: next && { ...next, columns: { ...next.columns, request: restoreRequest(next.columns.request) } },
  }
}
