/** Proofs are checked and credentials signed in worker threads, so that such work never blocks the event loop. What is to be done waits in the queue of
 *  this thread (queue.ts), a piece for each proof and each signature; a thread holds what it is working on, and a few short pieces that come next. They share the tables of
 *  the issuer keys, which this thread owns. Threads that have nothing else to do find primes for the signatures to come. @module */
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
import { workKind } from './means.ts'
import { type CheckedProof, checkProof, type SignedCredential, signCredential } from './measured-work.ts'
import { type PrimeSupply, Primes, USUAL_PRIMES } from './primes.ts'
import type { Run, Tasks, WitnessToIssue } from './proofs.ts'
import { type Asked, type Piece, Queue } from './queue.ts'
import { orThrow } from './refusal.ts'
import type { ShortLists } from './short-lists.ts'
import { Threads } from './threads.ts'
import { TURN_MS, TurnBudget } from './turn-budget.ts'

/** Everything waits in the queue however long that is: a submission of a connected session is never refused for overload (D16). A signal takes what
 *  has not begun out of the queue; the call is rejected with its reason. */
export interface ProofPool {
  /** Whether all proofs of a message are right; as `verifyProofs`.
   *  @throws if a thread dies; the others go on, and a new one takes its place */
  verify(list: ProofList, asked?: Asked): Promise<boolean>
  /** What a timestamp of that message is made over; as `timestampNonce`.
   *  @throws if a thread dies */
  timestampNonce(stamped: StampedMessage, asked?: Asked): Promise<Uint8Array>
  /** Signatures of all these, in order; each with a prime of its own.
   *  @throws {SigningRefused}
   *  @throws if a thread dies; what it was given is signed nowhere */
  sign(toSign: readonly CredentialToSign[], asked?: Asked): Promise<readonly IssuedSignature[]>
  /** A witness with a prime of its own, as `issueWitness`.
   *  @throws {SigningRefused}
   *  @throws if the thread dies */
  issueWitness(toIssue: WitnessToIssue, signal?: AbortSignal): Promise<Witness>
  /** As `revoke` of the authority.
   *  @throws {SigningRefused}
   *  @throws if the thread dies */
  revoke(revocations: Revocations): Promise<RevocationUpdate>
  readonly keyshare: KeysharePowers
  /** Past this, no new session of that requestor is begun and none is connected (D16). */
  isOverloaded(requestor?: string): boolean
  /** Whether a thread is there that has loaded all it needs: one that ends is replaced. */
  hasThread(): boolean
  readonly arithmetic: Arithmetic['name']
  /** What waits or is being worked on is rejected; then the threads end, each after what it is working on. */
  close(): Promise<void>
}

export type ProofPoolOptions = {
  readonly arithmetic: 'auto' | 'openssl' | 'bigint'
  /** default: one per core */
  readonly threads?: number
  /** which lists of proofs and of credentials are short, and so checked and signed in this thread, as many in a turn of its event loop as it has room for; left out: none */
  readonly shortLists?: Pick<ShortLists, 'costsOf' | 'note'> | undefined
  /** estimated wait past which the pool counts as overloaded; default: none is too long */
  readonly maxWaitMs?: number
  readonly clock?: Pick<Clock, 'now'>
  /** default: found by these threads when they are idle */
  readonly primes?: PrimeSupply
  /** how many these threads keep of each key length */
  readonly sparePrimes?: number
  /** what is counted; left out: nothing */
  readonly figures?: ArithmeticFigures | undefined
}

/** The part of a thread that the check of a short proof fills: a thread that has its next proofs already need not be woken for each, and four of them take
 *  less time than one signature. */
const SHARE_OF_SHORT = 1 / 4
/** The longest modulus under which the check of a proof is short: about 2 ms. */
const SHORT_BITS = 2_048

type ValidProof = {
  readonly proof: ProofOfList
  readonly contribution: Contribution
  readonly tookMs: number
}

/** A proof that is not valid by itself: the message is not, whatever the others are. */
class NotValid extends Error {
  override readonly name = 'NotValid'
}

class Pool implements ProofPool {
  readonly arithmetic: Arithmetic['name']
  readonly keyshare: KeysharePowers
  readonly #arithmetic: Arithmetic
  readonly #threads: Threads
  readonly #queue: Queue
  readonly #primes: PrimeSupply
  readonly #shortLists: ProofPoolOptions['shortLists']
  /** those of the event loop, in which short work is done here */
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
      file: new URL(`./proofs${extname(import.meta.url)}`, import.meta.url), // sources run unbuilt too, and then end otherwise
      workerData: this.arithmetic,
      most: threads,
    })
  }

  // these are handed on one by one, as functions

  readonly verify = async (list: ProofList, asked?: Asked): Promise<boolean> => {
    if (!isListProper(list)) return false
    const proofs = proofsOf(list)
    const shortMs = this.#shortLists?.costsOf(proofs)
    const pieces = proofs.map((proof, i) => this.#pieceOf(proof, shortMs?.[i]))
    try {
      const checked = await this.#work(pieces, asked)
      const contributions = checked.map(({ contribution }) => contribution)
      const isValid = isChallengeOf(list, contributions)
      // proofs that are worthless may cost next to nothing: they say nothing of others
      if (isValid) for (const { proof, tookMs } of checked) this.#shortLists?.note(proof, tookMs)
      return isValid
    } catch (error) {
      if (error instanceof NotValid) return false
      throw error
    }
  }

  readonly timestampNonce = async (stamped: StampedMessage, asked?: Asked): Promise<Uint8Array> => {
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
    asked?: Asked,
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

  /** @param shortMs how long its check takes, if that is to be done in this thread */
  #pieceOf(proof: ProofOfList, shortMs: number | undefined): Piece<ValidProof> {
    const isHere = shortMs !== undefined
    const share = (): number =>
      isHere ? this.#shareHere(shortMs) : this.#isShort(proof) ? SHARE_OF_SHORT : 1
    const work: Piece<ValidProof>['work'] = async took => {
      const { contribution, tookMs } = await (isHere
        ? this.#turns.run(shortMs, () => checkProof(this.#arithmetic, proof))
        : this.#checkInThread(proof))
      took(tookMs)
      if (contribution === undefined) throw new NotValid('expected a proof that can be valid, got another')
      return { proof, contribution, tookMs }
    }
    return { kind: kindOf(proof), share, work }
  }

  /** As many pieces fill everything as one turn of this thread has room for. */
  #shareHere(shortMs: number): number {
    return (this.#slots * shortMs) / TURN_MS
  }

  #checkInThread({ key, ...proof }: ProofOfList): Promise<CheckedProof> {
    return this.#run('contribution', proof, key)
  }

  /** A prime that was handed out is gone, whatever comes of it. Where there is none, a thread finds one, which takes longer than the signature.
   *  @param shortMs how long the signature takes, if it is to be made in this thread */
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
      this.#shortLists?.note(toSign, signMs) // one that is refused takes less
      return signature
    }
    return { kind: workKind('sign', toSign.key.n), share, work }
  }

  #signInThread({ key, ...toSign }: CredentialToSign, e: bigint | null): Promise<SignedCredential> {
    return this.#run('sign', { toSign, e }, key)
  }

  async #work<Output>(pieces: readonly Piece<Output>[], asked?: Asked): Promise<readonly Output[]> {
    try {
      return await this.#queue.do(pieces, asked)
    } finally {
      void this.#primes.fill()
    }
  }

  /** A message of one piece. */
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

/** @throws {Error} if the arithmetic is not to be had */
export function createProofPool(options: ProofPoolOptions): ProofPool {
  return new Pool(options)
}
