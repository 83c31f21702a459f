/** The network between clients and nodes: each call travels to a node and its answer back, and either may be lost. @module */
import type { ClusterNode } from './cluster-node.ts'
import { exchange, type Request } from './exchange.ts'
import type { NodeName } from './plan.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'

/** The client's side of a call. */
export type Ear = {
  readonly begin: (status: number) => void
  readonly data: (text: string) => void
  readonly end: () => void
  /** the connection broke: the fate of the rest is unknown */
  readonly cut: () => void
}

type Piece = (ear: Ear) => void

export class Network {
  /** probability that a call, or its answer, is lost */
  loss = 0
  readonly #schedule: Schedule
  readonly #nodeAt: (name: NodeName) => ClusterNode | null

  constructor(schedule: Schedule, nodeAt: (name: NodeName) => ClusterNode | null) {
    this.#schedule = schedule
    this.#nodeAt = nodeAt
  }

  /** @returns a function by which the client disconnects */
  call(random: Random, name: NodeName, request: Request, ear: Ear): () => void {
    const isLost = random.chance(this.loss)
    const connection = new Connection(this.#schedule, random, ear, random.chance(this.loss))
    this.#schedule.after(random.between(0.2, 4), () => {
      const node = this.#nodeAt(name)
      if (node === null || isLost) connection.cut()
      else connection.reach(node, request)
    })
    return () => connection.leave()
  }
}

class Connection {
  readonly #schedule: Schedule
  readonly #random: Random
  readonly #ear: Ear
  readonly #losesAnswer: boolean
  readonly #pieces: Piece[] = []
  #isOver = false
  #isLost = false
  #stopMourning: () => void = () => {}
  #leaveNode: () => void = () => {}

  constructor(schedule: Schedule, random: Random, ear: Ear, losesAnswer: boolean) {
    this.#schedule = schedule
    this.#random = random
    this.#ear = ear
    this.#losesAnswer = losesAnswer
  }

  reach({ process, handler }: ClusterNode, request: Request): void {
    if (this.#isOver) return
    this.#stopMourning = process.whenGone(() => this.cut())
    process.after(0, () => {
      if (this.#isOver) return
      const write = (piece: Piece): void => this.#write(piece, () => process.acts())
      const leave = exchange(handler, request, {
        begin: status => write(ear => ear.begin(status)),
        data: text => write(ear => ear.data(text)),
        end: () => write(ear => ear.end()),
        cut: () => this.cut(),
      })
      this.#leaveNode = () => void process.after(1, leave)
    })
  }

  cut(): void {
    this.#schedule.after(this.#random.between(0.2, 4), () => this.#end(() => this.#ear.cut()))
  }

  leave(): void {
    this.#end(() => this.#leaveNode())
  }

  /** Data that is written while other data is in transit arrives together with it. */
  #write(piece: Piece, acts: () => boolean): void {
    if (this.#isOver || this.#isLost) return
    if (this.#pieces.length === 0) {
      if (!acts()) return
      this.#isLost = this.#losesAnswer
      if (this.#isLost) this.cut()
      else this.#schedule.after(this.#random.between(0.2, 4), () => this.#arrive())
    }
    this.#pieces.push(piece)
  }

  #arrive(): void {
    const { begin, data, end, cut } = this.#ear
    const ear: Ear = { begin, data, cut, end: () => this.#end(end) }
    for (const piece of this.#pieces.splice(0)) if (!this.#isOver) piece(ear)
  }

  #end(tell: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopMourning()
    tell()
  }
}
