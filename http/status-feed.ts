/** The events of one stream: each change of status once and in order, from every node. A change has the previous status,
 *  so that a lost change is noticed at the next one. Then the row is read, because all past statuses of the session follow from it. Every other row that
 *  reaches `notifyRow` replaces lost changes in the same way. @module */
import { statusesAfter } from '../machines/past-statuses.ts'
import { isOver } from '../machines/session-snapshot.ts'
import { writeJson } from '../protocol/json.ts'
import type { SessionRow, SessionStatus, StatusChange } from '../stores/session-store.ts'
import type { StreamStart } from './last-sent.ts'
import type { OpenStream } from './open-stream.ts'

/** The content of one event, written as JSON. It may be slow, because the next event waits for it. */
export type DescribeStatus = (status: SessionStatus) => unknown

export type StatusFeedDeps = {
  readonly describe: DescribeStatus
  /** reads the row, which then reaches `notifyRow` */
  readonly read: () => Promise<unknown>
  /** true if events have their status as id. A client that reconnects sends the last id that it received. */
  readonly hasIds: boolean
  /** a final status was written to the stream */
  readonly ended: (status: SessionStatus) => void
}

export class StatusFeed {
  readonly #deps: StatusFeedDeps
  /** changes that arrive before the stream begins are handled at its beginning */
  #early: (StatusChange | SessionRow)[] | null = []
  #stream: OpenStream | null = null
  /** the latest known commit */
  #version = 0
  /** the status after all known changes */
  #status: SessionStatus = 'INITIALIZED'
  #toSend: SessionStatus[] = []
  #isSending = false
  #isForgotten = false

  constructor(deps: StatusFeedDeps) {
    this.#deps = deps
  }

  /** @param version of the row of the opening, which was read after the stream subscribed */
  begin(stream: OpenStream, { known: last, missed }: StreamStart, version: number): void {
    const early = this.#early ?? []
    this.#early = null
    this.#stream = stream
    this.#status = last
    stream.begin(this.#written('event: open', last))
    this.#enqueue(version, missed)
    for (const heard of early) 'newStatus' in heard ? this.notify(heard) : this.notifyRow(heard)
    if (this.#isForgotten) this.#endOnceTold()
  }

  readonly notify = (change: StatusChange): void => {
    if (this.#early) this.#early.push(change)
    else if (change.version <= this.#version) return
    else if (change.oldStatus === this.#status) this.#enqueue(change.version, [change.newStatus])
    else this.#deps.read().catch(() => this.#stream?.drop()) // the client reconnects
  }

  /** @param row null: the session is deleted, so the missed changes are not known */
  readonly notifyRow = (row: SessionRow | null): void => {
    if (row === null) this.#endOnceTold()
    else if (this.#early) this.#early.push(row)
    else if (row.version > this.#version) this.#enqueue(row.version, statusesAfter(this.#status, row) ?? [])
  }

  /** Changes that arrived before are still sent. */
  #endOnceTold(): void {
    this.#isForgotten = true
    if (!this.#isSending) this.#stream?.end()
  }

  #enqueue(version: number, statuses: readonly SessionStatus[]): void {
    this.#version = version
    this.#status = statuses.at(-1) ?? this.#status
    this.#toSend.push(...statuses)
    if (!this.#isSending && statuses.length > 0) this.#sendAll().catch(() => this.#stream?.drop())
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    for (let status = this.#toSend.shift(); status !== undefined; status = this.#toSend.shift()) {
      const event = await this.#deps.describe(status)
      this.#stream?.send(this.#written(`data: ${writeJson(event)}`, status))
      if (isOver(status)) this.#endWith(status)
    }
    this.#isSending = false
    if (this.#isForgotten) this.#stream?.end()
    this.#toSend = [] // an emptied array would keep its memory
  }

  #endWith(status: SessionStatus): void {
    if (this.#stream?.isOver === false) this.#deps.ended(status)
    this.#stream?.end()
  }

  #written(line: string, id: SessionStatus): string {
    return this.#deps.hasIds ? `id: ${id}\n${line}\n\n` : `${line}\n\n`
  }
}
