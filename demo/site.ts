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
import { nextRequest, requestOf, STEPS, type Step } from './steps.ts'

const MAX_SESSIONS = 200
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']
/** What a link to a wallet app starts with; only the pointer behind it counts. */
const LINK = 'svc://qr/json/'

const START = z.object({ step: z.enum(STEPS) })
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
  readonly request: object
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

/** `POST /demo/site/start`, `GET /demo/site/qr/:id`, `GET /demo/site/result/:id`; and for the session server `POST /demo/site/next/:id`. */
export function mountSite(router: Router, deps: SiteDeps): void {
  const { address, profile, schemes, readJson } = deps
  const sessions = new LRUCache<string, SiteSession>({ max: MAX_SESSIONS }) // a forgotten one can be started again

  function find(id: string | undefined): SiteSession {
    const session = sessions.get(id ?? '')
    if (!session) throw new NotFound('the site knows no such session')
    return session
  }

  router.post('/demo/site/start', async ctx => {
    const { step } = await readJson(ctx, START)
    const id = deps.random.token()
    const request = requestOf(step, profile, { next: address + NEXT + id, back: `${address}/?back=${id}` })
    const { token, sessionPtr, frontendRequest } = PACKAGE.parse(await callServer(deps, '/session', request))
    sessions.set(id, { step, requestorToken: token, pointer: sessionPtr, request })
    const link = LINK + encodeURIComponent(JSON.stringify(sessionPtr))
    answerJson(ctx, { id, sessionPtr, frontendRequest, link, request })
  })

  router.get('/demo/site/qr/:id', async ctx => {
    const text = JSON.stringify(find(ctx.params.id).pointer) // the pointer exactly as received is what a wallet app scans
    ctx.set('Content-Type', 'image/svg+xml')
    ctx.body = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  })

  router.get('/demo/site/result/:id', async ctx => {
    const { step, requestorToken, request } = find(ctx.params.id)
    const answer = siteAnswer(step, await resultsOf(deps, requestorToken), schemes)
    if (answer.isAccepted) deps.onDone(step)
    answerJson(ctx, { step, request, ...answer })
  })

  router.post(`${NEXT}:id`, async ctx => {
    const { requestorToken } = find(ctx.params.id)
    const posted = await readJson(ctx, POSTED)
    // nobody but the site and the session server knows the token
    if (posted.token !== requestorToken || parseResult(posted).proofStatus !== 'VALID')
      throw new UnexpectedRequest('expected the valid result of this session')
    answerJson(ctx, nextRequest(profile))
  })
}

/** Of a session and of those that followed it. */
async function resultsOf(deps: SiteDeps, requestorToken: string): Promise<[SiteResult, ...SiteResult[]]> {
  const result = parseResult(await callServer(deps, `/session/${requestorToken}/result`))
  if (!FINAL.includes(result.status))
    throw new UnexpectedRequest(`the session is ${result.status}, not final`)
  return result.nextSession === undefined
    ? [result]
    : [result, ...(await resultsOf(deps, result.nextSession))]
}

/** @throws {InternalError} if the session server refuses: the site asks nothing that it may not */
async function callServer({ address, fetch }: SiteDeps, path: string, body?: object): Promise<unknown> {
  const response = await fetch(
    address + path,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  if (!response.ok) throw new InternalError(`the session server answered ${response.status}`)
  return response.json()
}
