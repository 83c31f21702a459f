/** Logins that began at this node and have not ended here, for the figure of those that time out. Another node may end a login, so the store decides. @module */
import type { Clock } from '../../ports/clock.ts'

export type OpenLoginsDeps = {
  /** with the time of the store */
  readonly clock: Pick<Clock, 'now'>
  /** whether the store still has the login */
  readonly isOpen: (uid: string) => Promise<boolean>
  /** called once for each login that no node has ended */
  readonly timedOut: (client: string) => void
}

type OpenLogin = { readonly client: string; readonly endsAt: number }

/** The store forgets an expired login, so it is asked shortly before. A login that ends within this time counts as a timeout too. */
const BEFORE_MS = 2_000
/** Logins in memory. Beyond it, the oldest one is not counted as a timeout. */
const MOST = 100_000

export class OpenLogins {
  readonly #deps: OpenLoginsDeps
  /** in the order of their ends, because all logins have one lifetime */
  readonly #logins = new Map<string, OpenLogin>()

  constructor(deps: OpenLoginsDeps) {
    this.#deps = deps
  }

  /** @param lifetimeSec until the login expires */
  begun(uid: string, client: string, lifetimeSec: number): void {
    this.#logins.set(uid, { client, endsAt: this.#deps.clock.now() + lifetimeSec * 1_000 })
    const [oldest] = this.#logins.keys()
    if (this.#logins.size > MOST && oldest !== undefined) this.#logins.delete(oldest)
  }

  ended(uid: string): void {
    this.#logins.delete(uid)
  }

  /** Counts the logins that are about to expire. To be called every second. */
  async check(): Promise<void> {
    const { clock, isOpen, timedOut } = this.#deps
    for (const [uid, { client, endsAt }] of this.#logins) {
      if (endsAt > clock.now() + BEFORE_MS) return
      this.#logins.delete(uid)
      if (await isOpen(uid)) timedOut(client)
    }
  }
}
