/** A small listener accepts few connections, in all and from one address, and none that stays silent. Past a bound the connection that has been idle for longest
 *  is closed: idle connections would keep other callers out. @module */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, Timer } from '../ports/clock.ts'
import { countedAs } from '../ports/network.ts'

/** The longest time without a whole head of a request, from the beginning of a connection or from its last answer. */
const SILENT_MS = 5_000
/** The `keep-alive` time that clients are sent. It is shorter, so that a call at its very end still arrives on an open connection. */
const KEPT_MS = 4_000
/** The longest time from the head of a request until its client has taken the answer. */
const ANSWER_MS = 10_000

/** Connections at once. Past a bound, and without an idle connection, a new connection is closed. */
export type ConnectionBounds = {
  readonly inAll: number
  /** of one address, or of one network where IPv6 callers choose among many addresses */
  readonly ofAddress: number
}

type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>

type Open = {
  readonly caller: string
  /** requests without a whole answer */
  asked: number
  timer: Timer
}

class FewConnections {
  readonly #bounds: ConnectionBounds
  readonly #clock: Timers
  /** All connections. Among those without a request, the one that has been idle for longest is first. */
  readonly #open = new Map<Socket, Open>()

  constructor(bounds: ConnectionBounds, clock: Timers) {
    this.#bounds = bounds
    this.#clock = clock
  }

  accept(socket: Socket): void {
    const caller = countedAs(socket.remoteAddress ?? '')
    this.#open.set(socket, { caller, asked: 0, timer: this.#closeIn(SILENT_MS, socket) })
    socket.once('close', () => this.#forget(socket))
    this.#makeRoom(this.#bounds.ofAddress, ({ caller: other }) => other === caller)
    this.#makeRoom(this.#bounds.inAll, () => true)
  }

  begin(socket: Socket): void {
    const open = this.#open.get(socket)
    if (open === undefined) return
    open.asked += 1
    this.#restart(open, ANSWER_MS, socket)
  }

  /** To be called after `begin`. */
  answered(socket: Socket): void {
    const open = this.#open.get(socket)
    if (open === undefined) return
    open.asked -= 1
    if (open.asked > 0) return
    this.#open.delete(socket)
    this.#open.set(socket, open) // behind those that have been idle for longer
    this.#restart(open, SILENT_MS, socket)
  }

  /** The connection changes to another protocol. From now on its new owner limits its time, and ends it. */
  handOver(socket: Socket): void {
    const open = this.#open.get(socket)
    if (open === undefined) return
    open.asked += 1
    this.#clock.clearTimeout(open.timer)
  }

  #makeRoom(most: number, isCounted: (open: Open) => boolean): void {
    const counted = [...this.#open].filter(([, open]) => isCounted(open))
    const idle = counted.filter(([, { asked }]) => asked === 0)
    for (const [socket] of idle.slice(0, Math.max(counted.length - most, 0))) this.#close(socket)
  }

  #restart(open: Open, ms: number, socket: Socket): void {
    this.#clock.clearTimeout(open.timer)
    open.timer = this.#closeIn(ms, socket)
  }

  #closeIn(ms: number, socket: Socket): Timer {
    return this.#clock.setTimeout(() => this.#close(socket), ms)
  }

  /** The connection is no longer counted, although it closes only in a later turn of the event loop. */
  #close(socket: Socket): void {
    this.#forget(socket)
    socket.destroy()
  }

  #forget(socket: Socket): void {
    const open = this.#open.get(socket)
    if (open === undefined) return
    this.#clock.clearTimeout(open.timer)
    this.#open.delete(socket)
  }
}

/** @param takesUpgrades true: another listener answers requests for another protocol (the event `upgrade`). Without one, Node would keep such a connection open for good */
export function boundConnections(
  server: Server,
  bounds: ConnectionBounds,
  clock: Timers,
  takesUpgrades: boolean,
): void {
  const connections = new FewConnections(bounds, clock)
  server.keepAliveTimeout = KEPT_MS
  server.on('connection', (socket: Socket) => connections.accept(socket))
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    connections.begin(socket)
    answer.once('close', () => connections.answered(socket))
  })
  if (takesUpgrades) server.on('upgrade', ({ socket }: IncomingMessage) => connections.handOver(socket))
}
