/** What a worker thread does: check the proofs of one message, calculate what its timestamp is about, sign one credential, find one prime; make one
 *  witness, revoke. @module */
import { randomBytes } from 'node:crypto' // no function reaches another thread as an argument
import { parentPort, threadId, workerData } from 'node:worker_threads'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import {
  type CredentialToSign,
  findSignaturePrime,
  type IssuedSignature,
  signCommitment,
} from '../../crypto/issuance.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { type Revocations, revoke } from '../../crypto/revocation/authority.ts'
import { issueWitness, type Witness } from '../../crypto/revocation/witness.ts'
import { type StampedMessage, timestampNonce } from '../../crypto/timestamp.ts'

type Shared<T> = Omit<T, 'key'> & { readonly key: SharedKey }

export type SharedList = Omit<ProofList, 'disclosures' | 'commitments'> & {
  readonly disclosures: readonly Shared<ProofList['disclosures'][number]>[]
  readonly commitments: readonly Shared<ProofList['commitments'][number]>[]
}

export type SharedStamped = Omit<StampedMessage, 'proofs'> & {
  readonly proofs: readonly Shared<StampedMessage['proofs'][number]>[]
}

/** Why this is never done, whoever tries. */
export type Refusal = { readonly refusal: string }

export type WitnessToIssue = Parameters<typeof issueWitness>[1]

/** By name: what the task gets, and what it comes to. Private keys are among it; they leave this process never. */
export type Tasks = {
  readonly verify: { readonly input: SharedList; readonly output: boolean }
  readonly timestampNonce: { readonly input: SharedStamped; readonly output: Uint8Array }
  readonly sign: {
    /** e: null: find one */
    readonly input: { readonly toSign: CredentialToSign; readonly e: bigint | null }
    readonly output: IssuedSignature | Refusal
  }
  readonly issueWitness: { readonly input: WitnessToIssue; readonly output: Witness | Refusal }
  readonly revoke: { readonly input: Revocations; readonly output: RevocationUpdate | Refusal }
  /** a prime for a key with this modulus */
  readonly findPrime: { readonly input: bigint; readonly output: bigint }
}

export type Task = {
  readonly [Name in keyof Tasks]: { readonly name: Name; readonly input: Tasks[Name]['input'] }
}[keyof Tasks]

/** What a thread says of itself, once. */
export type Loaded = { readonly loadedThread: number }

const arithmetic = chooseArithmetic(workerData)
queueMicrotask(() => parentPort?.postMessage({ loadedThread: threadId } satisfies Loaded)) // after this module, too, is loaded

export default function perform(task: Task): Tasks[Task['name']]['output'] {
  switch (task.name) {
    case 'verify':
      return verify(task.input)
    case 'timestampNonce':
      return timestampNonce({ ...task.input, proofs: task.input.proofs.map(adopt) }, arithmetic)
    case 'sign':
      return sign(task.input)
    case 'issueWitness':
      return orRefusal(() => issueWitness(arithmetic, task.input, randomBytes))
    case 'revoke':
      return orRefusal(() => revoke(arithmetic, task.input, randomBytes))
    case 'findPrime':
      return findSignaturePrime(arithmetic, task.input, randomBytes)
  }
}

function adopt<T extends { readonly key: SharedKey }>(each: T) {
  return { ...each, key: arithmetic.adopt(each.key) }
}

function verify({ disclosures, commitments, ...list }: SharedList): boolean {
  return verifyProofs(arithmetic, {
    ...list,
    disclosures: disclosures.map(adopt),
    commitments: commitments.map(adopt),
  })
}

function sign({ toSign, e }: Tasks['sign']['input']): Tasks['sign']['output'] {
  const prime = e ?? findSignaturePrime(arithmetic, toSign.key.n, randomBytes)
  return orRefusal(() => signCommitment(arithmetic, toSign, prime, randomBytes))
}

function orRefusal<Result>(work: () => Result): Result | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) return { refusal: error.message }
    throw error
  }
}
