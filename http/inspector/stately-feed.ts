/** The messages to the Stately Inspector (stately-messages.ts): the newest actors in their current state, then every step. Each actor is sent before its first step. @module */
import type { ShownActor } from '../../actors/inspection/views.ts'
import { ShapeError } from '../../protocol/shape.ts'
import type { Feed } from './connection.ts'
import { Pace } from './pace.ts'
import type { FeedDeps } from './page-feed.ts'
import { actorMessage, type StatelyMessage, stepMessages } from './stately-messages.ts'

/** The most actors at the beginning: each brings its whole chart, and that inspector draws all of them. */
const MAX_FIRST = 50
/** The most actors that are remembered as announced to the viewer. An evicted one is announced again before its next step. */
const MAX_KNOWN = 1_000
/** The most steps that are sent in a second. */
const MAX_STEPS = 200

export class StatelyFeed implements Feed {
  readonly #deps: FeedDeps
  readonly #send: (message: StatelyMessage) => void
  readonly #known = new Set<string>()
  readonly #pace: Pace
  readonly #unwatch: () => void

  constructor(deps: FeedDeps, send: (message: StatelyMessage) => void) {
    const { inspection, clock } = deps
    this.#deps = deps
    this.#send = send
    this.#pace = new Pace(clock, MAX_STEPS)
    this.#unwatch = inspection.follow({
      stepped: step => {
        if (!this.#pace.take()) return
        if (step.actor) this.#announce(step.actor)
        for (const message of stepMessages(step, clock.now())) send(message)
      },
      changed: (_chart, _id, actor) => {
        if (actor && this.#pace.take()) this.#announce(actor)
      },
    })
  }

  async begin(): Promise<void> {
    for (const { actors } of await this.#deps.inspection.lists(MAX_FIRST))
      for (const actor of actors) this.#announce(actor)
  }

  /** This viewer may send no message.
   *  @throws {ShapeError} */
  async receive(): Promise<void> {
    throw new ShapeError('message: expected none, got one')
  }

  stop(): void {
    this.#unwatch()
    this.#pace.stop()
  }

  #announce(actor: ShownActor): void {
    if (this.#known.has(actor.id)) return
    const [oldest] = this.#known
    if (oldest !== undefined && this.#known.size >= MAX_KNOWN) this.#known.delete(oldest)
    this.#known.add(actor.id)
    this.#send(actorMessage(actor, this.#deps.clock.now()))
  }
}
