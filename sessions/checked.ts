/** What checking a submission needs from outside, and what comes of it, for each of the three types of sessions. @module */
import type { ProofList } from '../crypto/proof-list.ts'
import type { StampedMessage, Timestamp } from '../crypto/timestamp.ts'
import type { Judgement } from './result.ts'

export type CheckServices = {
  /** every check on the numbers; false: not right. What it throws passes */
  readonly verify: (list: ProofList) => Promise<boolean>
  /** whether that timestamp server trusted the key of the timestamp at its time; what it throws passes */
  readonly isTrustedStamp: (server: string, timestamp: Timestamp) => Promise<boolean>
  /** `timestampNonce`, which for many proofs is as much work as checking one; what it throws passes */
  readonly timestampNonce: (stamped: StampedMessage) => Promise<Uint8Array>
}

/** What is signed when the submission is valid. Secret. */
export type IssuableCommitments = {
  readonly n2: bigint
  /** with the keyshare server's part, by credential of the request */
  readonly U: readonly bigint[]
}

export type Checked = {
  readonly judgement: Judgement
  /** null: nothing to issue, because of the type of the session or of the judgement */
  readonly commitments: IssuableCommitments | null
}
