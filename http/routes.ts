/** The only place that mounts endpoints (spec 4): method, path, what is found and checked before, endpoint. A path is matched exactly; a token may be
 *  followed by one slash where nothing else follows it (spec/session-server.md 2.1). No endpoint answers HEAD. @module */
import { METHODS } from 'node:http'
import { Router } from '@koa/router'
import type Koa from 'koa'
import type { Context } from 'koa'
import { ExceptionError, MalformedInput, MethodNotAllowed, NotFound } from '../protocol/errors.ts'
import type { ResultSigner } from '../sessions/result-jwt.ts'
import type { SessionRow } from '../stores/session-store.ts'
import { refuseOtherApp } from './app/call.ts'
import { connect } from './app/connect.ts'
import { request } from './app/request.ts'
import { startStatic } from './app/start-static.ts'
import { submission } from './app/submission.ts'
import type { BodyEndpoint, Endpoint, ServerDeps, SessionEndpoint } from './deps.ts'
import type { EventStreams } from './event-stream.ts'
import { findByClientToken, findByRequestorToken } from './find-session.ts'
import { options } from './frontend/options.ts'
import { pairingCompleted } from './frontend/pairingcompleted.ts'
import { status as frontendStatus } from './frontend/status.ts'
import { statusEvents as frontendStatusEvents } from './frontend/statusevents.ts'
import { requireFrontendToken } from './frontend-auth.ts'
import { health } from './health.ts'
import { within } from './limit-time.ts'
import { readBody } from './read-body.ts'
import { create } from './requestor/create.ts'
import { getproof } from './requestor/getproof.ts'
import { publicKey } from './requestor/publickey.ts'
import { result } from './requestor/result.ts'
import { resultJwt } from './requestor/result-jwt.ts'
import { revocation } from './requestor/revocation.ts'
import { events } from './revocation/events.ts'
import { issuanceRecord } from './revocation/issuancerecord.ts'
import { updateOfKey, updates } from './revocation/update.ts'
import { updateEvents } from './revocation/updateevents.ts'
import { deleteSession } from './session/delete.ts'
import { status } from './session/status.ts'
import { statusEvents } from './session/statusevents.ts'
import { staticFiles } from './static-files.ts'

type Find = (ctx: Context) => Promise<SessionRow>
type Route = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, endpoint: Endpoint]

/** Name of the routes that take what no other route takes. */
const OTHERWISE = 'otherwise'

/** Whose calls a listener takes: with a separate client listener those of requestors stay on the other (spec/session-server.md 2.6). */
export type Callers = 'everybody' | 'requestors' | 'clients'

export function mountRoutes(app: Koa, deps: ServerDeps, streams: EventStreams, callers: Callers): void {
  const { apiPrefix, profile, staticFolder } = deps.settings
  const router = new Router({ strict: true, sensitive: true })
  if (callers !== 'clients') mount(router, requestorRoutes(deps, streams))
  if (callers !== 'requestors') mountClients(router, deps, streams)
  app.use(router.routes())
  if (staticFolder !== null && callers !== 'requestors')
    app.use(staticFiles(staticFolder, `${apiPrefix}${profile.prefix}/`))
  app.use(refuse)
}

function mountClients(router: Router, deps: ServerDeps, streams: EventStreams): void {
  const { apiPrefix, profile } = deps.settings
  const session = `${apiPrefix}${profile.prefix}/session/:clientToken`
  mount(router, [
    ...appRoutes(session, deps, streams),
    ...frontendRoutes(`${session}/frontend`, deps, streams),
    ...revocationRoutes(`${apiPrefix}${profile.prefix}/revocation/:type`, deps, streams),
  ])
  mountOtherwise(router, [`${session}/frontend`, `${session}/frontend/*rest`], byFrontend(deps))
  mountOtherwise(router, [`${session}{/}`, `${session}/*rest`], byClient(deps))
}

/** The router would let GET answer HEAD. */
function mount(router: Router, table: readonly Route[]): void {
  for (const [method, path, endpoint] of table)
    router.register(path, [method], [(ctx, next) => (ctx.method === 'HEAD' ? next() : endpoint(ctx))])
}

function requestorRoutes(deps: ServerDeps, streams: EventStreams): Route[] {
  const { apiPrefix, resultSigner } = deps.settings
  const session = `${apiPrefix}/session/:requestorToken`
  const found = (endpoint: SessionEndpoint) => finding(byRequestor(deps), endpoint, deps)
  // whether there is a key shows before any session does
  const signed = (endpoint: (deps: ServerDeps, signer: ResultSigner) => SessionEndpoint) =>
    resultSigner === null ? nothingSigned : found(endpoint(deps, resultSigner))
  return [
    ['GET', `${apiPrefix}/health`, health],
    ['POST', `${apiPrefix}/session{/}`, create(deps)],
    ['DELETE', `${session}{/}`, found(deleteSession(deps))],
    ['GET', `${session}/status`, found(status)],
    ['GET', `${session}/statusevents`, found(statusEvents(streams))],
    ['GET', `${session}/result`, found(result(deps))],
    ['GET', `${session}/result-jwt`, signed(resultJwt)],
    ['GET', `${session}/getproof`, signed(getproof)],
    ['GET', `${apiPrefix}/publickey`, publicKey(deps)],
    ['POST', `${apiPrefix}/revocation`, revocation(deps)],
  ]
}

