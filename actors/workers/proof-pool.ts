/** Proofs are checked and credentials signed in worker threads, so that such work never blocks the event loop. The threads share the tables of the
 *  issuer keys, which this thread owns. Threads that have nothing else to do find primes for the signatures to come. @module */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { CredentialToSign, IssuedSignature } from '../../crypto/issuance.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import type { Revocations } from '../../crypto/revocation/authority.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { StampedMessage } from '../../crypto/timestamp.ts'
import type { RemoteError } from '../../protocol/errors.ts'
import { type PrimeSupply, Primes } from './primes.ts'
import type { Loaded, Refusal, SharedList, Tasks, WitnessToIssue } from './proofs.ts'

export interface ProofPool {
  /** Whether all proofs of a message are right; as `verifyProofs`. Waits in the queue however long that is: a submission of a
   *  connected session is never refused for overload (D16).
   *  @throws if the thread dies; the others go on, and a new one takes its place */
  verify(list: ProofList): Promise<boolean>
  /** What a timestamp of that message is made over; as `timestampNonce`.
   *  @throws if the thread dies */
  timestampNonce(stamped: StampedMessage): Promise<Uint8Array>
  /** Signatures of all these, in order; each with a prime of its own.
   *  @throws {SigningRefused}
   *  @throws if a thread dies; what it was given is signed nowhere */
  sign(toSign: readonly CredentialToSign[]): Promise<readonly IssuedSignature[]>
  /** A witness with a prime of its own, as `issueWitness`.
   *  @throws {SigningRefused}
   *  @throws if the thread dies */
  issueWitness(toIssue: WitnessToIssue): Promise<Witness>
  /** As `revoke` of the authority.
   *  @throws {SigningRefused}
   *  @throws if the thread dies */
  revoke(revocations: Revocations): Promise<RevocationUpdate>
  /** Past this, no new session is begun and none is connected (D16). */
  isOverloaded(): boolean
  readonly arithmetic: Arithmetic['name']
  /** Ends the threads; what is being worked on is rejected. */
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
  /** proofs and signatures that are waiting or being worked on when the pool begins to count as overloaded */
  readonly maxProofs?: number
  /** default: found by these threads when they are idle */
  readonly primes?: PrimeSupply
}

/** Under a 4096-bit key these take two threads some eight seconds: submissions are told of their outcome within 15. */
const DEFAULT_MAX_PROOFS = 1_000

/** Number of a thread that has ended. */
const NO_THREAD = -1

type Run = <Name extends keyof Tasks>(
  name: Name,
  input: Tasks[Name]['input'],
) => Promise<Tasks[Name]['output']>

class Pool implements ProofPool {
  readonly arithmetic: Arithmetic['name']
  readonly #arithmetic: Arithmetic
  readonly #threads: Piscina
  readonly #maxProofs: number
  readonly #primes: PrimeSupply
  /** numbers of the threads that have loaded all they need */
  readonly #loaded = new Set<number>()
  /** proofs and signatures that are waiting or being worked on */
  #inside = 0
  #isClosed = false

  constructor({
    arithmetic,
    threads = availableParallelism(),
    maxProofs = DEFAULT_MAX_PROOFS,
    primes,
  }: ProofPoolOptions) {
    this.#arithmetic = chooseArithmetic(arithmetic)
    this.arithmetic = this.#arithmetic.name
    this.#maxProofs = maxProofs
    const isIdle = (): boolean => this.#inside === 0 && !this.#isClosed
    this.#primes = primes ?? new Primes({ find: n => this.#run('findPrime', n), isIdle })
    this.#threads = new Piscina({
      // sources run unbuilt too, and then end otherwise
      filename: new URL(`./proofs${extname(import.meta.url)}`, import.meta.url).href,
      workerData: this.arithmetic,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: Number.POSITIVE_INFINITY, // bounded by what is admitted: sessions, and one claim of each
    })
    // a thread that dies without a task, or with its answer on the way: every task hears of its own, and nobody listening would end the process
    this.#threads.on('error', () => {})
    this.#threads.on('message', ({ loadedThread }: Loaded) => this.#loaded.add(loadedThread))
  }

  // these are handed on one by one, as functions

  readonly verify = (list: ProofList): Promise<boolean> => {
    const count = list.disclosures.length + list.commitments.length
    return this.#work(count, () => this.#run('verify', this.#shared(list)))
  }

  readonly timestampNonce = (stamped: StampedMessage): Promise<Uint8Array> => {
    const proofs = () => stamped.proofs.map(each => this.#withSharedKey(each))
    return this.#work(stamped.proofs.length, () =>
      this.#run('timestampNonce', { ...stamped, proofs: proofs() }),
    )
  }

  readonly sign = (toSign: readonly CredentialToSign[]): Promise<readonly IssuedSignature[]> =>
    Promise.all(toSign.map(each => this.#work(1, () => this.#signOne(each))))

  readonly issueWitness = (toIssue: WitnessToIssue): Promise<Witness> =>
    this.#work(1, async () => orThrow(await this.#run('issueWitness', toIssue)))

  readonly revoke = (revocations: Revocations): Promise<RevocationUpdate> =>
    this.#work(1, async () => orThrow(await this.#run('revoke', revocations)))

  readonly isOverloaded = (): boolean => this.#inside >= this.#maxProofs

  async close(): Promise<void> {
    this.#isClosed = true
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

  /** A prime that was handed out is gone, whatever comes of it. */
  async #signOne(toSign: CredentialToSign): Promise<IssuedSignature> {
    return orThrow(await this.#run('sign', { toSign, e: this.#primes.take(toSign.key.n) }))
  }

  async #work<T>(count: number, work: () => Promise<T>): Promise<T> {
    this.#inside += count
    try {
      return await work()
    } finally {
      this.#inside -= count
      void this.#primes.fill()
    }
  }

  #shared({ disclosures, commitments, ...list }: ProofList): SharedList {
    return {
      ...list,
      disclosures: disclosures.map(each => this.#withSharedKey(each)),
      commitments: commitments.map(each => this.#withSharedKey(each)),
    }
  }

  #withSharedKey<T extends { readonly key: IssuerPublicKey }>(each: T) {
    return { ...each, key: this.#arithmetic.share(each.key) }
  }

  readonly #run: Run = (name, input) => this.#threads.run({ name, input }) // the worker answers each task with its own output
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
