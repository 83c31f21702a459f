/** Streams of status events (spec/interface#6, spec/session-server#12). A stream registers first and then reads the row, so that no change is lost in between. It sends
 *  changes. When it opens, it also sends the status if its owner does not know it (`last-sent.ts`). It ends after a final status, when its client leaves, and when
 *  the server stops. A client that sends its last event id gets the missed events, on every node. Only such a client gets ids, because the specification defines
 *  no ids. @module */
import type { Context } from 'koa'
import { isOver } from '../machines/session-snapshot.ts'
import { SessionUnknownError, UnavailableError, UnexpectedRequestError } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'
import { profileOf } from '../sessions/profile-of.ts'
import type { SessionRow } from '../stores/session-store.ts'
import { answerNoContent } from './answer.ts'
import type { ServerDeps } from './deps.ts'
import { forgetRequest } from './forget-request.ts'
import { LastSent, type StreamOwner } from './last-sent.ts'
import type { OpenStream, StreamTarget } from './open-stream.ts'
import { OpenStreams, STOPPING } from './open-streams.ts'
import type { ServerSettings } from './settings.ts'
import { type DescribeStatus, StatusFeed } from './status-feed.ts'

/** Sends JSON texts until its promise settles. It never rejects. The signal aborts when the client has left. */
export type RelayedEvents = (send: (json: string) => void, signal: AbortSignal) => Promise<void>

export type EventStreams = {
  /** Must be called when an answer has told the owner the status of the session. An answer to HEAD does not count, because it has no body. */
  noteAnswer(
    ctx: Pick<Context, 'method'>,
    owner: StreamOwner,
    session: Pick<SessionRow, 'id' | 'status'>,
  ): void
  /** Answer a call with a stream of this session's changes of status.
   *  @throws {UnavailableError} past the bound of open streams, and on a server that stops
   *  @throws {SessionUnknownError} if the session is forgotten meanwhile
   *  @throws {UnexpectedRequestError} for a finished session, if the profile's `finishedStream` is `unexpected-request` */
  open(ctx: Context, session: SessionRow, owner: StreamOwner, describe: DescribeStatus): Promise<void>
  /** Answers a call with a stream that never ends by itself. Each later message on this topic is an event in JSON, serialised once for all subscribers.
   *  @param listen registers a listener, for as long as the server runs
   *  @throws {UnavailableError} past the bound of open streams, and on a server that stops */
  follow(ctx: Context, topic: string, listen: (notify: (event: unknown) => void) => void): void
  /** Answers a call with the events of another server. The stream counts as one of a session.
   *  @throws {UnavailableError} past the bound of open streams, and on a server that stops */
  relay(ctx: Context, owner: string, source: RelayedEvents): void
  closeAll(): void
}

const HEADERS = {
  // without a charset: with one, apps poll instead of using the stream
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-store', // the last event of a frontend may hold the pointer of the next session
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
  figures,
}: Pick<ServerDeps, 'sessions' | 'settings' | 'clock' | 'figures'>): EventStreams {
  const { streams: max } = settings.limits
  const ofSessions = new OpenStreams(clock, max, MAX_OF_SESSION)
  const others = new OpenStreams(clock, max, max)
  const [told, followed] = [new LastSent(), new Set<string>()]
  figures?.watchStreams(() => ({ session: ofSessions.count, revocation: others.count }))

  function follow(ctx: Context, topic: string, listen: (notify: (event: unknown) => void) => void): void {
    const stream = others.open(topic, wireOf(ctx), () => {})
    answerHead(ctx)
    stream.begin('event: open\n\n')
    forgetRequest(ctx)
    if (followed.has(topic)) return
    followed.add(topic)
    listen(event => others.notify(topic, `data: ${writeJson(event)}\n\n`))
  }

  const open: EventStreams['open'] = async (ctx, { id }, owner, describe) => {
    const lastId = lastEventIdOf(ctx)
    const feed = new StatusFeed({
      ...{ describe, read: () => sessions.read(id), hasIds: lastId !== null },
      ended: status => wasOver && told.note(owner, id, status),
    })
    let [wasOver, stop] = [false, (): void => {}]
    const stream = ofSessions.open(id, wireOf(ctx), () => stop())
    try {
      stop = sessions.follow(id, feed.notify, feed.notifyRow)
      const row = await sessions.read(id)
      if (row === null) throw new SessionUnknownError()
      wasOver = isOver(row.status)
      const opening = told.openingOf(owner, lastId, row)
      if (isOver(opening.known)) return stopListening(ctx, row, settings, stream)
      if (stream.isOver) throw new UnavailableError(STOPPING) // it was closed while the row was read
      requireUnanswered(ctx)
      answerHead(ctx)
      feed.begin(stream, opening, row.version)
      forgetRequest(ctx)
    } catch (error) {
      stream.drop()
      throw error
    }
  }

  return {
    ...{ open, follow },
    relay: (ctx, owner, source) => relay(ofSessions, ctx, owner, source),
    noteAnswer({ method }, owner, { id, status }) {
      if (method !== 'HEAD') told.note(owner, id, status)
    },
    closeAll: () => [ofSessions, others].forEach(streams => void streams.closeAll()),
  }
}

function relay(streams: OpenStreams, ctx: Context, owner: string, source: RelayedEvents): void {
  const left = new AbortController()
  const stream = streams.open(owner, wireOf(ctx), () => left.abort())
  answerHead(ctx)
  stream.begin(':\n')
  forgetRequest(ctx)
  void source(json => stream.send(`data: ${json}\n\n`), left.signal).finally(() => stream.end())
}

function wireOf({ req, res }: Context): StreamTarget {
  return { out: res, connection: req.socket }
}

/** @throws {UnavailableError} if the call has been answered meanwhile, because its time has elapsed */
function requireUnanswered({ headerSent }: Context): void {
  if (headerSent)
    throw new UnavailableError(
      'event stream: expected a call that waits for it, got one that has been answered',
    )
}

/** After this call the stream writes the answer, and Koa does not. */
function answerHead(ctx: Context): void {
  ctx.status = 200
  ctx.set(HEADERS)
  ctx.respond = false
}

/** Reads `Last-Event-ID`, which a client sends after its connection was lost. A page cannot set this header, so it may send the id in the address.
 *  @returns null: the client wants no ids */
function lastEventIdOf(ctx: Context): string | null {
  const { 'last-event-id': header } = ctx.req.headers
  const value = header ?? ctx.query.lastEventId
  return value === undefined ? null : String(value)
}

/** Refuses the stream, because a finished session does not change. This answer stops an event source from reconnecting. */
function stopListening(ctx: Context, row: SessionRow, settings: ServerSettings, stream: OpenStream): void {
  stream.drop()
  if (profileOf(row, settings).finishedStream === 'unexpected-request')
    throw new UnexpectedRequestError('expected an open session, got a finished one: there are no more events')
  answerNoContent(ctx)
}