function appRoutes(session: string, deps: ServerDeps, streams: EventStreams): Route[] {
  const found = (endpoint: SessionEndpoint) => finding(byClient(deps), endpoint, deps)
  const submitted = (endpoint: 'proofs' | 'commitments') =>
    findingAndReading(byApp(deps), submission(deps, endpoint), deps.settings.limits.outcomeMs, deps)
  return [
    ['POST', session, startStatic(deps)],
    ['GET', `${session}{/}`, found(connect(deps))],
    ['GET', `${session}/request`, found(request(deps))],
    ['POST', `${session}/proofs`, submitted('proofs')],
    ['POST', `${session}/commitments`, submitted('commitments')],
    ['DELETE', `${session}{/}`, found(deleteSession(deps))],
    ['GET', `${session}/status`, found(status)],
    ['GET', `${session}/statusevents`, found(statusEvents(streams))],
  ]
}

function frontendRoutes(frontend: string, deps: ServerDeps, streams: EventStreams): Route[] {
  const found = (endpoint: SessionEndpoint) => finding(byFrontend(deps), endpoint, deps)
  const { handlingMs } = deps.settings.limits
  const chosen = findingAndReading(byFrontend(deps), options(deps), handlingMs, deps)
  return [
    ['GET', `${frontend}/status`, found(frontendStatus(deps))],
    ['GET', `${frontend}/statusevents`, found(frontendStatusEvents(deps, streams))],
    ['POST', `${frontend}/options`, chosen],
    ['POST', `${frontend}/pairingcompleted`, found(pairingCompleted(deps))],
  ]
}

function revocationRoutes(type: string, deps: ServerDeps, streams: EventStreams): Route[] {
  return [
    ['GET', `${type}/update/:count`, updates(deps)],
    ['GET', `${type}/update/:count/:keyCounter`, updateOfKey(deps)],
    ['GET', `${type}/updateevents`, updateEvents(deps, streams)],
    ['GET', `${type}/events/:keyCounter/:min/:max`, events(deps)],
    ['POST', `${type}/issuancerecord/:keyCounter`, issuanceRecord(deps)],
  ]
}

function byRequestor(deps: ServerDeps): Find {
  return ctx => findByRequestorToken(ctx, deps)
}

function byClient(deps: ServerDeps): Find {
  return ctx => findByClientToken(ctx, deps)
}

function byApp(deps: ServerDeps): Find {
  return async ctx => {
    const session = await findByClientToken(ctx, deps)
    refuseOtherApp(ctx, session, deps)
    return session
  }
}

function byFrontend(deps: ServerDeps): Find {
  return async ctx => {
    const session = await findByClientToken(ctx, deps)
    requireFrontendToken(ctx, session)
    return session
  }
}

function finding(find: Find, endpoint: SessionEndpoint, { clock, settings }: ServerDeps): Endpoint {
  const answer = async (ctx: Context) => endpoint(ctx, await find(ctx))
  return ctx => within(clock, settings.limits.handlingMs, 'handling the call', answer(ctx))
}

/** The session is found before its call is read; each part has its own bound of time, the last one is `ms`. */
function findingAndReading(find: Find, endpoint: BodyEndpoint, ms: number, deps: ServerDeps): Endpoint {
  const { clock, settings } = deps
  return async ctx => {
    const session = await within(clock, settings.limits.handlingMs, 'finding the session', find(ctx))
    const body = await readBody(ctx, deps, MalformedInput)
    await within(clock, ms, 'handling the call', endpoint(ctx, session, body))
  }
}

/** Below a client token the session is found, and the frontend checked, before it shows that there is no such endpoint. */
function mountOtherwise(router: Router, paths: readonly string[], find: Find): void {
  const refuseFound = async (ctx: Context) => {
    await find(ctx)
    refuse(ctx)
  }
  for (const path of paths) router.register(path, METHODS, [refuseFound], { name: OTHERWISE })
}

function refuse(ctx: Context): never {
  const matched: readonly { readonly name?: string }[] = ctx.matched ?? []
  throw matched.some(({ name }) => name !== OTHERWISE) ? new MethodNotAllowed() : new NotFound()
}

/** Results that no key of this server signs (spec/session-server.md 13.3). */
function nothingSigned(): never {
  throw new ExceptionError('JWT signing not supported: expected a JWT private key, got none')
}
