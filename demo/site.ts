/** The back end of the web sites: a requestor like any other. It starts sessions and requests results with the requestor API (spec/interface#4.1). It keeps the requestor
 *  tokens; its page gets only the session pointer and the frontend authorization. @module */
import type { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'
import { z } from 'zod'
import { answerJson, answerNoContent } from '../http/answer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import { InternalError, NotFoundError, UnexpectedRequestError } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { Schemes } from '../schemes/types.ts'
import type { ReadJson } from './bodies.ts'
import { callServer } from './call-server.ts'
import { type Comparison, compareLogins } from './comparison.ts'
import { type Programs, programsOf } from './programs.ts'
import { parseResult, type SiteResult, siteAnswer } from './site-answer.ts'
import type { SiteHosts } from './site-hosts.ts'
import {
  nextRequest,
  permitRequest,
  requestOf,
  revocationRequest,
  SESSION_STEPS,
  type SessionStep,
  type Site,
} from './steps.ts'
import type { Submissions } from './submissions.ts'

const MAX_SESSIONS = 200
/** Endpoints of the session server. */
const CREATE = '/session'
const REVOKE = '/revocation'
/** Status of the response if everything under the revocation key is already revoked. */
const NOTHING_LEFT = 404

const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']
/** Prefix of a link to a wallet app; only the pointer after it matters. */
const LINK = 'svc://qr/json/'

/** `after`: id of the earlier session, if its question is repeated: its card was revoked, or it was the first of two logins */
const START = z.object({ step: z.enum(SESSION_STEPS), after: z.string().optional() })
const PACKAGE = z.object({
  token: z.string(),
  sessionPtr: z.looseObject({ u: z.string() }),
  frontendRequest: z.looseObject({ authorization: z.string() }),
})
const POSTED = z.looseObject({ token: z.string() })

type SiteSession = {
  readonly step: SessionStep
  readonly requestorToken: string
  readonly pointer: { readonly u: string }
  /** the requests so far; a chain has one per session */
  readonly requests: readonly object[]
  /** the first request as programs */
  readonly programs: Programs
  /** settled once the issued card is revoked; null: no revocation was requested */
  readonly revoked: Promise<unknown> | null
  /** the earlier session whose question is repeated */
  readonly after: SiteSession | null
  readonly isCancelledHere: boolean
}

export type SiteDeps = {
  /** base address of the session server and of the sites, without a slash at the end */
  readonly address: string
  readonly hosts: SiteHosts
  readonly profile: Profile
  readonly schemes: Schemes
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly random: Pick<Randomness, 'token'>
  readonly submissions: Submissions
  readonly readJson: ReadJson
  /** called when a step has succeeded */
  readonly onDone: (step: SessionStep) => void
}

/** Prefix of the path at which the session server requests the next session of a chain. */
export const NEXT = '/demo/site/next/'

/** `POST /demo/site/start`, `GET /demo/site/qr/:id`, `GET /demo/site/result/:id`, `POST /demo/site/cancelled/:id`, `POST /demo/site/revoke/:id`; and for the
 *  session server `POST /demo/site/next/:id`. */
export function mountSite(router: Router, deps: SiteDeps): void {
  const { schemes, readJson } = deps
  const sessions: SiteSessions = new LRUCache({ max: MAX_SESSIONS }) // an evicted session can be started again

  router.post('/demo/site/start', async ctx => {
    const id = deps.random.token()
    const { session, shown } = await begin(deps, id, await readJson(ctx, START), sessions)
    sessions.set(id, session)
    answerJson(ctx, { id, ...shown })
  })

  router.get('/demo/site/qr/:id', async ctx => {
    const { pointer } = find(sessions, ctx.params.id)
    const text = JSON.stringify(pointer) // the QR code contains the pointer exactly as received
    ctx.set('Content-Type', 'image/svg+xml')
    ctx.body = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  })

  router.get('/demo/site/result/:id', async ctx => {
    const session = find(sessions, ctx.params.id)
    const { step, requests, programs, after } = session
    const setting = { ...session, isAgain: after !== null }
    const answer = siteAnswer(setting, await resultsOf(deps, session.requestorToken), schemes)
    if (answer.isDone) deps.onDone(step)
    const comparison = answer.isDone ? comparisonOf(session, deps) : null
    answerJson(ctx, { step, requests, programs, ...answer, comparison })
  })

  router.post('/demo/site/cancelled/:id', ctx => {
    const { id = '' } = ctx.params
    sessions.set(id, { ...find(sessions, id), isCancelledHere: true })
    answerNoContent(ctx)
  })

  mountContinuations(router, deps, sessions)
}

type SiteSessions = LRUCache<string, SiteSession>

function find(sessions: SiteSessions, id: string | undefined): SiteSession {
  const session = sessions.get(id ?? '')
  if (!session) throw new NotFoundError('the site knows no such session')
  return session
}

async function begin(
  deps: SiteDeps,
  id: string,
  { step, after }: z.infer<typeof START>,
  sessions: SiteSessions,
): Promise<{ readonly session: SiteSession; readonly shown: object }> {
  const { address } = deps
  const before = after === undefined ? null : find(sessions, after)
  if (before && !(await mayFollow(step, before)))
    throw new UnexpectedRequestError('expected a session with a revoked card, or a first login, got another')
  const urls = { next: address + NEXT + id, back: `${address}/?back=${id}` }
  const site = siteOf(step, deps)
  const request = before && step === 'revoked' ? permitRequest(site) : requestOf(step, site, urls)
  const created: unknown = await ask(deps, CREATE, request)
  const { token, sessionPtr, frontendRequest } = PACKAGE.parse(created)
  const programs = programsOf(address + CREATE, request)
  const started = { step, requestorToken: token, pointer: sessionPtr, requests: [request], programs }
  const link = LINK + encodeURIComponent(JSON.stringify(sessionPtr))
  return {
    session: { ...started, revoked: null, after: before, isCancelledHere: false },
    shown: { sessionPtr, frontendRequest, link, request, programs },
  }
}

async function mayFollow(step: SessionStep, before: SiteSession): Promise<boolean> {
  if (before.step !== step) return false
  if (step === 'revoked') return before.revoked !== null && (await before.revoked.then(() => true))
  return step === 'twice' && before.after === null
}

function siteOf(step: SessionStep, { profile, hosts }: SiteDeps): Site {
  return { contextBase: profile.contextBase, host: hosts.of(step) }
}

/** The comparison of the two logins, if this is the second one. */
function comparisonOf({ after, pointer }: SiteSession, { submissions }: SiteDeps): Comparison | null {
  return after && compareLogins(submissions.of(after.pointer.u), submissions.of(pointer.u))
}

/** The routes for further actions after a session. */
function mountContinuations(router: Router, deps: SiteDeps, sessions: SiteSessions): void {
  const { address, clock, profile, readJson } = deps
  const request = revocationRequest(profile)
  let hasRevoked = false

  /** Revokes all permits at once. For an earlier session, there may be nothing left to revoke. */
  async function revoke(): Promise<void> {
    const { ok, status } = await callServer(clock, address + REVOKE, request)
    if (!ok && !(status === NOTHING_LEFT && hasRevoked)) throw refusal(status)
    hasRevoked = true
  }

  router.post('/demo/site/revoke/:id', async ctx => {
    const { id = '' } = ctx.params
    const session = find(sessions, id)
    const revoked = session.revoked ?? revoke() // a second click waits for the same revocation
    sessions.set(id, { ...session, revoked })
    try {
      await revoked
    } catch (error) {
      sessions.set(id, session)
      throw error
    }
    answerJson(ctx, { request, programs: programsOf(address + REVOKE, request) })
  })

  router.post(`${NEXT}:id`, async ctx => {
    const { id = '' } = ctx.params
    const session = find(sessions, id)
    const posted = await readJson(ctx, POSTED)
    // only the site and the session server know the token
    if (posted.token !== session.requestorToken || parseResult(posted).proofStatus !== 'VALID')
      throw new UnexpectedRequestError('expected the valid result of this session')
    const next = nextRequest(session.step, siteOf(session.step, deps))
    sessions.set(id, { ...session, requests: [...session.requests.slice(0, 1), next] })
    answerJson(ctx, next)
  })
}

/** The results of a session and of the sessions chained to it. */
async function resultsOf(deps: SiteDeps, requestorToken: string): Promise<[SiteResult, ...SiteResult[]]> {
  const result = parseResult(await ask(deps, `/session/${requestorToken}/result`))
  if (!FINAL.includes(result.status))
    throw new UnexpectedRequestError(`the session is ${result.status}, not final`)
  return result.nextSession === undefined
    ? [result]
    : [result, ...(await resultsOf(deps, result.nextSession))]
}

/** @returns the JSON of the response
 *  @throws {InternalError} if the session server refuses, because the site sends only valid requests */
async function ask({ address, clock }: SiteDeps, path: string, body?: object): Promise<unknown> {
  const { ok, status, text } = await callServer(clock, address + path, body)
  if (!ok) throw refusal(status)
  return JSON.parse(text)
}

function refusal(status: number): InternalError {
  return new InternalError(`the session server answered ${status}`)
}
