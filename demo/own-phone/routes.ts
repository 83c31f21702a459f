/** The back end of the demo web site that asks the user's own phone for attributes. It also returns the status of its sessions, so that the page calls no other address.
 *  @module */
import type { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'
import { z } from 'zod'
import { answerJson } from '../../http/answer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { InternalError, NotFoundError } from '../../protocol/errors.ts'
import { parseAttributeTypeId } from '../../protocol/ids.ts'
import type { Schemes } from '../../schemes/types.ts'
import { callServer } from '../call-server.ts'
import { attributeName, cardName } from '../names.ts'
import { parseResult, type SiteResult } from '../site-answer.ts'
import { requestOf } from './question.ts'
import type { OwnPhone } from './server.ts'

/** Maximum number of sessions; the oldest is evicted. */
const MAX_SESSIONS = 50
const STARTED = z.object({ token: z.string(), sessionPtr: z.looseObject({ u: z.string() }) })

type Started = z.infer<typeof STARTED>

type Attribute = { readonly card: string; readonly name: string }

/** The data for the page before a session. */
export type OwnPhoneView = {
  /** address that the phone calls, without a slash at the end */
  readonly address: string
  /** the alternatives in the question */
  readonly asked: readonly Attribute[]
  /** true if the Yivi app contains the schemes of these attributes */
  readonly isOfApp: boolean
}

/** The state of a session, for the page. */
export type OwnPhoneStatus = Pick<SiteResult, 'status'> & {
  /** the session is done, and its proof is valid */
  readonly isAccepted: boolean
  readonly seen: readonly (Attribute & { readonly value: string | null })[]
}

export type OwnPhoneDeps = {
  /** null: no real phone may answer */
  readonly ownPhone: OwnPhone | null
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly random: Pick<Randomness, 'token'>
}

export function viewOfOwnPhone({ question, address }: OwnPhone): OwnPhoneView {
  const { schemes, attributes, isOfApp } = question
  const asked = attributes.map(id => ({ card: cardName(schemes, id), name: attributeName(schemes, id) }))
  return { address, asked, isOfApp }
}

/** `POST /demo/own-phone/start`, `GET /demo/own-phone/qr/:id`, `GET /demo/own-phone/told/:id`. Not mounted if no real phone may answer. */
export function mountOwnPhone(router: Router, { ownPhone, clock, random }: OwnPhoneDeps): void {
  if (ownPhone === null) return
  const { question, requestors } = ownPhone
  const sessions = new LRUCache<string, Started>({ max: MAX_SESSIONS })

  const find = (id = ''): Started => {
    const session = sessions.get(id)
    if (!session) throw new NotFoundError('the site knows no such session')
    return session
  }
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const { ok, status, text } = await callServer(clock, requestors + path, body)
    if (!ok) throw new InternalError(`the session server answered ${status}`)
    return JSON.parse(text)
  }

  router.post('/demo/own-phone/start', async ctx => {
    const id = random.token()
    const started = STARTED.parse(await ask('/session', requestOf(question)))
    sessions.set(id, started)
    answerJson(ctx, { id, sessionPtr: started.sessionPtr })
  })

  router.get('/demo/own-phone/qr/:id', async ctx => {
    const text = JSON.stringify(find(ctx.params.id).sessionPtr)
    ctx.set('Content-Type', 'image/svg+xml')
    ctx.body = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  })

  router.get('/demo/own-phone/told/:id', async ctx => {
    const { token } = find(ctx.params.id)
    answerJson(ctx, toldOf(question.schemes, parseResult(await ask(`/session/${token}/result`))))
  })
}

/** The state of a session. Values are included only if the session is done with a valid proof. */
export function toldOf(
  schemes: Schemes,
  { status, proofStatus, disclosed = [] }: Pick<SiteResult, 'status' | 'proofStatus' | 'disclosed'>,
): OwnPhoneStatus {
  const isAccepted = status === 'DONE' && proofStatus === 'VALID'
  const seen = disclosed
    .flatMap(item => item ?? [])
    .map(({ id: written, rawvalue }) => {
      const id = parseAttributeTypeId(written)
      return { card: cardName(schemes, id), name: attributeName(schemes, id), value: rawvalue }
    })
  return { status, isAccepted, seen: isAccepted ? seen : [] }
}
