/** The phone's back end: one real wallet, and a session of it per QR code or link. The page shows its screens and sends the answers of its user. The page gets
 *  attribute values, as a phone shows them, but no keys, signatures or proofs. @module */
import type { Router } from '@koa/router'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { answerJson, answerNoContent } from '../http/answer.ts'
import { SessionError } from '../libraries/wallet/failure.ts'
import { parseSessionPointer } from '../libraries/wallet/pointer.ts'
import { answerSession } from '../libraries/wallet/session.ts'
import type { Randomness } from '../ports/randomness.ts'
import { InvalidRequestError, NotFoundError, UnexpectedRequestError } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { Schemes } from '../schemes/types.ts'
import type { ReadJson } from './bodies.ts'
import { type AccountPlaces, mountAccount } from './keyshare/account.ts'
import { type PhoneSession, startPhoneSession } from './phone-session.ts'
import { cardView, questionView } from './phone-view.ts'
import type { Phone } from './phone-wallet.ts'
import type { SiteHosts } from './site-hosts.ts'

/** Maximum number of sessions. The oldest is evicted and refused. */
const MAX_SESSIONS = 20
/** Duration of a long poll, well below the timeouts of browsers. */
const WAIT_MS = 10_000

const OPEN = z.object({ pointer: z.string() })
const PIN = z.object({ pin: z.string().max(64) })
const ANSWER = z.object({ choices: z.array(z.int().min(0)).max(100) })

export type PhoneDeps = {
  readonly phone: Phone
  /** base address of the session server that this phone calls */
  readonly address: string
  /** its additional names */
  readonly hosts: SiteHosts
  /** the issuer of the OpenID provider, which this phone calls too; null: it has not started */
  readonly issuer: () => string | null
  readonly profile: Profile
  readonly schemes: Schemes
  readonly random: Pick<Randomness, 'token'>
  readonly readJson: ReadJson
  readonly account: AccountPlaces
}

/** `GET /demo/phone/cards`, `POST /demo/phone/open`, `GET /demo/phone/:id?after=N`, `POST /demo/phone/:id/answer`, `/pin` and `/refuse`; and the account of the
 *  phone.
 *  @returns function that ends every session */
export function mountPhone(router: Router, deps: PhoneDeps): () => void {
  const sessions = new LRUCache<string, PhoneSession>({
    max: MAX_SESSIONS,
    dispose: session => session.refuse(),
  })
  const { schemes, readJson } = deps

  function find(id: string | undefined): PhoneSession {
    const session = sessions.get(id ?? '')
    if (!session) throw new NotFoundError('the phone knows no such session')
    return session
  }

  router.get('/demo/phone/cards', ctx => {
    answerJson(
      ctx,
      deps.phone
        .session()
        .wallet.credentials()
        .map(credential => cardView(schemes, credential)),
    )
  })

  mountAccount(router, { session: () => deps.phone.session(), readJson, ...deps.account })

  router.post('/demo/phone/open', async ctx => {
    const { pointer } = await readJson(ctx, OPEN)
    const id = deps.random.token()
    sessions.set(id, open(deps, pointer))
    answerJson(ctx, { id })
  })

  router.get('/demo/phone/:id', async ctx => {
    answerJson(ctx, await find(ctx.params.id).next(Number(ctx.query.after), WAIT_MS))
  })

  router.post('/demo/phone/:id/answer', async ctx => {
    const { choices } = await readJson(ctx, ANSWER)
    if (!find(ctx.params.id).answer(choices))
      throw new UnexpectedRequestError('the phone is not asking anything')
    answerNoContent(ctx)
  })

  router.post('/demo/phone/:id/pin', async ctx => {
    const { pin } = await readJson(ctx, PIN)
    if (!find(ctx.params.id).typePin(pin))
      throw new UnexpectedRequestError('the phone is not asking for a PIN')
    answerNoContent(ctx)
  })

  router.post('/demo/phone/:id/refuse', ctx => {
    find(ctx.params.id).refuse()
    answerNoContent(ctx)
  })

  return () => sessions.clear()
}

/** @param pointer text of the QR code, or the link
 *  @throws {InvalidRequestError} for other servers: this wallet is in developer mode, and calls only servers of this demo */
function open({ address, hosts, issuer, profile, phone, schemes }: PhoneDeps, pointer: string): PhoneSession {
  const provider = issuer() ?? []
  const servers = [address, ...hosts.all.map(host => `http://${host}`)].concat(provider)
  const session = addressIn(pointer)
  const server = servers.find(known => session.startsWith(`${known}${profile.prefix}/session/`))
  if (server === undefined)
    throw new InvalidRequestError(
      'pointer: expected a session of the session server of this demo, got another',
    )
  const wallet = phone.session()
  wallet.wallet.tokens.clear() // locks the phone between two sessions: the user types the PIN again
  return startPhoneSession(
    new URL(server).host,
    handlers => answerSession(wallet, pointer, handlers),
    question => questionView(schemes, question),
    wallet.clock,
  )
}

/** @throws {InvalidRequestError} for a text that is not a session pointer */
function addressIn(pointer: string): string {
  try {
    return parseSessionPointer(pointer).u
  } catch (error) {
    if (error instanceof SessionError) throw new InvalidRequestError(error.message)
    throw error
  }
}
