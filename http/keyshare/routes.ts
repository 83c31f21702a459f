/** The endpoints of the keyshare server for wallet apps, and its health (spec/interface#4.5; spec/keyshare-server#2.1, spec/decisions#k1), a line each: its caller, its
 *  body, its time limit, the form of its errors and the function that answers. The endpoints without a prefix and below `/api/v1` are the same; `/api/v2` has the second version of the proofs. @module */
import type Koa from 'koa'
import type { PathSpelling } from '../../protocol/keyshare/answers.ts'
import { exceptHead } from '../answer.ts'
import { health, ready } from '../health.ts'
import { type DescribedRoute, type DescribedTable, mountTables, refuse } from '../mount.ts'
import { admittingUsers, type KeyshareCallerTypes } from './callers.ts'
import { changePin } from './change-pin.ts'
import type { KeyshareDeps } from './deps.ts'
import { getCommitments, getHashedCommitments } from './get-commitments.ts'
import { getPs } from './get-ps.ts'
import { getResponse, getResponseToInput } from './get-response.ts'
import { register } from './register.ts'
import { registerPublicKey } from './register-publickey.ts'
import { renewKeyshareAttribute } from './renew-keyshare-attribute.ts'
import { verifyPin, verifyPinWithChallenge } from './verify-pin.ts'
import { verifyStart } from './verify-start.ts'

type Routes = readonly DescribedRoute<KeyshareCallerTypes>[]

/** Answers follow the spelling of the path (spec/decisions#k2, #k4). */
function userRoutes(deps: KeyshareDeps, spelling: PathSpelling): Routes {
  const users = spelling === 'singular' ? '/user' : '/users'
  // biome-ignore format: a table is read by its columns
  return [
    // method     path                                    caller     body       limit       errors  endpoint, name of its description (http/openapi)
    ['POST',      `${users}/verify_start`,                'anybody', 'request', 'handling', 'json', verifyStart(deps), 'startLogin'],
    ['POST',      `${users}/verify/pin_challengeresponse`,'anybody', 'request', 'handling', 'json', verifyPinWithChallenge(deps, spelling), 'login'],
    ['POST',      `${users}/verify/pin`,                  'anybody', 'request', 'handling', 'json', verifyPin(deps, spelling), 'plainLogin'],
    ['POST',      `${users}/change/pin`,                  'anybody', 'request', 'handling', 'json', changePin(deps, spelling), 'changePin'],
    ['POST',      `${users}/register_publickey`,          'anybody', 'request', 'handling', 'json', registerPublicKey(deps, spelling), 'registerKey'],
    ['GET',       `${users}/renewKeyshareAttribute`,      'user',    '-',       'handling', 'json', exceptHead('application/json; charset=UTF-8', renewKeyshareAttribute(deps)), 'renewLoginCredential'],
  ]
}

function firstVersion(deps: KeyshareDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      '/client/register',                     'anybody', 'request', 'handling', 'json', register(deps), 'register'],
    ['POST',      '/prove/getCommitments',                'user',    'request', 'handling', 'json', getCommitments(deps), 'commitments'],
    ['POST',      '/prove/getResponse',                   'user',    'request', 'handling', 'json', getResponse(deps), 'response'],
    ...userRoutes(deps, 'plural'),
    ...userRoutes(deps, 'singular'),
  ]
}

/** An unknown endpoint is refused only after the user was authenticated. */
function secondVersion(deps: KeyshareDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      '/prove/getPs',                         'user',    'request', 'handling', 'json', getPs(deps), 'publicParts'],
    ['POST',      '/prove/getCommitments',                'user',    'request', 'handling', 'json', getHashedCommitments(deps), 'hashedCommitments'],
    ['POST',      '/prove/getResponse',                   'user',    'request', 'handling', 'json', getResponseToInput(deps, false), 'responseToInput'],
    ['POST',      '/prove/getResponseLinkable',           'user',    'request', 'handling', 'json', getResponseToInput(deps, true), 'linkableResponse'],
    ['otherwise', '{/*rest}',                             'user',    '-',       'handling', 'json', refuse, '-'],
  ]
}

function healthRoutes(deps: KeyshareDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['GET',       '/health',                              'anybody', '-',       '-',        'json', health, 'health'],
    ['GET',       '/health/ready',                        'anybody', '-',       '-',        'json', ready(deps), 'ready'],
  ]
}

/** @returns the mounted routes */
export function mountKeyshareRoutes(
  app: Koa,
  deps: KeyshareDeps,
): readonly DescribedTable<KeyshareCallerTypes>[] {
  const tables = [
    { prefix: '', routes: healthRoutes(deps), answersHead: true },
    { prefix: '', routes: firstVersion(deps) },
    { prefix: '/api/v1', routes: firstVersion(deps) },
    { prefix: '/api/v2', routes: secondVersion(deps) },
  ]
  mountTables(app, tables, admittingUsers(deps), deps)
  return tables
}
