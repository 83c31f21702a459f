/** The callers of each endpoint (spec/interface#5), by their names in the table of routes: each way to identify a caller, with the facts that the check found. Every check runs
 *  before a body is read. @module */
import type { SessionRow } from '../stores/session-store.ts'
import { isOtherApp, refuseOtherApp } from './app/call.ts'
import type { RequestHead, ServerDeps, SignedSession } from './deps.ts'
import { findByClientToken, findByRequestorToken, findForTurn } from './find-session.ts'
import { requireFrontendToken } from './frontend-auth.ts'
import type { Admit } from './mount.ts'
import { headOf } from './requestor-auth.ts'
import { signerOf } from './result-signer.ts'
import { type AddRecord, recordsIn } from './revocation/issuancerecord.ts'

/** The facts about an admitted call, by kind of caller. */
export type CallerTypes = {
  anybody: null
  /** by its token, or by the signature of the request (spec/interface#5.1) */
  requestor: RequestHead
  'requestor token': SessionRow
  /** by requestor token, for signed results; the error for an unknown session precedes the error for a missing signing key */
  'requestor token, key': SignedSession
  /** at the host of the session (spec/interface#2.3) */
  'client token': SessionRow
  /** by client token, for calls that are decided in one turn of the session */
  'client token, turn': SessionRow
  /** the client token, and the authorization of the app that connected, if it sent one (spec/decisions#d15) */
  'connected app': SessionRow
  /** the client token, and the frontend token (spec/interface#5.3) */
  frontend: SessionRow
  /** a caller with the key of an issuer, which signs the message */
  issuer: AddRecord
}

export function admitting(deps: ServerDeps): Admit<CallerTypes> {
  const { settings } = deps
  return {
    anybody: async () => null,
    requestor: async ctx => headOf(ctx, settings),
    'requestor token': ctx => findByRequestorToken(ctx, deps),
    async 'requestor token, key'(ctx) {
      const session = await findByRequestorToken(ctx, deps)
      return { session, signer: signerOf(settings) }
    },
    'client token': ctx => findByClientToken(ctx, deps),
    'client token, turn': ctx => findForTurn(ctx, deps),
    async 'connected app'(ctx) {
      const session = await findForTurn(ctx, deps)
      if (isOtherApp(ctx, session)) refuseOtherApp(ctx, await findByClientToken(ctx, deps), deps)
      return session
    },
    async frontend(ctx) {
      const session = await findByClientToken(ctx, deps)
      requireFrontendToken(ctx, session)
      return session
    },
    issuer: async ctx => recordsIn(ctx, deps),
  }
}
