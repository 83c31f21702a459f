/** Proofs are checked and credentials signed in worker threads, so that this work never blocks the event loop. Work waits in the queue of this thread
 *  (queue.ts), one piece for each proof and each signature. A thread holds its current piece, and a few short pieces that follow. The threads share the tables
 *  of the issuer keys, which this thread owns. Idle threads find primes for future signatures. @module */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { bitLength } from '../../crypto/bytes.ts'
import type { Contribution } from '../../crypto/draft.ts'
import type { CredentialToSign, IssuedSignature } from '../../crypto/issuance.ts'
import {
  isChallengeOf,
  isListProper,
  type ProofList,
  type ProofOfList,
  proofsOf,
} from '../../crypto/proof-list.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import type { Revocations } from '../../crypto/revocation/authority.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { nonceOver, type StampedMessage } from '../../crypto/timestamp.ts'
import { type Clock, createSystemClock } from '../../ports/clock.ts'
import type { ArithmeticFigures } from '../metrics/arithmetic-figures.ts'
import { type KeysharePowers, keysharePowers } from './keyshare-powers.ts'
import { workKind } from './mean-times.ts'
import { type CheckedProof, checkProof, type SignedCredential, signCredential } from './measured-work.ts'
import { type PrimeSupply, Primes, USUAL_PRIMES } from './primes.ts'
import type { Run, Tasks, WitnessToIssue } from './proofs.ts'
import { type Piece, Queue, type WorkCaller } from './queue.ts'
import { orThrow } from './refusal.ts'
import type { ShortLists } from './short-lists.ts'
import { Threads } from './threads.ts'
import { TURN_MS, TurnBudget } from './turn-budget.ts'

/** All work waits in the queue, however long it is: a submission of a connected session is never refused for overload (spec/decisions#d16). An aborted signal removes
 *  pieces that have not begun, and rejects the call with its reason. */
export interface ProofPool {
  /** True if all proofs of a message are valid; as `verifyProofs`.
   *  @throws if a thread dies; the others continue, and a new thread replaces it */
  verify(list: ProofList, asked?: WorkCaller): Promise<boolean>
  /** The bytes that a timestamp of that message covers; as `timestampNonce`.
   *  @throws if a thread dies */
  timestampNonce(stamped: StampedMessage, asked?: WorkCaller): Promise<Uint8Array>
  /** Signs all these credentials, in order, each with a prime of its own.
   *  @throws {TaskRefusedError}
   *  @throws if a thread dies; its piece is signed by no other thread */
  sign(toSign: readonly CredentialToSign[], asked?: WorkCaller): Promise<readonly IssuedSignature[]>
  /** A witness with a prime of its own, as `issueWitness`.
   *  @throws {TaskRefusedError}
   *  @throws if the thread dies */
  issueWitness(toIssue: WitnessToIssue, signal?: AbortSignal): Promise<Witness>
  /** As `revoke` of the authority.
   *  @throws {TaskRefusedError}
   *  @throws if the thread dies */
  revoke(revocations: Revocations): Promise<RevocationUpdate>
  readonly keyshare: KeysharePowers
  /** True if no new session of that requestor may be started or connected (spec/decisions#d16). */
  isOverloaded(requestor?: string): boolean
  /** True if a thread has loaded all its modules. A thread that ends is replaced. */
  hasThread(): boolean
  readonly arithmetic: Arithmetic['name']
  readonly isFasterOnNode24: Arithmetic['isFasterOnNode24']
  /** Rejects the work that waits or is in progress. Each thread ends after its current piece. */
  close(): Promise<void>
}

export type ProofPoolOptions = {
  readonly arithmetic: 'auto' | 'openssl' | 'bigint'
  /** default: one per core */
  readonly threads?: number
  /** decides which lists of proofs and of credentials are short. The main thread does these, as many in a turn of its event loop as fit; left out: no list is short */
  readonly shortLists?: Pick<ShortLists, 'costsOf' | 'note'> | undefined
  /** estimated wait beyond which the pool is overloaded; default: unlimited */
  readonly maxWaitMs?: number
  readonly clock?: Pick<Clock, 'now'>
  /** the source of primes; default: idle threads of this pool find them */
  readonly primes?: PrimeSupply
  /** how many primes these threads keep for each key length */
  readonly sparePrimes?: number
  /** figures to count; left out: none */
  readonly figures?: ArithmeticFigures | undefined
}

