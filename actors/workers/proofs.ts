/** What a worker thread does: check the proofs of one message, calculate what its timestamp is about, sign one credential, find one prime. @module */
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
import { type StampedMessage, timestampNonce } from '../../crypto/timestamp.ts'

type Shared<T> = Omit<T, 'key'> & { readonly key: SharedKey }

export type SharedList = Omit<ProofList, 'disclosures' | 'commitments'> & {
  readonly disclosures: readonly Shared<ProofList['disclosures'][number]>[]
  readonly commitments: readonly Shared<ProofList['commitments'][number]>[]
}

export type SharedStamped = Omit<StampedMessage, 'proofs'> & {
  readonly proofs: readonly Shared<StampedMessage['proofs'][number]>[]
}

/** By name: what the task gets, and what it comes to. Private keys are among it; they leave this process never. */
export type Tasks = {
  readonly verify: { readonly input: SharedList; readonly output: boolean }
  readonly timestampNonce: { readonly input: SharedStamped; readonly output: Uint8Array }
  readonly sign: {
    /** e: null: find one */
    readonly input: { readonly toSign: CredentialToSign; readonly e: bigint | null }
    /** refusal: why this is never signed, whoever tries */
    readonly output: IssuedSignature | { readonly refusal: string }
  }
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
  try {
    return signCommitment(arithmetic, toSign, prime, randomBytes)
  } catch (error) {
    if (error instanceof Error) return { refusal: error.message }
    throw error
  }
}
