/** The services that a check of a submission needs, and its outcome for the three types of sessions. @module */
import type { ProofList } from '../crypto/proof-list.ts'
import type { StampedMessage, Timestamp } from '../crypto/timestamp.ts'
import type { PublicJwk } from '../protocol/sd-jwt/key-binding-keys.ts'
import type { NoteFirstVersion } from './first-version.ts'
import type { Judgement } from './result.ts'

export type CheckServices = {
  /** checks all numbers of the proofs; false: a proof is wrong. Its errors are passed on */
  readonly verify: (list: ProofList) => Promise<boolean>
  /** true if the timestamp server trusted this key at the time of the timestamp; its errors are passed on */
  readonly isTrustedStamp: (server: string, timestamp: Timestamp) => Promise<boolean>
  /** `timestampNonce`, which for many proofs takes as long as checking one proof; its errors are passed on */
  readonly timestampNonce: (stamped: StampedMessage) => Promise<Uint8Array>
  /** called if `keyshareV1` is `warn` */
  readonly noteFirstVersion: NoteFirstVersion
}

/** The values that are signed if the submission is valid. Secret. */
export type IssuableCommitments = {
  readonly n2: bigint
  /** by credential of the request, with the part of the keyshare server */
  readonly U: readonly bigint[]
  /** for the SD-JWTs; left out or empty: the app wants none */
  readonly keys?: readonly PublicJwk[]
}

export type CheckedSubmission = {
  readonly judgement: Judgement
  /** null: there is nothing to issue, because of the session type or the judgement */
  readonly commitments: IssuableCommitments | null
}
