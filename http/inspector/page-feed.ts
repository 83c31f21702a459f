/** The messages to the page of the inspector, and the answers to its requests (page-messages.ts). @module */
import type { Inspection } from '../../actors/inspection/inspection.ts'
import { endOf } from '../../actors/inspection/kept-paths.ts'
import type { ShownActor, ShownStep } from '../../actors/inspection/views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Feed } from './connection.ts'
import { Pace } from './pace.ts'
import { type PageMessage, readViewerMessage, type ViewerMessage } from './page-messages.ts'

/** The most actors of a list. */
const MAX_LISTED = 1_000
/** The most steps and changes that are sent in a second. */
const MAX_STEPS = 200

export type FeedDeps = { readonly inspection: Inspection; readonly clock: Clock }

type Filter = Omit<Extract<ViewerMessage, { readonly type: 'filter' }>, 'type'>

export class PageFeed implements Feed {
  readonly #inspection: Inspection
  readonly #clock: Clock
  readonly #send: (message: PageMessage) => void
  readonly #pace: Pace
  readonly #unwatch: () => void
  #filter: Filter = { chart: '', status: '', requestor: '' }
  #chosen = ''
  /** lists that are on their way */
  #lists: Promise<void> | null = null
  /** events since the lists were requested */
  #held: PageMessage[] = []

  constructor({ inspection, clock }: FeedDeps, send: (message: PageMessage) => void) {
    this.#inspection = inspection
    this.#clock = clock
    this.#send = send
    this.#pace = new Pace(clock, MAX_STEPS, count => send({ type: 'svc.skipped', count }))
    this.#unwatch = inspection.follow({
      stepped: step => {
        if (this.#wants(step.id, step.chart, [headOf(step.before), headOf(step.actor?.states)], step.actor))
          this.#tell({ type: 'svc.step', ...step })
      },
      changed: (chart, id, actor) => {
        if (this.#wants(id, chart, [actor?.status], actor))
          this.#tell({ type: 'svc.changed', chart, id, actor })
      },
    })
  }

  async begin(): Promise<void> {
    const { charts, paths } = this.#inspection
    this.#send({
      type: 'svc.hello',
      now: this.#clock.now(),
      charts,
      bounds: { listed: MAX_LISTED, stepsPerSec: MAX_STEPS },
      kept: paths.map(endOf),
    })
    await this.#list()
  }

  async receive(text: string): Promise<void> {
    const message = readViewerMessage(text)
    switch (message.type) {
      case 'filter':
        this.#filter = message
        return
      case 'list':
        return this.#list()
      case 'choose':
        this.#chosen = message.id
        return message.id === '' ? undefined : this.#find(message.id)
      case 'find':
        return this.#find(message.id)
      case 'keep':
        return this.#keep(message)
      case 'path':
        return this.#sendPath(message.id)
    }
  }

  stop(): void {
    this.#unwatch()
    this.#pace.stop()
  }

  /** Events that occur while the lists are read are newer than the lists, so they are sent after them. Requests made meanwhile get the same lists. */
  #list(): Promise<void> {
    this.#lists ??= this.#readLists().finally(() => {
      this.#lists = null
      for (const message of this.#held.splice(0)) this.#send(message)
    })
    return this.#lists
  }

  async #readLists(): Promise<void> {
    for (const list of await this.#inspection.lists(MAX_LISTED)) this.#send({ type: 'svc.list', ...list })
  }

  #tell(message: PageMessage): void {
    if (this.#lists) this.#held.push(message)
    else this.#send(message)
  }

  async #find(id: string): Promise<void> {
    this.#send({ type: 'svc.found', id, actor: await this.#inspection.find(id) })
  }

  async #keep({ id, isOn }: { readonly id: string; readonly isOn: boolean }): Promise<void> {
    if (isOn) await this.#inspection.keepPath(id)
    else this.#inspection.dropPath(id)
    this.#sendPath(id)
  }

  #sendPath(id: string): void {
    this.#send({ type: 'svc.path', id, path: this.#inspection.pathOf(id) })
  }

  /** @param statuses before and after the step: a filter for either lets the step pass, so that its viewer also sees an actor leave the status
   *  @param actor null: it is forgotten, and the filter by requestor does not apply */
  #wants(
    id: string,
    chart: string,
    statuses: readonly (string | undefined)[],
    actor: ShownActor | null,
  ): boolean {
    if (id === this.#chosen) return true
    const { chart: wanted, status, requestor } = this.#filter
    if (wanted !== '' && chart !== wanted) return false
    if (status !== '' && !statuses.includes(status)) return false
    if (requestor !== '' && actor !== null && actor.requestor !== requestor) return false
    return this.#pace.take()
  }
}

/** The state at the top, which is the status. */
function headOf(states: ShownStep['before'] | undefined): string | undefined {
  return states?.[0]?.split('.', 1)[0]
}
