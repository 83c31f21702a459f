/** The web sites' back end: a requestor like any other. It starts sessions and fetches results over the requestor API (spec 4.1) and keeps the
 *  requestor tokens on its side; its page gets the session pointer and the frontend authorization only. @module */
import type { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'
import { z } from 'zod'
import type { Randomness } from '../actors/randomness.ts'
import { answerJson } from '../http/answer.ts'
import { InternalError, NotFound, UnexpectedRequest } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { Schemes } from '../schemes/types.ts'
import type { ReadJson } from './bodies.ts'
import { parseResult, type SiteResult, siteAnswer } from './site-answer.ts'
import { nextRequest, permitRequest, requestOf, revocationOf, STEPS, type Step } from './steps.ts'

const MAX_SESSIONS = 200
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']
/** What a link to a wallet app starts with; only the pointer behind it counts. */
const LINK = 'svc://qr/json/'

/** `after`: id of a session whose card was revoked; what comes now is the same question again */
const START = z.object({ step: z.enum(STEPS), after: z.string().optional() })
const PACKAGE = z.object({
  token: z.string(),
  sessionPtr: z.looseObject({ u: z.string() }),
  frontendRequest: z.looseObject({ authorization: z.string() }),
})
const POSTED = z.looseObject({ token: z.string() })

type SiteSession = {
  readonly step: Step
  readonly requestorToken: string
  readonly pointer: object
  /** of a chain one for each session so far */
  readonly requests: readonly object[]
  readonly revocationKey: string
  /** settled once what was handed out is revoked; null: that was not asked for */
  readonly revoked: Promise<unknown> | null
  readonly isAfterRevocation: boolean
}

export type SiteDeps = {
  /** base address of the session server and of the sites, without a slash at the end */
  readonly address: string
  readonly profile: Profile
  readonly schemes: Schemes
  readonly random: Pick<Randomness, 'token'>
  readonly fetch: typeof fetch
  readonly readJson: ReadJson
  /** a step has succeeded */
  readonly onDone: (step: Step) => void
}

/** Where the session server asks for the next session of a chain. */
export const NEXT = '/demo/site/next/'

/** `POST /demo/site/start`, `GET /demo/site/qr/:id`, `GET /demo/site/result/:id`, `POST /demo/site/revoke/:id`; and for the session server
 *  `POST /demo/site/next/:id`. */
export function mountSite(router: Router, deps: SiteDeps): void {
  const { schemes, readJson } = deps
  const sessions: SiteSessions = new LRUCache({ max: MAX_SESSIONS }) // a forgotten one can be started again

  router.post('/demo/site/start', async ctx => {
    const id = deps.random.token()
    const { session, shown } = await begin(deps, id, await readJson(ctx, START), sessions)
    sessions.set(id, session)
    answerJson(ctx, { id, ...shown })
  })

  router.get('/demo/site/qr/:id', async ctx => {
    const { pointer } = find(sessions, ctx.params.id)
    const text = JSON.stringify(pointer) // the pointer exactly as received is what a wallet app scans
    ctx.set('Content-Type', 'image/svg+xml')
    ctx.body = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  })

  router.get('/demo/site/result/:id', async ctx => {
    const session = find(sessions, ctx.params.id)
    const { step, requests } = session
    const answer = siteAnswer(session, await resultsOf(deps, session.requestorToken), schemes)
    if (answer.isDone) deps.onDone(step)
    answerJson(ctx, { step, requests, ...answer })
  })

  mountContinuations(router, deps, sessions)
}

type SiteSessions = LRUCache<string, SiteSession>

function find(sessions: SiteSessions, id: string | undefined): SiteSession {
  const session = sessions.get(id ?? '')
  if (!session) throw new NotFound('the site knows no such session')
  return session
}

async function begin(
  deps: SiteDeps,
  id: string,
  { step, after }: z.infer<typeof START>,
  sessions: SiteSessions,
): Promise<{ readonly session: SiteSession; readonly shown: object }> {
  const { address, profile } = deps
  const isAfterRevocation = after !== undefined
  if (isAfterRevocation && !(step === 'revoked' && (await find(sessions, after).revoked)))
    throw new UnexpectedRequest('expected a session whose card was revoked')
  const revocationKey = `stall-${id}`
  const urls = { next: address + NEXT + id, back: `${address}/?back=${id}`, revocationKey }
  const request = isAfterRevocation ? permitRequest(profile) : requestOf(step, profile, urls)
  const created: unknown = await (await callServer(deps, '/session', request)).json()
  const { token, sessionPtr, frontendRequest } = PACKAGE.parse(created)
  const started = { step, requestorToken: token, pointer: sessionPtr, requests: [request] }
  const link = LINK + encodeURIComponent(JSON.stringify(sessionPtr))
  return {
    session: { ...started, revocationKey, revoked: null, isAfterRevocation },
    shown: { sessionPtr, frontendRequest, link, request },
  }
}

/** What may follow a session. */
function mountContinuations(router: Router, deps: SiteDeps, sessions: SiteSessions): void {
  const { profile, readJson } = deps

  router.post('/demo/site/revoke/:id', async ctx => {
    const { id = '' } = ctx.params
    const session = find(sessions, id)
    const request = revocationOf(profile, session)
    const revoked = session.revoked ?? callServer(deps, '/revocation', request) // a second click waits for the first
    sessions.set(id, { ...session, revoked })
    try {
      await revoked
    } catch (error) {
      sessions.set(id, session)
      throw error
    }
    answerJson(ctx, { request })
  })

  router.post(`${NEXT}:id`, async ctx => {
    const { id = '' } = ctx.params
    const session = find(sessions, id)
    const posted = await readJson(ctx, POSTED)
    // nobody but the site and the session server knows the token
    if (posted.token !== session.requestorToken || parseResult(posted).proofStatus !== 'VALID')
      throw new UnexpectedRequest('expected the valid result of this session')
    const request = nextRequest(session.step, profile)
    sessions.set(id, { ...session, requests: [...session.requests.slice(0, 1), request] })
    answerJson(ctx, request)
  })
}

/** Of a session and of those that followed it. */
async function resultsOf(deps: SiteDeps, requestorToken: string): Promise<[SiteResult, ...SiteResult[]]> {
  const told = await callServer(deps, `/session/${requestorToken}/result`)
  const result = parseResult(await told.json())
  if (!FINAL.includes(result.status))
    throw new UnexpectedRequest(`the session is ${result.status}, not final`)
  return result.nextSession === undefined
    ? [result]
    : [result, ...(await resultsOf(deps, result.nextSession))]
}

/** @throws {InternalError} if the session server refuses: the site asks nothing that it may not */
async function callServer({ address, fetch }: SiteDeps, path: string, body?: object): Promise<Response> {
  const response = await fetch(
    address + path,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  if (!response.ok) throw new InternalError(`the session server answered ${response.status}`)
  return response
}
