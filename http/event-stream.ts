/** Streams of status events (spec 6, spec/session-server.md 12). A stream tells changes only, never the status at its opening: an app that waits in
 *  `PAIRING` takes the first event as the outcome. It registers first and reads the row then, so that no change falls between. It ends after
 *  a final status, when its client leaves, and when the server stops. @module */
import type { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { StatusChange } from '../actors/sessions.ts'
import { isOver } from '../machines/session-snapshot.ts'
import { SessionUnknown, Unavailable, UnexpectedRequest } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'
import { profileOf } from '../sessions/profile-of.ts'
import type { SessionRow, SessionStatus } from '../stores/session-store.ts'
import { answerNoContent } from './answer.ts'
import type { ServerDeps } from './deps.ts'
import { OpenStreams, STOPPING } from './open-streams.ts'
import type { ServerSettings } from './settings.ts'

/** What one event says; written as JSON. It may take its time: the next one waits. */
export type DescribeStatus = (status: SessionStatus) => unknown

export type EventStreams = {
  /** Answer a call with a stream of this session's changes of status.
   *  @throws {Unavailable} past the bound of open streams, and on a server that stops
   *  @throws {SessionUnknown} if the session is forgotten meanwhile
   *  @throws {UnexpectedRequest} for a finished session, in the profile that says so */
  open(ctx: Context, session: SessionRow, describe: DescribeStatus): Promise<void>
  /** Answer a call with a stream that has no end of its own: each message on this topic from now on is an event in JSON, written once for all who follow.
   *  @param watch registers a listener, for as long as the server runs
   *  @throws {Unavailable} past the bound of open streams, and on a server that stops */
  follow(ctx: Context, topic: string, watch: (tell: (event: unknown) => void) => void): void
  closeAll(): void
}

const HEADERS = {
  // exactly this: apps poll instead when there is a charset
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, OPTIONS',
  'Access-Control-Allow-Headers': 'Keep-Alive,X-Requested-With,Cache-Control,Content-Type,Last-Event-ID',
}

const MAX_OF_SESSION = 32

export function eventStreams({
  sessions,
  settings,
  clock,
}: Pick<ServerDeps, 'sessions' | 'settings' | 'clock'>): EventStreams {
  const { streams: max } = settings.limits
  const ofSessions = new OpenStreams(clock, max, MAX_OF_SESSION)
  const others = new OpenStreams(clock, max, max)
  const followed = new Set<string>()

  function answerStream(ctx: Context, stream: PassThrough): void {
    ctx.set(HEADERS)
    ctx.body = stream
    stream.write('event: open\n\n')
  }

  function follow(ctx: Context, topic: string, watch: (tell: (event: unknown) => void) => void): void {
    answerStream(
      ctx,
      others.open(topic, () => () => {}),
    )
    if (followed.has(topic)) return
    followed.add(topic)
    watch(event => others.tell(topic, `data: ${writeJson(event)}\n\n`))
  }

  async function open(ctx: Context, { id }: SessionRow, describe: DescribeStatus): Promise<void> {
    let startAfter: (version: number) => void = () => {}
    const stream = ofSessions.open(id, opened => {
      const feed = changeFeed(opened, describe)
      startAfter = feed.startAfter
      return sessions.watch(id, feed.tell)
    })
    try {
      const row = await sessions.read(id)
      if (row === null) throw new SessionUnknown()
      if (isOver(row.status)) return stopListening(ctx, row, settings, stream)
      if (stream.writableEnded) throw new Unavailable(STOPPING) // meanwhile
      answerStream(ctx, stream)
      startAfter(row.version)
    } catch (error) {
      stream.destroy()
      throw error
    }
  }

  function closeAll(): void {
    ofSessions.closeAll()
    others.closeAll()
  }

  return { open, follow, closeAll }
}

/** Events of one stream, in order: those that come before the row was read are kept until it is known which of them are later than it, and each waits for the
 *  one before it, since what an event says may have to be read first. */
function changeFeed(stream: PassThrough, describe: DescribeStatus) {
  const early: StatusChange[] = []
  let readVersion: number | null = null
  let sent: Promise<void> = Promise.resolve()

  function tell(change: StatusChange): void {
    if (readVersion === null) early.push(change)
    else if (change.version > readVersion)
      sent = sent.then(() => send(change.newStatus)).catch((error: Error) => void stream.destroy(error)) // its client asks again
  }

  async function send(status: SessionStatus): Promise<void> {
    const event = await describe(status)
    if (stream.writableEnded) return
    stream.write(`data: ${writeJson(event)}\n\n`)
    if (isOver(status)) stream.end()
  }

  function startAfter(version: number): void {
    readVersion = version
    for (const change of early.splice(0)) tell(change)
  }

  return { tell, startAfter }
}

/** Nothing will change any more: this answer keeps an event source from asking again. */
function stopListening(ctx: Context, row: SessionRow, settings: ServerSettings, stream: PassThrough): void {
  stream.destroy()
  if (profileOf(row, settings).finishedStream === 'unexpected-request')
    throw new UnexpectedRequest(
      'expected a session that goes on, got a finished one: there are no more events',
    )
  answerNoContent(ctx)
}
