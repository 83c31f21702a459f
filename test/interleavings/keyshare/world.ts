/** The world of scripts about one account of a keyshare server: two servers on one store, calls of several apps with the same user name, and time.
 *  @module */
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { NOW_SEC } from '../../accounts/jwts.ts'
import type { Answer } from '../../http/client.ts'
import { PIN, registeredWithout, WRONG_PIN } from '../../http/keyshare/app.ts'
import { openKeyshare } from '../../http/keyshare/harness.ts'
import { type Connections, connectionsTo } from '../connections.ts'
import { type Committed, SharedStore, type StoreView } from '../shared-store.ts'

export const NAMES = ['A', 'B'] as const
type Name = (typeof NAMES)[number]

type Opened = Awaited<ReturnType<typeof openKeyshare>>
export type AccountNode = Connections & { readonly view: StoreView; readonly opened: Opened }

/** The calls. The laws recognise an attempt by the word PIN in its title. */
const CALLS = {
  'a wrong PIN': (id: string) => ['/users/verify/pin', { id, pin: WRONG_PIN }],
  'the right PIN': (id: string) => ['/users/verify/pin', { id, pin: PIN }],
  'a change with a wrong PIN': (id: string) => ['/users/change/pin', { id, oldpin: WRONG_PIN, newpin: PIN }],
  // a change to the same PIN, so that the test always knows it; tokens become invalid as after any change
  'a change with the right PIN': (id: string) => ['/users/change/pin', { id, oldpin: PIN, newpin: PIN }],
  'a request for commitments': () => ['/prove/getCommitments', ['svc-demo.uni-0']],
  'a request for a response': (_id: string, number: number) => ['/prove/getResponse', number + 1_000_003],
} as const satisfies Readonly<Record<string, (id: string, number: number) => readonly [string, unknown]>>
export type Title = keyof typeof CALLS
export const TITLES = Object.keys(CALLS) as Title[] // the keys of the table

export type AccountCall = {
  readonly title: Title
  readonly view: StoreView
  /** number of commits of the account at the beginning of the call (`begun`), and when its token was made (`tokenFrom`) */
  readonly begun: number
  readonly tokenFrom: number
  readonly beganAt: number
  answer: Answer | 'cut' | null
  ended: number
  isDisturbed: boolean
}

const QUIET_TURNS = 3
/** Less than the 15 minutes for which tokens are valid. */
const FRESH_MS = 800_000

export class AccountWorld {
  readonly clock = createSimulatedClock(NOW_SEC * 1_000)
  readonly store = new SharedStore(
    () => this.clock.now(),
    () => this.note(),
  )
  readonly nodes = new Map<Name, AccountNode>()
  readonly calls: AccountCall[] = []
  disturbedAt = 0
  #userName = ''
  #token = { text: '', from: 0, at: Number.NEGATIVE_INFINITY }
  #events = 0

  note(): void {
    this.#events += 1
  }

  get history(): readonly Committed<AccountRow>[] {
    return this.store.accounts
  }

  /** m_k of the account. */
  secretHalf(): bigint {
    const [registered] = this.history
    const [node] = this.nodes.values()
    if (!registered?.row || !node) throw new Error('expected an account')
    return node.opened.accounts.secretsOf(registered.row).mk
  }

  async start(name: Name): Promise<void> {
    const view = this.store.view()
    const { clock: shared } = this
    const setTimeout: typeof shared.setTimeout = (callback, ms) =>
      shared.setTimeout(() => view.fate !== 'gone' && callback(), ms)
    const opened = await openKeyshare({ store: view.store, clock: { ...shared, setTimeout } })
    this.nodes.set(name, { ...connectionsTo(opened.server.app.callback(), () => this.note()), view, opened })
  }

  async register(): Promise<void> {
    for (const { client } of [...this.nodes.values()].slice(0, 1))
      this.#userName = await registeredWithout(client)
    this.ask('A', 'the right PIN')
    await this.settle()
  }

  ask(name: Name, title: Title): void {
    const node = this.nodes.get(name)
    const isProof = title.startsWith('a request for')
    if (!node || node.view.fate === 'gone') return
    if (isProof && this.clock.now() > this.#token.at + FRESH_MS) return
    const [path, body] = CALLS[title](this.#userName, this.calls.length)
    const headers: Record<string, string> = isProof ? { Authorization: this.#token.text } : {}
    const { isHeld, faults, fate } = node.view
    const call: AccountCall = {
      title,
      view: node.view,
      begun: this.history.length,
      tokenFrom: this.#token.from,
      beganAt: this.clock.now(),
      answer: null,
      ended: 0,
      isDisturbed: isHeld || faults.length > 0 || fate !== 'works',
    }
    this.calls.push(call)
    const end = (answer: Answer | 'cut'): void => {
      this.note()
      Object.assign(call, { answer, ended: this.history.length })
      const { status, message } = Object(Object(answer).json)
      if (title === 'the right PIN' && status === 'success')
        this.#token = { text: message, from: call.begun, at: this.clock.now() }
    }
    node.client.call('POST', path, { headers, body }).then(end, () => end('cut'))
  }

  disturb(view: StoreView): void {
    this.disturbedAt = this.clock.now()
    for (const call of this.calls) if (call.view === view) call.isDisturbed = true
  }

  async settle(): Promise<void> {
    for (let quiet = 0, seen = this.#events; quiet < QUIET_TURNS; quiet++) {
      await new Promise(resolve => setImmediate(resolve))
      if (seen !== this.#events) quiet = 0
      seen = this.#events
    }
  }

  /** @param ms 0 also fires every timer that is due by now, such as timers of 0 ms */
  async elapse(ms: number): Promise<void> {
    const { clock } = this
    const untilAt = clock.now() + ms
    await this.settle()
    for (let at = clock.nextTimerAt(); at !== null && at <= untilAt; at = clock.nextTimerAt()) {
      clock.advance(at - clock.now())
      await this.settle()
    }
    clock.advance(untilAt - clock.now())
  }
}
