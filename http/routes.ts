/** Every endpoint (spec 4; spec/session-server.md 2), a line each: who may call it, what is read, how long it may take, in which form its errors leave, and
 *  what answers. With a separate client listener the first table is served by the one, the second by the other (spec/session-server.md 2.6). @module */
import type Koa from 'koa'
import { connect } from './app/connect.ts'
import { request } from './app/request.ts'
import { startStatic } from './app/start-static.ts'
import { submission } from './app/submission.ts'
import { type Admitted, admitting } from './callers.ts'
import type { ServerDeps } from './deps.ts'
import type { EventStreams } from './event-stream.ts'
import { options } from './frontend/options.ts'
import { pairingCompleted } from './frontend/pairingcompleted.ts'
import { status as frontendStatus } from './frontend/status.ts'
import { statusEvents as frontendStatusEvents } from './frontend/statusevents.ts'
import { health, ready } from './health.ts'
import { mountTables, type Route, refuse } from './mount.ts'
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

/** Below the prefix of the API. */
function requestorRoutes(deps: ServerDeps, streams: EventStreams): readonly Route<Admitted>[] {
  const session = '/session/:requestorToken'
  // biome-ignore format: a table is read by its columns
  return [
    // method     path                                    caller                  body          limit       errors  endpoint
    ['GET',       '/health',                              'anybody',              '-',          '-',        'json', health],
    readyRoute(deps),
    ['POST',      '/session{/}',                          'requestor',            'request',    'starting', 'json', create(deps)],
    ['DELETE',    `${session}{/}`,                        'requestor token',      '-',          'handling', 'json', deleteSession(deps)],
    ['GET',       `${session}/status`,                    'requestor token',      '-',          'handling', 'json', status],
    ['GET',       `${session}/statusevents`,              'requestor token',      '-',          'handling', 'json', statusEvents(streams)],
    ['GET',       `${session}/result`,                    'requestor token',      '-',          'handling', 'json', result(deps)],
    ['GET',       `${session}/result-jwt`,                'requestor token, key', '-',          'handling', 'json', resultJwt(deps)],
    ['GET',       `${session}/getproof`,                  'requestor token, key', '-',          'handling', 'json', getproof(deps)],
    ['GET',       '/publickey',                           'anybody',              '-',          '-',        'json', publicKey(deps)],
    ['POST',      '/revocation',                          'requestor',            'request',    'revoking', 'json', revocation(deps)],
  ]
}

/** Below the prefix of the API, at every listener: whoever sends calls to one asks it. */
function readyRoute(deps: ServerDeps): Route<Pick<Admitted, 'anybody'>> {
  return ['GET', '/health/ready', 'anybody', '-', '-', 'json', ready(deps)]
}

/** Below the prefix of the API and that of the profile. Below a client token the session is found, and the frontend known, before it shows that there is
 *  no such endpoint. */
function clientRoutes(deps: ServerDeps, streams: EventStreams): readonly Route<Admitted>[] {
  const session = '/session/:clientToken'
  const frontend = `${session}/frontend`
  const type = '/revocation/:type'
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      session,                                'anybody',              '-',          'starting', 'json', startStatic(deps)],
    ['GET',       `${session}{/}`,                        'client token',         '-',          'handling', 'json', connect(deps)],
    ['GET',       `${session}/request`,                   'connected app',        '-',          'handling', 'json', request(deps)],
    ['POST',      `${session}/proofs`,                    'connected app',        'submission', 'outcome',  'json', submission(deps, 'proofs')],
    ['POST',      `${session}/commitments`,               'connected app',        'submission', 'outcome',  'json', submission(deps, 'commitments')],
    ['DELETE',    `${session}{/}`,                        'client token',         '-',          'handling', 'json', deleteSession(deps)],
    ['GET',       `${session}/status`,                    'client token',         '-',          'handling', 'json', status],
    ['GET',       `${session}/statusevents`,              'client token',         '-',          'handling', 'json', statusEvents(streams)],
    ['GET',       `${frontend}/status`,                   'frontend',             '-',          'handling', 'json', frontendStatus(deps)],
    ['GET',       `${frontend}/statusevents`,             'frontend',             '-',          'handling', 'json', frontendStatusEvents(deps, streams)],
    ['POST',      `${frontend}/options`,                  'frontend',             'message',    'handling', 'json', options(deps)],
    ['POST',      `${frontend}/pairingcompleted`,         'frontend',             '-',          'handling', 'json', pairingCompleted(deps)],
    ['GET',       `${type}/update/:count`,                'anybody',              '-',          'handling', 'cbor', updates(deps)],
    ['GET',       `${type}/update/:count/:keyCounter`,    'anybody',              '-',          'handling', 'cbor', updateOfKey(deps)],
    ['GET',       `${type}/updateevents`,                 'anybody',              '-',          'handling', 'cbor', updateEvents(deps, streams)],
    ['GET',       `${type}/events/:keyCounter/:min/:max`, 'anybody',              '-',          'handling', 'cbor', events(deps)],
    ['POST',      `${type}/issuancerecord/:keyCounter`,   'issuer',               'record',     'handling', 'cbor', issuanceRecord],
    ['otherwise', `${frontend}{/*rest}`,                  'frontend',             '-',          'handling', 'json', refuse],
    ['otherwise', `${session}{/{*rest}}`,                 'client token',         '-',          'handling', 'json', refuse],
  ]
}

/** Below the same, at every listener. */
const UNKNOWN: readonly Route<Admitted>[] = [
  ['otherwise', '/revocation/{*rest}', 'anybody', '-', '-', 'cbor', refuse],
]

/** Whose calls a listener takes: with a separate client listener those of requestors stay on the other. */
export type Callers = 'everybody' | 'requestors' | 'clients'

export function mountRoutes(app: Koa, deps: ServerDeps, streams: EventStreams, callers: Callers): void {
  const { apiPrefix, profile, staticFolder } = deps.settings
  const prefix = apiPrefix + profile.prefix
  const tables = [
    {
      prefix: apiPrefix,
      routes: callers === 'clients' ? [readyRoute(deps)] : requestorRoutes(deps, streams),
    },
    ...(callers === 'requestors' ? [] : [{ prefix, routes: clientRoutes(deps, streams) }]),
    { prefix, routes: UNKNOWN },
  ]
  const reserveBody = (bytes: number) => deps.sessions.reserveBody(bytes)
  mountTables(app, tables, admitting(deps), { ...deps, reserveBody })
  if (staticFolder !== null && callers !== 'requestors') app.use(staticFiles(staticFolder, `${prefix}/`))
  app.use(refuse)
}
