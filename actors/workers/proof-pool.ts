/** Proofs are checked and credentials signed in worker threads, so that such work never blocks the event loop. What is to be done waits in the queue of
 *  this thread (queue.ts), a piece for each proof and each signature; a thread holds what it is working on, and a few short pieces that come next. They share the tables of
 *  the issuer keys, which this thread owns. Threads that have nothing else to do find primes for the signatures to come. @module */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Piscina } from 'piscina'
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
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import type { Revocations } from '../../crypto/revocation/authority.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { nonceOver, type StampedMessage } from '../../crypto/timestamp.ts'
import { type Clock, createSystemClock } from '../../ports/clock.ts'
import type { RemoteError } from '../../protocol/errors.ts'
import type { ArithmeticFigures } from '../metrics/arithmetic-figures.ts'
import { type KeysharePowers, keysharePowers } from './keyshare-powers.ts'
import { workKind } from './means.ts'
import { type PrimeSupply, Primes, USUAL_PRIMES } from './primes.ts'
import type { Loaded, Refusal, Run, Tasks, WitnessToIssue } from './proofs.ts'
import { type Asked, type Piece, Queue } from './queue.ts'

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
  /** Ends the threads; what waits or is being worked on is rejected. */
  close(): Promise<void>
}

/** What is never signed, whoever tries: keys that do not belong together, a commitment that no wallet makes. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused'
}

/** For a task's `catch`: what is never signed, calculated or issued becomes this error; a thread that died says nothing about it, and passes.
 *  @throws the same cause, or that error */
export function refusedAs(
  Failed: new (message: string, options: ErrorOptions) => RemoteError,
): (cause: unknown) => never {
  return cause => {
    if (cause instanceof SigningRefused) throw new Failed(cause.message, { cause })
    throw cause
  }
}

