/** The web shop's back end: a requestor like any other. It starts sessions and fetches results over the requestor API (spec 4.1) and keeps the
 *  requestor token on its side; its page gets the session pointer and the frontend authorization only. @module */
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
import { requestOf, SCENARIOS, type Scenario } from './scenarios.ts'
import { parseResult, shopAnswer } from './shop-answer.ts'

const MAX_SESSIONS = 200
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

const START = z.object({ scenario: z.enum(SCENARIOS) })
const PACKAGE = z.object({
  token: z.string(),
  sessionPtr: z.looseObject({ u: z.string() }),
  frontendRequest: z.looseObject({ authorization: z.string() }),
})

type ShopSession = { readonly scenario: Scenario; readonly requestorToken: string; readonly pointer: object }

export type ShopDeps = {
  /** base address of the session server, without a slash at the end */
  readonly address: string
  readonly profile: Profile
  readonly schemes: Schemes
  readonly random: Pick<Randomness, 'token'>
  readonly fetch: typeof fetch
  readonly readJson: ReadJson
}

/** `POST /demo/shop/start`, `GET /demo/shop/qr/:id`, `GET /demo/shop/result/:id`. */
export function mountShop(router: Router, deps: ShopDeps): void {
  const sessions = new LRUCache<string, ShopSession>({ max: MAX_SESSIONS }) // a forgotten one can be started again

  function find(id: string | undefined): ShopSession {
    const session = sessions.get(id ?? '')
    if (!session) throw new NotFound('the shop knows no such session')
    return session
  }

  router.post('/demo/shop/start', async ctx => {
    const { scenario } = await deps.readJson(ctx, START)
    const request = requestOf(scenario, deps.profile)
    const { token, sessionPtr, frontendRequest } = PACKAGE.parse(await callServer(deps, '/session', request))
    const id = deps.random.token()
    sessions.set(id, { scenario, requestorToken: token, pointer: sessionPtr })
    answerJson(ctx, { id, sessionPtr, frontendRequest, request })
  })

  router.get('/demo/shop/qr/:id', async ctx => {
    const text = JSON.stringify(find(ctx.params.id).pointer) // the pointer exactly as received is what a wallet app scans
    ctx.set('Content-Type', 'image/svg+xml')
    ctx.body = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  })

  router.get('/demo/shop/result/:id', async ctx => {
    const { scenario, requestorToken } = find(ctx.params.id)
    const result = parseResult(await callServer(deps, `/session/${requestorToken}/result`))
    if (!FINAL.includes(result.status))
      throw new UnexpectedRequest(`the session is ${result.status}, not final`)
    answerJson(ctx, shopAnswer(scenario, result, deps.schemes))
  })
}

/** @throws {InternalError} if the session server refuses: the shop asks nothing that it may not */
async function callServer({ address, fetch }: ShopDeps, path: string, body?: object): Promise<unknown> {
  const response = await fetch(
    address + path,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  if (!response.ok) throw new InternalError(`the session server answered ${response.status}`)
  return response.json()
}
