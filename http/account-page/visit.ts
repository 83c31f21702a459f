/** A visit to the account page: a cookie identifies the user for 15 minutes after a mailed link was followed. Its value is sealed with the storage keys, so that
 *  every node can read it and no node stores it. Scripts and other sites cannot use it, and every form has a token of it. @module */
import type { Context } from 'koa'
import { RecordError } from '../../accounts/record-error.ts'
import { NONCE_BYTES, seal, unseal } from '../../accounts/storage-keys.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { isSameSecret } from '../secrets.ts'
import type { AccountPageDeps } from './deps.ts'

export type Visit = {
  /** the confirmed address of the accounts that the visit shows */
  readonly address: string
  /** Unix ms */
  readonly endsAt: number
  /** the token in every form of the visit; secret */
  readonly formToken: string
}

const COOKIE = 'account'
const PURPOSE = 'a visit to the account page'
const VISIT_MS = 15 * 60_000

type Deps = Pick<AccountPageDeps, 'clock' | 'random' | 'storageKeys' | 'pageUrl'>

/** Randomness, in this order: the token of the forms, and the nonce of the cookie. */
export function beginVisit(ctx: Context, address: string, deps: Deps): void {
  const { clock, random, storageKeys } = deps
  const visit: Visit = { address, endsAt: clock.now() + VISIT_MS, formToken: random.token() }
  const plain = Buffer.from(JSON.stringify(visit))
  const sealed = seal(plain, storageKeys, random.bytes(NONCE_BYTES), PURPOSE)
  setCookie(ctx, Buffer.from(sealed).toString('base64url'), VISIT_MS / 1_000, deps)
}

export function endVisit(ctx: Context, deps: Deps): void {
  setCookie(ctx, '', 0, deps)
}

function setCookie(ctx: Context, value: string, maxAgeSec: number, { pageUrl }: Deps): void {
  const path = new URL(pageUrl).pathname
  const secure = pageUrl.startsWith('https:') ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${COOKIE}=${value}; Path=${path}; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Strict${secure}`,
  )
}

/** @returns null: no user is logged in, or the visit has ended */
export function visitOf(ctx: Context, { clock, storageKeys }: Deps): Visit | null {
  const [, value = ''] = /(?:^|;\s*)account=([\w-]+)/.exec(ctx.get('Cookie')) ?? []
  try {
    const plain = unseal(Buffer.from(value, 'base64url'), storageKeys, PURPOSE)
    const visit = JSON.parse(Buffer.from(plain).toString()) as Visit // `beginVisit` wrote the sealed text
    return visit.endsAt > clock.now() ? visit : null
  } catch (error) {
    if (error instanceof RecordError) return null
    throw error
  }
}

/** @throws {InvalidRequestError} for a form that was not part of this visit */
export function requireForm(form: URLSearchParams, { formToken }: Visit): void {
  if (!isSameSecret(form.get('form') ?? '', formToken))
    throw new InvalidRequestError('form: expected one of this visit, got another')
}