export type ProofPoolOptions = {
  readonly arithmetic: 'auto' | 'openssl' | 'bigint'
  /** default: one per core */
  readonly threads?: number
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
/** The most pieces of a thread: short ones, and one that is not. */
const MOST_OF_THREAD = 1 / SHARE_OF_SHORT + 1
/** The longest modulus under which the check of a proof is short: about 2 ms. */
const SHORT_BITS = 2_048

/** The number of a thread that has ended. */
const NO_THREAD = -1

/** A proof that is not valid by itself: the message is not, whatever the others are. */
class NotValid extends Error {
  override readonly name = 'NotValid'
}

class Pool implements ProofPool {
  readonly arithmetic: Arithmetic['name']
  readonly keyshare: KeysharePowers
  readonly #arithmetic: Arithmetic
  readonly #threads: Piscina
  readonly #queue: Queue
  readonly #primes: PrimeSupply
  /** numbers of the threads that have loaded all they need */
  readonly #loaded = new Set<number>()
  #isClosed = false

  constructor({
    arithmetic,
    threads = availableParallelism(),
    maxWaitMs = Number.POSITIVE_INFINITY,
    clock = createSystemClock(),
    primes,
    sparePrimes = USUAL_PRIMES,
    figures,
  }: ProofPoolOptions) {
    this.#arithmetic = chooseArithmetic(arithmetic)
    this.arithmetic = this.#arithmetic.name
    this.#queue = new Queue({ threads, maxWaitMs, clock, figures })
    const isIdle = (): boolean => this.#queue.isIdle() && !this.#isClosed
    this.#primes =
      primes ?? new Primes({ find: n => this.#one('findPrime', n, n), isIdle, most: sparePrimes })
    this.keyshare = keysharePowers({
      run: (name, input) => this.#run(name, input),
      work: pieces => this.#work(pieces),
      arithmetic: this.#arithmetic,
    })
    this.#threads = new Piscina({
      // sources run unbuilt too, and then end otherwise
      filename: new URL(`./proofs${extname(import.meta.url)}`, import.meta.url).href,
      workerData: this.arithmetic,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: MOST_OF_THREAD,
      loadBalancer: leastBusy(threads, () => this.#threads.threads.length),
      maxQueue: threads * MOST_OF_THREAD, // what the queue has begun while a thread starts
      stricterFIFO: true,
    })
    // a thread that dies without a task, or with its answer on the way: every task hears of its own, and nobody listening would end the process
    this.#threads.on('error', () => {})
    this.#threads.on('message', ({ loadedThread }: Loaded) => this.#loaded.add(loadedThread))
  }

  // these are handed on one by one, as functions

  readonly verify = async (list: ProofList, asked?: Asked): Promise<boolean> => {
    if (!isListProper(list)) return false
    const pieces = proofsOf(list).map(proof => ({
      kind: kindOf(proof),
      share: this.#isShort(proof) ? SHARE_OF_SHORT : 1,
      work: (took: (ms: number) => void) => this.#contribution(proof, took),
    }))
    try {
      return isChallengeOf(list, await this.#work(pieces, asked))
    } catch (error) {
      if (error instanceof NotValid) return false
      throw error
    }
  }

  readonly timestampNonce = async (stamped: StampedMessage, asked?: Asked): Promise<Uint8Array> => {
    const { version, proofs } = stamped
    const pieces = proofs.map(proof => ({
      kind: workKind('stampedAttributes', proof.key.n),
      work: () => this.#run('stampedAttributes', { proof: this.#withSharedKey(proof), version }),
    }))
    return nonceOver(stamped, await this.#work(pieces, asked))
  }

  readonly sign = (toSign: readonly CredentialToSign[], asked?: Asked): Promise<readonly IssuedSignature[]> =>
    this.#work(
      toSign.map(each => ({ kind: workKind('sign', each.key.n), work: () => this.#signOne(each) })),
      asked,
    )

  readonly issueWitness = async (toIssue: WitnessToIssue, signal?: AbortSignal): Promise<Witness> =>
    orThrow(await this.#one('issueWitness', toIssue, toIssue.key.n, signal))

  readonly revoke = async (revocations: Revocations): Promise<RevocationUpdate> =>
    orThrow(await this.#one('revoke', revocations, revocations.key.n))

  readonly isOverloaded = (requestor?: string): boolean => this.#queue.isOverloaded(requestor)

  readonly hasThread = (): boolean => this.#threads.threads.some(({ threadId }) => this.#loaded.has(threadId))

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.close(new Error('the proof pool is closed'))
    await this.#untilLoaded()
    await this.#threads.destroy()
  }

  /** A thread that is ended while it loads its modules, the OpenSSL binding among them, takes the whole process with it. */
  async #untilLoaded(): Promise<void> {
    const loading = this.#threads.threads.filter(({ threadId }) => !this.#loaded.has(threadId))
    const ready = loading.map(async thread => {
      thread.ref() // or the process could end before
      const exit = once(thread, 'exit')
      while (!this.#loaded.has(thread.threadId) && thread.threadId !== NO_THREAD)
        await Promise.race([once(this.#threads, 'message'), exit])
    })
    await Promise.all(ready)
  }

  #isShort(proof: ProofOfList): boolean {
    return this.arithmetic === 'openssl' && !isLong(proof) && bitLength(proof.key.n) <= SHORT_BITS
  }

  /** @throws {NotValid} */
  async #contribution(proof: ProofOfList, took: (ms: number) => void): Promise<Contribution> {
    const { contribution, tookMs } = await this.#run('contribution', this.#withSharedKey(proof))
    took(tookMs)
    if (contribution === undefined) throw new NotValid('expected a proof that can be valid, got another')
    return contribution
  }

  /** A prime that was handed out is gone, whatever comes of it. */
  async #signOne(toSign: CredentialToSign): Promise<IssuedSignature> {
    return orThrow(await this.#run('sign', { toSign, e: this.#primes.take(toSign.key.n) }))
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

  #withSharedKey<T extends { readonly key: IssuerPublicKey }>(each: T) {
    return { ...each, key: this.#arithmetic.share(each.key) }
  }

  readonly #run: Run = (name, input) => this.#threads.run({ name, input }) // the worker answers each task with its own output
}

function kindOf(proof: ProofOfList): string {
  return workKind(isLong(proof) ? 'non-revocation' : proof.kind, proof.key.n)
}

function isLong(proof: ProofOfList): boolean {
  return proof.kind === 'disclosure' && proof.proof.nonRevocation !== undefined
}

type Balance = NonNullable<NonNullable<ConstructorParameters<typeof Piscina>[0]>['loadBalancer']>

/** Gives a task to the thread that has least to do; to none while another thread could begin, which begins then and takes it. */
function leastBusy(threads: number, all: () => number): Balance {
  return (_, workers) => {
    const [first, ...others] = workers
    if (first === undefined) return null
    const least = others.reduce((best, each) => (each.currentUsage < best.currentUsage ? each : best), first)
    return least.currentUsage > 0 && all() < threads ? null : least
  }
}

/** @throws {SigningRefused} */
function orThrow<Result extends object>(outcome: Result | Refusal): Result {
  if ('refusal' in outcome) throw new SigningRefused(outcome.refusal)
  return outcome
}

/** @throws {Error} if the arithmetic is not to be had */
export function createProofPool(options: ProofPoolOptions): ProofPool {
  return new Pool(options)
}