/** The part of a thread that the check of a short proof fills. A thread with several proofs need not be woken for each, and four of them take less time than
 *  one signature. */
const SHARE_OF_SHORT = 1 / 4
/** The longest modulus with short checks of proofs: about 2 ms. */
const SHORT_BITS = 2_048

type ValidProof = {
  readonly proof: ProofOfList
  readonly contribution: Contribution
  readonly tookMs: number
}

/** A proof that is invalid by itself, which makes the whole message invalid. */
class NotValidError extends Error {
  override readonly name = 'NotValidError'
}

class Pool implements ProofPool {
  readonly arithmetic: Arithmetic['name']
  readonly isFasterOnNode24: boolean
  readonly keyshare: KeysharePowers
  readonly #arithmetic: Arithmetic
  readonly #threads: Threads
  readonly #queue: Queue
  readonly #primes: PrimeSupply
  readonly #shortLists: ProofPoolOptions['shortLists']
  /** turns of the event loop, in which this thread does short work */
  readonly #turns = new TurnBudget()
  readonly #slots: number

  constructor({
    arithmetic,
    threads = availableParallelism(),
    shortLists,
    maxWaitMs = Number.POSITIVE_INFINITY,
    clock = createSystemClock(),
    primes,
    sparePrimes = USUAL_PRIMES,
    figures,
  }: ProofPoolOptions) {
    this.#arithmetic = chooseArithmetic(arithmetic)
    this.arithmetic = this.#arithmetic.name
    this.isFasterOnNode24 = this.#arithmetic.isFasterOnNode24
    this.#shortLists = shortLists
    this.#slots = threads
    this.#queue = new Queue({ threads, maxWaitMs, clock, figures })
    const isIdle = (): boolean => this.#queue.isIdle()
    this.#primes =
      primes ?? new Primes({ find: n => this.#one('findPrime', n, n), isIdle, most: sparePrimes })
    this.keyshare = keysharePowers({
      run: (name, input, key) => this.#run(name, input, key),
      work: pieces => this.#work(pieces),
      inTurn: (ms, work) => this.#turns.run(ms, work),
      arithmetic: this.#arithmetic,
    })
    this.#threads = new Threads({
      file: new URL(`./proofs${extname(import.meta.url)}`, import.meta.url), // unbuilt sources have another file extension
      workerData: this.arithmetic,
      most: threads,
    })
  }

  // fields and not methods, because these are passed on as functions

