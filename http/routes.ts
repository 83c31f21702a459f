/** Every endpoint (spec/interface#4; spec/session-server#2), a line each: its caller, its body, its time limit, the form of its errors and the
 *  function that answers. A separate client listener serves `clientRoutes`, and the other listener serves the remaining ones (spec/session-server#2.6).
 *  Both serve `/health/ready`. @module */
import type Koa from 'koa'
import { exceptHead } from './answer.ts'
import { connect } from './app/connect.ts'
import { request } from './app/request.ts'
import { startStatic } from './app/start-static.ts'
import { submission } from './app/submission.ts'
import { admitting, type CallerTypes } from './callers.ts'
import type { ServerDeps } from './deps.ts'
import type { EventStreams } from './event-stream.ts'
import { options } from './frontend/options.ts'
import { pairingCompleted } from './frontend/pairingcompleted.ts'
import { status as frontendStatus } from './frontend/status.ts'
import { statusEvents as frontendStatusEvents } from './frontend/statusevents.ts'
import { health, ready } from './health.ts'
import type { KeyshareCallerTypes } from './keyshare/callers.ts'
import { type DescribedRoute, type DescribedTable, mountTables, refuse } from './mount.ts'
import { descriptionRoutes } from './openapi/routes.ts'
import { welcomeRoutes } from './openapi/welcome.ts'
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

const JSON_TYPE = 'application/json; charset=UTF-8'
const EVENTS = 'text/event-stream'

/** Below the prefix of the API. */
function requestorRoutes(deps: ServerDeps, streams: EventStreams): readonly DescribedRoute<CallerTypes>[] {
  const session = '/session/:requestorToken'
  // biome-ignore format: a table is read by its columns
  return [
    // method     path                                    caller                  body          limit       errors  endpoint, name of its description (http/openapi)
    ['POST',      '/session{/}',                          'requestor',            'request',    'starting', 'json', create(deps), 'startSession'],
    ['DELETE',    `${session}{/}`,                        'requestor token',      '-',          'handling', 'json', deleteSession(deps, streams, 'requestor'), 'cancelSession'],
    ['GET',       `${session}/status`,                    'requestor token',      '-',          'handling', 'json', status(streams, 'requestor'), 'sessionStatus'],
    ['GET',       `${session}/statusevents`,              'requestor token',      '-',          'handling', 'json', exceptHead(EVENTS, statusEvents(streams, 'requestor')), 'sessionEvents'],
    ['GET',       `${session}/result`,                    'requestor token',      '-',          'handling', 'json', result(deps, streams), 'sessionResult'],
    ['GET',       `${session}/result-jwt`,                'requestor token, key', '-',          'handling', 'json', resultJwt(deps, streams), 'sessionResultJwt'],
    ['GET',       `${session}/getproof`,                  'requestor token, key', '-',          'handling', 'json', getproof(deps), 'sessionProof'],
    ['POST',      '/revocation',                          'requestor',            'request',    'revoking', 'json', revocation(deps), 'revoke'],
  ]
}

/** Facts about the server, below the prefix of the API. */
function nodeRoutes(deps: ServerDeps): readonly DescribedRoute<Pick<CallerTypes, 'anybody'>>[] {
  // biome-ignore format: a table is read by its columns
  return [
    ['GET',       '/health',                              'anybody',              '-',          '-',        'json', health, 'health'],
    readyRoute(deps),
    ['GET',       '/publickey',                           'anybody',              '-',          '-',        'json', publicKey(deps), 'publicKey'],
  ]
}

/** Below the prefix of the API, at every listener: a load balancer asks the listener to which it sends calls. */
function readyRoute(deps: ServerDeps): DescribedRoute<Pick<CallerTypes, 'anybody'>> {
  return ['GET', '/health/ready', 'anybody', '-', '-', 'json', ready(deps), 'ready']
}

/** Below the prefix of the API and that of the profile. Below a client token an unknown endpoint is refused only after the session
 *  was found and the frontend was authenticated. */
