/** GET /account/{language}/accounts/{id}: the account with its log, eleven entries a page (spec/keyshare-server#15); and POST .../address: mails a
 *  link that confirms a further address, or mails the same link again. @module */
import type { Context } from 'koa'
import type { AddressToConfirm } from '../../actors/mails/confirmations.ts'
import { InvalidRequestError, TooManyRequestsError } from '../../protocol/errors.ts'
import type { AccountId } from '../../stores/account-store.ts'
import { answerPage } from './answer-page.ts'
import { type PageDeps, placeOf, requireAccount, type VisitorEndpoint, visited } from './place.ts'
import { type AddressOutcome, accountScreen, type LogPage } from './screens.ts'
import type { Visit } from './visit.ts'

const PAGE_LENGTH = 11
const MAX_PAGE = 100_000

export function account(deps: PageDeps): VisitorEndpoint {
  return visited(deps, (ctx, visit) => show(ctx, visit, deps, null))
}

export function addAddress(deps: PageDeps): VisitorEndpoint {
  return visited(deps, async (ctx, visit, form) => {
    const { row } = await requireAccount(ctx, visit, deps)
    const address = (form.get('address') ?? '').trim()
    await show(
      ctx,
      visit,
      deps,
      await added({ accountId: row.id, email: address, caller: deps.callerNames.of(ctx) }, deps),
    )
  })
}

async function added(
  asked: Omit<AddressToConfirm, 'language'>,
  { owners, place }: PageDeps,
): Promise<AddressOutcome> {
  const { email: address } = asked
  try {
    // an account that was disabled meanwhile gets no mail, and `show` then answers 404
    await owners.confirmAnother({ ...asked, language: place.language })
    return { type: 'mailed', address }
  } catch (error) {
    const isTooOften = error instanceof TooManyRequestsError
    if (!isTooOften && !(error instanceof InvalidRequestError)) throw error
    return { type: 'refused', address, isTooOften }
  }
}

async function show(
  ctx: Context,
  visit: Visit,
  deps: PageDeps,
  outcome: AddressOutcome | null,
): Promise<void> {
  const found = await requireAccount(ctx, visit, deps)
  const log = await logPage(ctx, found.row.id, deps)
  const place = placeOf(deps, visit)
  const status = outcome?.type === 'refused' ? (outcome.isTooOften ? 429 : 400) : 200
  answerPage(ctx, place, accountScreen(place, found, log, outcome), status)
}

async function logPage(ctx: Context, id: AccountId, { owners }: PageDeps): Promise<LogPage> {
  const asked = Number(ctx.query.page)
  const page = Number.isInteger(asked) && asked > 1 && asked <= MAX_PAGE ? asked : 1
  const entries = await owners.log(id, (page - 1) * PAGE_LENGTH, PAGE_LENGTH + 1)
  return { entries: entries.slice(0, PAGE_LENGTH), page, isLast: entries.length <= PAGE_LENGTH }
}
