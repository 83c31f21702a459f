/** Clients that count each call and describe each failed one. A failed call is repeated by its client, so that its session continues; the repeat counts too.
 *  @module */
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Client, clientOf, type Stream } from '../../http/client.ts'

/** The longest wait of a client. */
const PATIENCE_MS = 30_000
const MOST_REPEATS = 20
/** The value of `Retry-After` of a node. */
const REPEAT_MS = 2_000

export type Counted = {
  readonly client: Client
  readonly fetch: typeof fetch
  readonly calls: () => number
  /** failed calls, in words that begin with the method */
  readonly failures: readonly string[]
  /** calls whose repeat by the client failed too */
  readonly lost: readonly string[]
  /** Resolves when every call that has begun has ended. */
  readonly settled: () => Promise<void>
}

/** A call, and the status of its answer. */
type CountedCall<Got> = {
  /** in the words of a failure */
  readonly what: string
  readonly work: () => Promise<Got>
  readonly statusOf: (got: Got) => number
}

class Counter {
  readonly failures: string[] = []
  readonly lost: string[] = []
  calls = 0
  readonly #open = new Set<Promise<unknown>>()

  async settled(): Promise<void> {
    await Promise.all(this.#open)
  }

  /** @returns null if it failed */
  async once<Got>(asked: CountedCall<Got>): Promise<Got | null> {
    const call = this.#once(asked)
    this.#open.add(call)
    const got = await call
    this.#open.delete(call)
    return got
  }

  async #once<Got>({ what, work, statusOf }: CountedCall<Got>): Promise<Got | null> {
    const beganAt = performance.now()
    const fail = (why: string): null => {
      this.failures.push(`${what}: ${why} after ${Math.round(performance.now() - beganAt)} ms`)
      return null
    }
    this.calls += 1
    const ended = new AbortController()
    const late = pause(PATIENCE_MS, null, { signal: ended.signal, ref: false }).catch(() => null)
    try {
      const got = await Promise.race([work(), late])
      if (got === null) return fail('no answer')
      if (statusOf(got) < 400) return got
      fail(`${statusOf(got)}`)
      return statusOf(got) < 500 ? got : null
    } catch (error) {
      return fail(String(error))
    } finally {
      ended.abort()
    }
  }

  async insist<Got>(asked: CountedCall<Got>): Promise<Got> {
    for (let repeats = 0; repeats < MOST_REPEATS; repeats++) {
      const got = await this.once(asked)
      if (got !== null) return got
      if (repeats === 1) this.lost.push(asked.what)
      await pause(REPEAT_MS)
    }
    throw new Error(`${asked.what}: expected an answer, got ${this.failures.at(-1)}`)
  }
}

/** @param port of the proxy */
export function countedClient(port: number): Counted {
  const inner = clientOf(port)
  const counter = new Counter()
  return {
    failures: counter.failures,
    lost: counter.lost,
    calls: () => counter.calls,
    settled: () => counter.settled(),
    client: {
      begin: (...call) => inner.begin(...call),
      call: (method, path, call) =>
        counter.insist<Answer>({
          what: `${method} ${path}`,
          work: () => inner.call(method, path, call),
          statusOf: ({ status }) => status,
        }),
      async open(path, headers) {
        const work = () => inner.open(path, headers)
        const statusOf = ({ head }: Stream): number => head.status
        const stream = await counter.insist<Stream>({ what: `GET ${path}`, work, statusOf })
        return { ...stream, next: () => stream.next().catch(() => null) } // its node is gone: the client opens another stream
      },
    },
    async fetch(input, init) {
      const what = `${init?.method ?? 'GET'} ${String(input)} of a wallet`
      const got = await counter.once({
        what,
        work: () => fetch(input, init),
        statusOf: ({ status }) => status,
      })
      if (got === null) throw new TypeError(`fetch failed: ${counter.failures.at(-1)}`)
      return got
    },
  }
}