function clientRoutes(deps: ServerDeps, streams: EventStreams): readonly DescribedRoute<CallerTypes>[] {
  const session = '/session/:clientToken'
  const frontend = `${session}/frontend`
  const type = '/revocation/:type'
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      session,                                'anybody',              '-',          'starting', 'json', startStatic(deps), 'startStaticSession'],
    ['GET',       `${session}{/}`,                        'client token, turn',   '-',          'handling', 'json', exceptHead(JSON_TYPE, connect(deps)), 'connect'],
    ['GET',       `${session}/request`,                   'connected app',        '-',          'handling', 'json', exceptHead(JSON_TYPE, request(deps)), 'requestAfterPairing'],
    ['POST',      `${session}/proofs`,                    'connected app',        'submission', 'outcome',  'json', submission(deps, 'proofs'), 'submitProofs'],
    ['POST',      `${session}/commitments`,               'connected app',        'submission', 'outcome',  'json', submission(deps, 'commitments'), 'submitCommitments'],
    ['DELETE',    `${session}{/}`,                        'client token, turn',   '-',          'handling', 'json', deleteSession(deps, streams, 'app'), 'cancelByClient'],
    ['GET',       `${session}/status`,                    'client token',         '-',          'handling', 'json', status(streams, 'app'), 'statusForClient'],
    ['GET',       `${session}/statusevents`,              'client token',         '-',          'handling', 'json', exceptHead(EVENTS, statusEvents(streams, 'app')), 'eventsForClient'],
    ['GET',       `${frontend}/status`,                   'frontend',             '-',          'handling', 'json', frontendStatus(deps, streams), 'frontendStatus'],
    ['GET',       `${frontend}/statusevents`,             'frontend',             '-',          'handling', 'json', exceptHead(EVENTS, frontendStatusEvents(deps, streams)), 'frontendEvents'],
    ['POST',      `${frontend}/options`,                  'frontend',             'message',    'handling', 'json', options(deps), 'frontendOptions'],
    ['POST',      `${frontend}/pairingcompleted`,         'frontend',             '-',          'handling', 'json', pairingCompleted(deps), 'pairingCompleted'],
    ['GET',       `${type}/update/:count`,                'anybody',              '-',          'handling', 'cbor', updates(deps), 'updates'],
    ['GET',       `${type}/update/:count/:keyCounter`,    'anybody',              '-',          'handling', 'cbor', updateOfKey(deps), 'updateOfKey'],
    ['GET',       `${type}/updateevents`,                 'anybody',              '-',          'handling', 'cbor', exceptHead<null>(EVENTS, updateEvents(deps, streams)), 'updateEvents'],
    ['GET',       `${type}/events/:keyCounter/:min/:max`, 'anybody',              '-',          'handling', 'cbor', events(deps), 'revocationEvents'],
    ['POST',      `${type}/issuancerecord/:keyCounter`,   'issuer',               'record',     'handling', 'cbor', issuanceRecord, 'issuanceRecord'],
    ['otherwise', `${frontend}{/*rest}`,                  'frontend',             '-',          'handling', 'json', refuse, '-'],
    ['otherwise', `${session}{/{*rest}}`,                 'client token',         '-',          'handling', 'json', refuse, '-'],
  ]
}

/** Below the prefix of the API and that of the profile, at every listener. */
const UNKNOWN: readonly DescribedRoute<CallerTypes>[] = [
  ['otherwise', '/revocation/{*rest}', 'anybody', '-', '-', 'cbor', refuse, '-'],
]

/** The callers of a listener: with a separate client listener those of requestors stay on the other. */
export type Callers = 'everybody' | 'requestors' | 'clients'

/** @param others tables of the same listener, which are described with these */
export function mountRoutes(
  app: Koa,
  deps: ServerDeps,
  streams: EventStreams,
  callers: Callers,
  others: readonly DescribedTable<KeyshareCallerTypes>[] = [],
): void {
  const { apiPrefix, profile, staticFolder, openapi, noAuth, production, version } = deps.settings
  const prefix = apiPrefix + profile.prefix
  const tables = [
    {
      prefix: apiPrefix,
      routes: callers === 'clients' ? [readyRoute(deps)] : nodeRoutes(deps),
      answersHead: true,
    },
    ...(callers === 'clients' ? [] : [{ prefix: apiPrefix, routes: requestorRoutes(deps, streams) }]),
    ...(callers === 'requestors' ? [] : [{ prefix, routes: clientRoutes(deps, streams) }]),
    { prefix, routes: UNKNOWN },
  ]
  const reserveBody = (bytes: number) => deps.sessions.reserveBody(bytes)
  const frame = { ...deps, reserveBody }
  mountTables(app, tables, admitting(deps), frame)
  if (staticFolder !== null && callers !== 'requestors') app.use(staticFiles(staticFolder, `${prefix}/`))
  const [title, command] =
    others.length > 0 ? ['Keyshare server', 'svc keyshare'] : ['Session server', 'svc server']
  const anybody = { anybody: async () => null }
  if (openapi) {
    const routes = descriptionRoutes([...others, ...tables], apiPrefix, { title, version, profile, noAuth })
    mountTables(app, [{ prefix: apiPrefix, routes, answersHead: true }], anybody, frame)
  }
  if (!production && staticFolder === null) {
    const facts = { ...deps.settings, title, command, takesRequestors: callers !== 'clients' }
    mountTables(
      app,
      [{ prefix: apiPrefix, routes: welcomeRoutes(facts, deps.schemes, apiPrefix), answersHead: true }],
      anybody,
      frame,
    )
  }
  app.use(refuse)
}
