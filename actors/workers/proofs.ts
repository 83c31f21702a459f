/** The tasks of a worker thread, one piece of a message at a time: the contribution of a proof to a challenge or to the nonce of a timestamp; signing a
 *  credential; finding a prime; making a witness; revoking; powers of a secret of the keyshare server. @module */
import { workerData } from 'node:worker_threads'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { Der } from '../../crypto/der.ts'
import { type CredentialToSign, findSignaturePrime } from '../../crypto/issuance.ts'
import { powerOfSecret } from '../../crypto/keyshare/secrets.ts'
import {
  type ChallengeFacts,
  challengeOf,
  type IssuerKeyName,
  isCommittedInput,
} from '../../crypto/keyshare/user-input.ts'
import type { ProofOfList } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { type Revocations, revoke } from '../../crypto/revocation/authority.ts'
import { issueWitness, type Witness } from '../../crypto/revocation/witness.ts'
import { type StampedMessage, type StampedProof, stampedAttributes } from '../../crypto/timestamp.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { answerTasks } from './answer-tasks.ts'
import { type CheckedProof, checkProof, type SignedCredential, signCredential } from './measured-work.ts'
import { orRefusal, type Refusal } from './refusal.ts'

const { bytes: randomBytes } = systemRandomness // imported here, because functions cannot be sent to another thread

/** A type without its key, which a thread receives separately. */
type Keyless<T> = T extends { readonly key: IssuerPublicKey } ? Omit<T, 'key'> : never

export type WitnessToIssue = Parameters<typeof issueWitness>[1]

/** By name: input and output of each task. Some inputs contain private keys, which never leave this process. */
export type Tasks = {
  /** for a proof of a proper list */
  readonly contribution: { readonly input: Keyless<ProofOfList>; readonly output: CheckedProof }
  readonly stampedAttributes: {
    readonly input: { readonly proof: Keyless<StampedProof>; readonly version: StampedMessage['version'] }
    readonly output: Der
  }
  readonly sign: {
    /** e: null: find one */
    readonly input: { readonly toSign: Keyless<CredentialToSign>; readonly e: bigint | null }
    readonly output: SignedCredential
  }
  readonly issueWitness: { readonly input: WitnessToIssue; readonly output: Witness | Refusal }
  readonly revoke: { readonly input: Revocations; readonly output: RevocationUpdate | Refusal }
  /** R_0 of a key to the power of a secret of the keyshare server */
  readonly secretPower: { readonly input: PowerToCalculate; readonly output: bigint }
  readonly keyshareChallenge: { readonly input: ChallengeToCalculate; readonly output: bigint | null }
  /** a prime for a key with this modulus */
  readonly findPrime: { readonly input: bigint; readonly output: bigint }
}

/** The part of an issuer key that a secret power needs. */
export type PowerKey = Pick<IssuerPublicKey, 'n' | 'R'>

/** secret: m_k or w_k */
export type PowerToCalculate = { readonly key: PowerKey; readonly secret: bigint }

/** The challenge of the second version of the keyshare protocol; null: the wallet app did not commit to that input. */
export type ChallengeToCalculate = {
  /** the app's commitment: 32 bytes */
  readonly hashedComms: Uint8Array
  readonly facts: ChallengeFacts
  /** secret */
  readonly wk: bigint
  /** every key that the input names, by `<issuer>-<counter>` */
  readonly keys: ReadonlyMap<string, PowerKey>
}

export type Task = {
  readonly [Name in keyof Tasks]: { readonly name: Name; readonly input: Tasks[Name]['input'] }
}[keyof Tasks]

/** Gives a task to a thread.
 *  @param key the key of a contribution, of stamped attributes or of a signature; it is sent beside the input, which contains no key */
export type Run = <Name extends keyof Tasks>(
  name: Name,
  input: Tasks[Name]['input'],
  key?: IssuerPublicKey,
) => Promise<Tasks[Name]['output']>

const arithmetic = chooseArithmetic(workerData)
const keys = new Map<number, IssuerPublicKey>()

answerTasks<Task>(
  (task, key) => {
    if (key?.shared !== undefined) keys.set(key.number, arithmetic.adopt(key.shared))
    return perform(task, key && keys.get(key.number))
  },
  name => keys.delete(name),
)

function perform(task: Task, key: IssuerPublicKey | null | undefined): Tasks[Task['name']]['output'] {
  const about = <T>(each: T): T & { readonly key: IssuerPublicKey } => {
    if (!key) throw new TypeError(`${task.name}: expected a key that this thread knows`)
    return { ...each, key }
  }
  switch (task.name) {
    case 'contribution':
      return checkProof(arithmetic, about(task.input))
    case 'stampedAttributes':
      return stampedAttributes(about(task.input.proof), task.input.version, arithmetic)
    case 'sign':
      return signCredential(arithmetic, about(task.input.toSign), task.input.e)
    case 'issueWitness':
      return orRefusal(() => issueWitness(arithmetic, task.input, randomBytes))
    case 'revoke':
      return orRefusal(() => revoke(arithmetic, task.input, randomBytes))
    case 'secretPower':
      return powerOfSecret(task.input.key, task.input.secret, arithmetic)
    case 'keyshareChallenge':
      return keyshareChallenge(task.input)
    case 'findPrime':
      return findSignaturePrime(arithmetic, task.input, randomBytes)
  }
}

function keyshareChallenge({ hashedComms, facts, wk, keys }: ChallengeToCalculate): bigint | null {
  if (!isCommittedInput(facts.input, hashedComms)) return null
  const keyOf = ({ issuer, counter }: IssuerKeyName): PowerKey => {
    const key = keys.get(`${issuer}-${counter}`)
    if (key === undefined) throw new TypeError('keyshare challenge: expected every key of its input')
    return key
  }
  return challengeOf(facts, wk, keyOf, arithmetic)
}
