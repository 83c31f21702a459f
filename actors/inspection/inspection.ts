/** The view of a process for inspectors of its charts (docs/inspector.md): the lists of its actors, and each step once it is committed. Gates report their
 *  steps (watch.ts), viewers read them (http/inspector). It costs nothing while no viewer is connected. @module */

import type { ChartName } from '../../charts/chart.ts'
import { type KeptPath, KeptPaths } from './kept-paths.ts'
import type { ShownActor, ShownStep } from './views.ts'

export type ShownList = {
  readonly chart: ChartName
  /** total number, including those in the stores */
  readonly total: number
  /** the newest actors; if there are fewer than `total`, the list is a sample */
  readonly actors: readonly ShownActor[]
}

/** A source of actors of one chart: a gate and its store. */
export type ActorSource = {
  readonly chart: ChartName
  /** the newest stored actors */
  newest(limit: number): Promise<Omit<ShownList, 'chart'>>
  find(id: string): Promise<ShownActor | null>
}

export type Viewer = {
  stepped(step: ShownStep): void
  /** An actor changed without a step of its chart: it is new, it was closed, or (null) it was closed before and is now forgotten. */
  changed(chart: ChartName, id: string, actor: ShownActor | null): void
}

export class Inspection {
  readonly #sources: ActorSource[] = []
  readonly #viewers = new Set<Viewer>()
  readonly #paths = new KeptPaths()
  readonly #report: (error: unknown) => void

  /** @param report for a log: a viewer failed */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  add(source: ActorSource): void {
    this.#sources.push(source)
  }

  /** @returns stop */
  follow(viewer: Viewer): () => void {
    this.#viewers.add(viewer)
    return () => void this.#viewers.delete(viewer)
  }

  /** True if the steps of that actor are wanted by a viewer or a kept path. */
  isFollowed(id: string): boolean {
    return this.#viewers.size > 0 || this.#paths.has(id)
  }

  /** The commit is done: a failing viewer changes nothing about it. */
  safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#report(error)
    }
  }

  stepped(step: ShownStep): void {
    this.#paths.add(step)
    for (const viewer of this.#viewers) viewer.stepped(step)
  }

  changed(chart: ChartName, id: string, actor: ShownActor | null): void {
    for (const viewer of this.#viewers) viewer.changed(chart, id, actor)
  }

  /** Each chart once, in the order in which its source was added. */
  get charts(): readonly ChartName[] {
    return [...new Set(this.#sources.map(({ chart }) => chart))]
  }

  /** @param limit length of each list; each chart has one list, whose actors may come from several stores */
  async lists(limit: number): Promise<readonly ShownList[]> {
    const lists = new Map<ChartName, ShownList>()
    for (const source of this.#sources) {
      const { chart } = source
      const found = await source.newest(limit)
      const before = lists.get(chart)
      lists.set(chart, {
        chart,
        total: found.total + (before?.total ?? 0),
        actors: [...(before?.actors ?? []), ...found.actors].slice(0, limit),
      })
    }
    return [...lists.values()]
  }

  async find(id: string): Promise<ShownActor | null> {
    for (const source of this.#sources) {
      const actor = await source.find(id)
      if (actor) return actor
    }
    return null
  }

  /** Keeps the steps of that actor from now on, beginning with its present state.
   *  @returns null if there is no such actor */
  async keepPath(id: string): Promise<KeptPath | null> {
    const meanwhile: ShownStep[] = []
    const unwatch = this.follow({ stepped: step => meanwhile.push(step), changed() {} })
    try {
      const first = await this.find(id)
      if (first === null || this.#paths.has(id)) return first && this.#paths.get(id)
      const path = this.#paths.keep(first)
      for (const step of meanwhile) if (isAfter(step, first)) this.#paths.add(step)
      return path
    } finally {
      unwatch()
    }
  }

  /** @returns null if no path is kept */
  pathOf(id: string): KeptPath | null {
    return this.#paths.get(id)
  }

  dropPath(id: string): void {
    this.#paths.drop(id)
  }

  get paths(): readonly KeptPath[] {
    return this.#paths.all()
  }
}

/** True if the step was made by that actor, and after the given state. */
function isAfter({ id, actor }: ShownStep, { id: first, version }: ShownActor): boolean {
  return id === first && (actor === null || actor.version > version)
}
