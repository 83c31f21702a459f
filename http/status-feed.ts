/** What one event stream tells of its session: each change of status once and in order, whichever node commits it. A change says what the status was before,
 *  so that one that was lost is noticed at the next; the row is read then, which knows the statuses that a session has had. Every row that is shown makes up
 *  for changes that were lost, in the same way. @module */
import { statusesAfter } from '../machines/past-statuses.ts'
import { isOver } from '../machines/session-snapshot.ts'
import { writeJson } from '../protocol/json.ts'
import type { SessionRow, SessionStatus, StatusChange } from '../stores/session-store.ts'
import type { Opening } from './last-told.ts'
import type { OpenStream } from './open-stream.ts'

/** What one event says; written as JSON. It may take its time: the next one waits. */
export type DescribeStatus = (status: SessionStatus) => unknown

export type StatusFeedDeps = {
  readonly describe: DescribeStatus
  /** shows the row to `seen` */
  readonly read: () => Promise<unknown>
  /** whether events name their status as their id, by which whoever was cut off says later how far it has heard */
  readonly hasIds: boolean
  /** a final status was written to the stream */
  readonly ended: (status: SessionStatus) => void
}

export class StatusFeed {
  readonly #deps: StatusFeedDeps
  /** what comes before the stream has begun is looked at then */
  #early: (StatusChange | SessionRow)[] | null = []
  #stream: OpenStream | null = null
  /** the latest commit that was heard of */
  #version = 0
  /** after everything that was heard of has been told */
  #status: SessionStatus = 'INITIALIZED'
  #toTell: SessionStatus[] = []
  #isTelling = false
  #isForgotten = false

  constructor(deps: StatusFeedDeps) {
    this.#deps = deps
  }

  /** @param version of the row from which the opening was read, after everything that comes is heard */
  begin(stream: OpenStream, { heard: last, missed }: Opening, version: number): void {
    const early = this.#early ?? []
    this.#early = null
    this.#stream = stream
    this.#status = last
    stream.begin(this.#written('event: open', last))
    this.#hear(version, missed)
    for (const heard of early) 'newStatus' in heard ? this.changed(heard) : this.seen(heard)
    if (this.#isForgotten) this.#endOnceTold()
  }

  readonly changed = (change: StatusChange): void => {
    if (this.#early) this.#early.push(change)
    else if (change.version <= this.#version) return
    else if (change.oldStatus === this.#status) this.#hear(change.version, [change.newStatus])
    else this.#deps.read().catch(() => this.#stream?.drop()) // its client asks again
  }

  /** @param row null: the session is forgotten, so that nobody knows any more what was missed */
  readonly seen = (row: SessionRow | null): void => {
    if (row === null) this.#endOnceTold()
    else if (this.#early) this.#early.push(row)
    else if (row.version > this.#version) this.#hear(row.version, statusesAfter(this.#status, row) ?? [])
  }

  /** What was heard before is still told. */
  #endOnceTold(): void {
    this.#isForgotten = true
    if (!this.#isTelling) this.#stream?.end()
  }

  #hear(version: number, statuses: readonly SessionStatus[]): void {
    this.#version = version
    this.#status = statuses.at(-1) ?? this.#status
    this.#toTell.push(...statuses)
    if (!this.#isTelling && statuses.length > 0) this.#tellAll().catch(() => this.#stream?.drop())
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true
    for (let status = this.#toTell.shift(); status !== undefined; status = this.#toTell.shift()) {
      const event = await this.#deps.describe(status)
      this.#stream?.send(this.#written(`data: ${writeJson(event)}`, status))
      if (isOver(status)) this.#endWith(status)
    }
    this.#isTelling = false
    if (this.#isForgotten) this.#stream?.end()
    this.#toTell = [] // a list that was emptied keeps its room
  }

  #endWith(status: SessionStatus): void {
    if (this.#stream?.isOver === false) this.#deps.ended(status)
    this.#stream?.end()
  }

  #written(line: string, id: SessionStatus): string {
    return this.#deps.hasIds ? `id: ${id}\n${line}\n\n` : `${line}\n\n`
  }
}
