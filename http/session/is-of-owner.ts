/** Tells if a call comes from the owner of an event stream (spec/decisions#streams). @module */
import type { Context } from 'koa'
import type { SessionRow } from '../../stores/session-store.ts'
import { isConnectedApp } from '../app/call.ts'
import type { StreamOwner } from '../last-sent.ts'

/** The client token is in the code that a page shows. A call with it is the app's only if it has the `Authorization` of the app.
 *  @param owner of the token of the call */
export function isOfOwner(ctx: Context, owner: StreamOwner, session: SessionRow): boolean {
  return owner !== 'app' || isConnectedApp(ctx, session)
}
