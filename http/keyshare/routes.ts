/** Every endpoint of the keyshare server (spec 4.5; spec/keyshare-server.md 2.1), a line each: who may call it, what is read, how long it may take, in which form
 *  its errors leave, and what answers. @module */
import type Koa from 'koa'
import { health } from '../health.ts'
import { mounted, type Route } from '../mount.ts'
import { type AdmittedUser, admittingUsers } from './callers.ts'
import type { KeyshareDeps } from './deps.ts'

function rootRoutes(): readonly Route<AdmittedUser>[] {
  // biome-ignore format: a table is read by its columns
  return [
    // method     path                                    caller     body        limit       errors  endpoint
    ['GET',       '/health',                              'anybody', '-',        '-',        'json', health],
  ]
}

export function mountKeyshareRoutes(app: Koa, deps: KeyshareDeps): void {
  app.use(mounted([{ prefix: '', routes: rootRoutes() }], admittingUsers(deps), deps).routes())
}
