/** The account behind the PIN of the phone: set up, unlock, change. A phone has one PIN and one account. The keyshare server checks them, and the page shows its
 *  answer. @module */
import type { Router } from '@koa/router'
import { z } from 'zod'
import { answerJson, answerNoContent } from '../../http/answer.ts'
import type { ActionOutcome } from '../../libraries/wallet/failure.ts'
import { changePin } from '../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../libraries/wallet/keyshare/unlock.ts'
import type { SessionDeps } from '../../libraries/wallet/session.ts'
import type { ReadJson } from '../bodies.ts'
import type { Mailbox } from './mailbox.ts'
import { KEYSHARE_SCHEME } from './server.ts'

/** A PIN has as many digits as the PIN pad accepts. */
const PIN = z.string().regex(/^[0-9]{5}$/)
const SET_UP = z.object({ pin: PIN, email: z.string().max(254) })
const UNLOCK = z.object({ pin: PIN })
const CHANGE = z.object({ oldPin: PIN, newPin: PIN })

export type AccountPlaces = {
  readonly mailbox: Mailbox
  /** URL of the keyshare server's page for its users */
  readonly page: string
}

export type AccountDeps = AccountPlaces & {
  /** returns the dependencies with the current wallet */
  readonly session: () => SessionDeps
  readonly readJson: ReadJson
}

/** The result of an attempt, for the page. */
export type AccountView = {
  readonly isDone: boolean
  /** tries left after a wrong PIN; null: no PIN was wrong */
  readonly triesLeft: number | null
  /** seconds in which no PIN is accepted; null: not blocked */
  readonly blockedSec: number | null
  /** the server no longer has this account */
  readonly isGone: boolean
  /** reason of a failure, for display; empty if another member contains it */
  readonly reason: string
}

/** `GET /demo/phone/account`, `POST /demo/phone/account/set-up`, `/unlock`, `/change-pin` and `/forget`. */
export function mountAccount(router: Router, { session, readJson, mailbox, page }: AccountDeps): void {
  router.get('/demo/phone/account', ctx => {
    const [account] = session().wallet.accounts()
    answerJson(ctx, { userName: account?.userName ?? null, page, mails: mailbox.mails() })
  })

  router.post('/demo/phone/account/set-up', async ctx => {
    const { pin, email } = await readJson(ctx, SET_UP)
    answerJson(ctx, accountView(await register(session(), KEYSHARE_SCHEME, { pin, email, language: 'en' })))
  })

  router.post('/demo/phone/account/unlock', async ctx => {
    const { pin } = await readJson(ctx, UNLOCK)
    answerJson(ctx, await tried(session(), pin))
  })

  router.post('/demo/phone/account/forget', async ctx => {
    await session().wallet.forgetAccount(KEYSHARE_SCHEME)
    answerNoContent(ctx)
  })

  router.post('/demo/phone/account/change-pin', async ctx => {
    answerJson(ctx, accountView(await changePin(session(), await readJson(ctx, CHANGE))))
  })
}

/** Tries the PIN once. The page asks again for another try. */
async function tried(deps: SessionDeps, pin: string): Promise<AccountView> {
  let left: number | null = null
  const ending = await unlock(deps, KEYSHARE_SCHEME, async ({ triesLeft }) => {
    left = triesLeft
    return triesLeft === null ? pin : null
  })
  const view = accountView(ending)
  return left === null ? view : { ...view, triesLeft: left }
}

const NOTHING: AccountView = { isDone: false, triesLeft: null, blockedSec: null, isGone: false, reason: '' }

function accountView(ending: ActionOutcome): AccountView {
  if (ending.status !== 'failed') return { ...NOTHING, isDone: ending.status === 'success' }
  const { triesLeft = null, blockedSec = null, message } = ending
  const isGone = ending.remote?.type === 'USER_NOT_REGISTERED'
  const isSaid = isGone || triesLeft !== null || blockedSec !== null
  const reason = isSaid ? '' : inWords(ending.reason, message)
  return { ...NOTHING, triesLeft, blockedSec, isGone, reason }
}

function inWords(reason: Extract<ActionOutcome, { status: 'failed' }>['reason'], message: string): string {
  return reason === 'keyshare-unreachable'
    ? 'The keyshare server does not answer.'
    : `The wallet says: ${message}.`
}