  readonly verify = async (list: ProofList, asked?: WorkCaller): Promise<boolean> => {
    if (!isListProper(list)) return false
    const proofs = proofsOf(list)
    const shortMs = this.#shortLists?.costsOf(proofs)
    const pieces = proofs.map((proof, i) => this.#pieceOf(proof, shortMs?.[i]))
    try {
      const checked = await this.#work(pieces, asked)
      const contributions = checked.map(({ contribution }) => contribution)
      const isValid = isChallengeOf(list, contributions)
      // invalid proofs may cost almost nothing: their durations say nothing about other proofs
      if (isValid) for (const { proof, tookMs } of checked) this.#shortLists?.note(proof, tookMs)
      return isValid
    } catch (error) {
      if (error instanceof NotValidError) return false
      throw error
    }
  }

  readonly timestampNonce = async (stamped: StampedMessage, asked?: WorkCaller): Promise<Uint8Array> => {
    const { version, proofs } = stamped
    const pieces = proofs.map(proof => ({
      kind: workKind('stampedAttributes', proof.key.n),
      work: () => {
        const { key, ...rest } = proof
        return this.#run('stampedAttributes', { proof: rest, version }, key)
      },
    }))
    return nonceOver(stamped, await this.#work(pieces, asked))
  }

  readonly sign = (
    toSign: readonly CredentialToSign[],
    asked?: WorkCaller,
  ): Promise<readonly IssuedSignature[]> => {
    const shortMs = this.#shortLists?.costsOf(toSign)
    return this.#work(
      toSign.map((each, i) => this.#signatureOf(each, shortMs?.[i])),
      asked,
    )
  }

  readonly issueWitness = async (toIssue: WitnessToIssue, signal?: AbortSignal): Promise<Witness> =>
    orThrow(await this.#one('issueWitness', toIssue, toIssue.key.n, signal))

  readonly revoke = async (revocations: Revocations): Promise<RevocationUpdate> =>
    orThrow(await this.#one('revoke', revocations, revocations.key.n))

  readonly isOverloaded = (requestor?: string): boolean => this.#queue.isOverloaded(requestor)

  readonly hasThread = (): boolean => this.#threads.hasLoaded()

  async close(): Promise<void> {
    this.#queue.close(new Error('the proof pool is closed'))
    await this.#threads.close()
  }

  #isShort(proof: ProofOfList): boolean {
    return this.arithmetic === 'openssl' && !isLong(proof) && bitLength(proof.key.n) <= SHORT_BITS
  }

  /** @param shortMs duration of its check, if the main thread is to do it */
  #pieceOf(proof: ProofOfList, shortMs: number | undefined): Piece<ValidProof> {
    const isHere = shortMs !== undefined
    const share = (): number =>
      isHere ? this.#shareHere(shortMs) : this.#isShort(proof) ? SHARE_OF_SHORT : 1
    const work: Piece<ValidProof>['work'] = async took => {
      const { contribution, tookMs } = await (isHere
        ? this.#turns.run(shortMs, () => checkProof(this.#arithmetic, proof))
        : this.#checkInThread(proof))
      took(tookMs)
      if (contribution === undefined)
        throw new NotValidError('expected a proof that can be valid, got another')
      return { proof, contribution, tookMs }
    }
    return { kind: kindOf(proof), share, work }
  }

  /** The share of a piece that the main thread does. The shares of all pieces that fit in one turn add up to the number of slots. */
  #shareHere(shortMs: number): number {
    return (this.#slots * shortMs) / TURN_MS
  }

  #checkInThread({ key, ...proof }: ProofOfList): Promise<CheckedProof> {
    return this.#run('contribution', proof, key)
  }

  /** A prime that was handed out is used up, even if the signature fails. If there is none, a thread finds one, which takes longer than the signature.
   *  @param shortMs duration of the signature, if the main thread is to make it */
  #signatureOf(toSign: CredentialToSign, shortMs: number | undefined): Piece<IssuedSignature> {
    let e: bigint | null = null
    let hereMs: number | undefined
    const share = (): number => {
      e = this.#primes.take(toSign.key.n)
      hereMs = e === null ? undefined : shortMs
      return hereMs === undefined ? 1 : this.#shareHere(hereMs)
    }
    const work: Piece<IssuedSignature>['work'] = async took => {
      const { signed, signMs, tookMs } = await (hereMs === undefined
        ? this.#signInThread(toSign, e)
        : this.#turns.run(hereMs, () => signCredential(this.#arithmetic, toSign, e)))
      took(tookMs)
      const signature = orThrow(signed)
      this.#shortLists?.note(toSign, signMs) // not for a refused signature, which takes less time
      return signature
    }
    return { kind: workKind('sign', toSign.key.n), share, work }
  }

  #signInThread({ key, ...toSign }: CredentialToSign, e: bigint | null): Promise<SignedCredential> {
    return this.#run('sign', { toSign, e }, key)
  }

  async #work<Output>(pieces: readonly Piece<Output>[], asked?: WorkCaller): Promise<readonly Output[]> {
    try {
      return await this.#queue.do(pieces, asked)
    } finally {
      void this.#primes.fill()
    }
  }

  /** Runs a message of one piece. */
  async #one<Name extends keyof Tasks>(
    name: Name,
    input: Tasks[Name]['input'],
    n: bigint,
    signal?: AbortSignal,
  ): Promise<Tasks[Name]['output']> {
    const piece = { kind: workKind(name, n), work: () => this.#run(name, input) }
    for (const output of await this.#work([piece], { signal })) return output
    throw new TypeError(`${name}: expected one output, got none`)
  }

  readonly #run: Run = (name, input, key) =>
    this.#threads.run({ name, input }, key ? this.#arithmetic.share(key) : null) // the worker answers each task with its own output
}

function kindOf(proof: ProofOfList): string {
  return workKind(isLong(proof) ? 'non-revocation' : proof.kind, proof.key.n)
}

function isLong(proof: ProofOfList): boolean {
  return proof.kind === 'disclosure' && proof.proof.nonRevocation !== undefined
}

/** @throws {Error} if the requested arithmetic is not available */
export function createProofPool(options: ProofPoolOptions): ProofPool {
  return new Pool(options)
}
