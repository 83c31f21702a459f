/** POST /sign-in/{uid}/session: starts a session with a code for the wallet app. It cancels the previous session of the login, so that only the newest code works.
 *  On a desktop the user types the code that the app shows into the page. On a phone the app returns to the browser instead, with a secret that only the app got. So
 *  an attacker who passes a login on to a victim is not logged in as the victim. @module */
import type { Context } from 'koa'
import { InvalidRequestError, UnavailableError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { mapShapeErrors, readBoolean, readObject, readText, ShapeError } from '../../protocol/shape.ts'
import type { LoginAsk, LoginRequest } from '../../sessions/sign-in/login-request.ts'
import type { LoginRefusal } from '../../sessions/sign-in/rules.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { appLink, drawnCode, isPhone } from './app-link.ts'
import type { InteractionDeps, OidcDeps } from './deps.ts'
import type { Disclosure } from './disclosures.ts'
import { type Interaction, interactionOf, paramOf, runningLogin, secondsLeft } from './interaction.ts'

/** The parameter of the page's address that holds the return secret, when the app returns to the browser. */
export const RETURNED = 'returned'

export function beginSession(
  deps: InteractionDeps,
): (ctx: Context, found: null, body: Uint8Array) => Promise<void> {
  return async (ctx, _found, body) => {
    const before: Disclosure[] = []
    const isCommitted = await deps.atOnce(async () => {
      before.push(...(await begin(ctx, body, deps)))
    })
    // another tab has ended the login meanwhile, or has made a code
    if (!isCommitted) throw new UnavailableError('login: expected one call for a code, got two: try again')
    // not before the commit: the page in another tab would take the cancelled session for a refusal of the user
    for (const session of before) await session.cancel()
  }
}

/** @returns the previous session of the login; empty: there is none */
async function begin(ctx: Context, body: Uint8Array, deps: InteractionDeps): Promise<Disclosure[]> {
  const { logins, disclosures, settings, random } = deps
  const interaction = await interactionOf(ctx, deps)
  const asked = askOf(interaction, deps)
  if (asked.type === 'refused') throw new InvalidRequestError(`login: ${asked.description}`)
  await requireOpen(interaction, deps)
  const before = await runningLogin(interaction, deps)
  const onPhone = isPhone(ctx.get('User-Agent')) && !wantsPairing(body)
  const returnSecret = onPhone ? random.token() : null
  const request = { ...asked.request, clientReturnUrl: returnUrl(interaction, returnSecret, settings) }
  const leftSec = secondsLeft(interaction, deps)
  const { pointer, ...session } = await disclosures.open(request, !onPhone, leftSec * 1_000)
  const state = { type: 'asked', plan: asked.plan, ...session, returnSecret, hasReturned: false } as const
  const clientId = paramOf(interaction, 'client_id')
  await logins.upsert(interaction.uid, { clientId, state }, leftSec)
  answerJson(ctx, {
    qr: drawnCode(pointer),
    app: appLink(pointer, settings.appLink),
    isPhone: onPhone,
    isAppOnWeb: settings.isAppOnWeb,
  })
  return before === null ? [] : [before.session]
}

/** Without this check, a new session would replace the claims of a login that has succeeded.
 *  @throws {UnexpectedRequestError} if the login has its result */
async function requireOpen(
  { uid, result }: Pick<Interaction, 'uid' | 'result'>,
  { logins }: Pick<InteractionDeps, 'logins'>,
): Promise<void> {
  if (result !== undefined || (await logins.find(uid))?.state.type === 'loggedIn')
    throw new UnexpectedRequestError('login: expected a login without a result, got one that has ended')
}

/** True if the page asks for pairing, because the app of the phone has returned to another browser. */
function wantsPairing(body: Uint8Array): boolean {
  return mapShapeErrors(InvalidRequestError, () => {
    const { hasPairing } = readObject(readText(textOf(body, InvalidRequestError)), 'session')
    return readBoolean(hasPairing, 'hasPairing')
  })
}

function returnUrl(
  { uid }: Pick<Interaction, 'uid'>,
  secret: string | null,
  { issuer }: Pick<OidcDeps['settings'], 'issuer'>,
): string {
  return secret === null ? '' : `${issuer}/sign-in/${uid}?${RETURNED}=${secret}`
}

/** The request for the wallet, or why there is none. */
export function askOf(
  interaction: Interaction,
  { signIn }: Pick<OidcDeps, 'signIn'>,
): LoginRequest | LoginRefusal {
  try {
    const ask: LoginAsk = {
      clientId: paramOf(interaction, 'client_id'),
      scopes: words(paramOf(interaction, 'scope')),
      claims: signIn.readClaims(paramOf(interaction, 'claims')),
      acrValues: words(paramOf(interaction, 'acr_values')),
    }
    return signIn.requestOf(ask)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    return { type: 'refused', error: 'invalid_request', description: error.message }
  }
}

function words(text: string): readonly string[] {
  return text.split(' ').filter(word => word !== '')
}
