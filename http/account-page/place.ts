/** The place of an endpoint on the account page, and the parts of a call that it reads. @module */
import type { Context } from 'koa'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { OwnedAccount } from '../../actors/owners/owners.ts'
import { InvalidRequestError, NotFoundError } from '../../protocol/errors.ts'
import { textOf } from '../read-body.ts'
import type { AccountPageDeps } from './deps.ts'
import type { PageContext } from './screens.ts'
import { requireForm, type Visit } from './visit.ts'

/** The dependencies of an endpoint of one language. */
export type PageDeps = AccountPageDeps & {
  readonly place: { readonly language: MailLanguage; readonly base: string }
}

export type VisitorEndpoint = (ctx: Context, visit: Visit | null, body: Uint8Array) => Promise<void> | void

export function placeOf({ place }: PageDeps, visit: Visit | null = null): PageContext {
  return { ...place, formToken: visit?.formToken ?? '' }
}

export function formOf(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(textOf(body, InvalidRequestError))
}

/** A user who is no longer logged in is asked to log in. */
export function visited(
  { place }: PageDeps,
  endpoint: (ctx: Context, visit: Visit, form: URLSearchParams) => Promise<void>,
): VisitorEndpoint {
  return async (ctx, visit, body) => {
    if (visit === null) return seeOther(ctx, `${place.base}/login`)
    const form = formOf(body)
    if (ctx.method === 'POST') requireForm(form, visit)
    await endpoint(ctx, visit, form)
  }
}

/** @throws {NotFoundError} also for an account of another owner */
export async function requireAccount(
  ctx: Context,
  { address }: Visit,
  { owners }: PageDeps,
): Promise<OwnedAccount> {
  const id: unknown = ctx.params.id
  const found = (await owners.accountsOf(address)).find(({ row }) => row.id === id)
  if (found === undefined) throw new NotFoundError()
  return found
}

/** The browser asks for the next page by GET, for every method of this call. */
export function seeOther(ctx: Context, path: string): void {
  ctx.redirect(path)
  ctx.status = 303
}
