/** The screens of the account page, each as its title and the content below it. @module */
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { OwnedAccount } from '../../actors/owners/owners.ts'
import type { AccountRow, LogEntry } from '../../stores/account-store.ts'
import { type Html, html } from '../html.ts'
import { WORDS } from './words/languages.ts'
import type { PageTexts } from './words/words.ts'

export type Screen = { readonly title: string; readonly main: Html }

/** The facts that a screen needs about its page. */
export type PageContext = {
  readonly language: MailLanguage
  /** before each path of this language, with no slash at its end */
  readonly base: string
  /** the token in every form that changes something; empty: no user is logged in */
  readonly formToken: string
}

/** The form that asks for a link. It repeats the typed text if that is no address. */
export function askScreen({ language, base }: PageContext, refused: string | null = null): Screen {
  const { ask } = WORDS[language]
  const main = html`<p>${ask.text}</p>
    ${addressForm({ action: `${base}/login`, label: ask.address, button: ask.button, refused, error: ask.refused, hidden: null })}`
  return { title: ask.title, main }
}

export function askedScreen({ language }: PageContext): Screen {
  const { asked, look } = WORDS[language].ask
  return { title: asked, main: html`<p>${look}</p>` }
}

/** A link that was followed does nothing until its button is pressed: programs that look at mails follow links, too. */
export function linkScreen(
  { language, base }: PageContext,
  purpose: 'login' | 'confirm',
  token: string,
): Screen {
  const { title, text, button } = WORDS[language][purpose]
  const main = html`<p>${text}</p>
    <form method="post" action="${base}/${purpose}/${token}"><button>${button}</button></form>`
  return { title, main }
}

export function confirmedScreen({ language }: PageContext, address: string): Screen {
  const { done, isYours } = WORDS[language].confirm
  return { title: done, main: html`<p>${isYours(address)}</p>` }
}

export function chooseScreen(place: PageContext, address: string, accounts: readonly OwnedAccount[]): Screen {
  const { title, text, lastUsed } = WORDS[place.language].choose
  const rows = accounts.map(
    ({ row }) => html`<li><a href="${accountPath(place, row)}"><code>${row.userName}</code></a>
      <span class="soft">${lastUsed} ${time(row.seenAt, place)}</span></li>`,
  )
  return { title, main: html`<p>${text(address)}</p><ul class="rows">${rows}</ul>` }
}

/** The outcome for an address that the owner added. */
export type AddressOutcome =
  | { readonly type: 'mailed'; readonly address: string }
  | { readonly type: 'refused'; readonly address: string; readonly isTooOften: boolean }

export type LogPage = {
  readonly entries: readonly LogEntry[]
  /** number of the page, from 1 */
  readonly page: number
  readonly isLast: boolean
}

export function accountScreen(
  place: PageContext,
  { row, addresses }: OwnedAccount,
  log: LogPage,
  added: AddressOutcome | null,
): Screen {
  const { account } = WORDS[place.language]
  const path = accountPath(place, row)
  const main = html`<p>${account.userName}: <code>${row.userName}</code></p>
    ${row.deleteAt === null ? null : html`<p class="notice">${account.willBeDeleted(day(row.deleteAt, place))}</p>`}
    <h2 id="log">${account.log}</h2>
    ${logList(place, path, log)}
    <h2 id="addresses">${account.addresses}</h2>
    <ul class="rows">${addresses.map(({ address }) => html`<li>${address}</li>`)}</ul>
    ${addressPart(place, path, added)}
    <h2>${account.deletion}</h2>
    <p>${account.deletionText}</p>
    <p><a class="button grave" href="${path}/delete">${account.deletionButton}</a></p>`
  return { title: account.title, main }
}

function addressPart(place: PageContext, path: string, added: AddressOutcome | null): Html {
  const { account } = WORDS[place.language]
  const isRefused = added?.type === 'refused'
  return html`${added?.type === 'mailed' ? html`<p class="notice" role="status">${account.mailed(added.address)}</p>` : null}
    <p class="soft">${account.addText}</p>
    ${addressForm({
      action: `${path}/address#addresses`,
      label: account.addAddress,
      button: account.addButton,
      refused: isRefused ? added.address : null,
      error: isRefused && added.isTooOften ? account.tooMany : account.notMailed,
      hidden: tokenField(place),
    })}`
}

function logList({ language }: PageContext, path: string, { entries, page, isLast }: LogPage): Html {
  const { account, event } = WORDS[language]
  if (entries.length === 0) return html`<p>${account.nothing}</p>`
  const rows = entries.map(
    entry =>
      html`<li><span>${event(entry)}</span> <span class="soft">${time(entry.at, { language })}</span></li>`,
  )
  const newer = page > 1 ? html`<a href="${path}?page=${page - 1}#log">${account.newer}</a>` : null
  const older = isLast ? null : html`<a href="${path}?page=${page + 1}#log">${account.older}</a>`
  return html`<ol class="rows">${rows}</ol>
    ${newer === null && older === null ? null : html`<nav aria-label="${account.log}">${newer} ${older}</nav>`}`
}

/** @param isUnticked whether the owner sent the form without ticking its box */
export function deletionScreen(
  place: PageContext,
  row: AccountRow,
  deleteDays: number,
  isUnticked: boolean,
): Screen {
  const { deletion } = WORDS[place.language]
  const path = accountPath(place, row)
  const main = html`<p>${deletion.text(row.userName)}</p><p>${deletion.days(deleteDays)}</p>
    <form method="post" action="${path}/delete">${tokenField(place)}
      ${isUnticked ? html`<p class="error" id="needed" role="alert">${deletion.needed}</p>` : null}
      <label class="check"><input type="checkbox" name="understood" value="yes" required${isUnticked ? html` aria-describedby="needed" aria-invalid="true"` : null}> <span>${deletion.understood}</span></label>
      <nav><button class="grave">${deletion.button}</button> <a class="button quiet" href="${path}">${deletion.cancel}</a></nav>
    </form>`
  return { title: deletion.title, main }
}

export function deletedScreen({ language }: PageContext): Screen {
  const { done, doneText } = WORDS[language].deletion
  return { title: done, main: html`<p>${doneText}</p>` }
}

export function errorScreen({ language, base }: PageContext, kind: keyof PageTexts['errors']): Screen {
  const { errors, ask } = WORDS[language]
  const [title, text] = errors[kind]
  return { title, main: html`<p>${text}</p><p><a href="${base}/">${ask.title}</a></p>` }
}

function accountPath({ base }: PageContext, { id }: AccountRow): string {
  return `${base}/accounts/${id}`
}

export function tokenField({ formToken }: Pick<PageContext, 'formToken'>): Html {
  return html`<input type="hidden" name="form" value="${formToken}">`
}

type AddressForm = {
  readonly action: string
  readonly label: string
  readonly button: string
  /** the typed text that was refused; null: none */
  readonly refused: string | null
  readonly error: string
  readonly hidden: Html | null
}

function addressForm({ action, label, button, refused, error, hidden }: AddressForm): Html {
  const isRefused = refused !== null
  return html`<form method="post" action="${action}">${hidden}
    <label for="address">${label}</label>
    ${isRefused ? html`<p class="error" id="refused" role="alert">${error}</p>` : null}
    <input type="email" id="address" name="address" autocomplete="email" required maxlength="254" value="${refused ?? ''}"${isRefused ? html` aria-describedby="refused" aria-invalid="true"` : null}>
    <button>${button}</button></form>`
}

/** Days before months, and hours from 0 to 23, in each language. */
const LOCALES = { en: 'en-GB', nl: 'nl-NL', de: 'de-DE', fr: 'fr-FR' } as const satisfies Readonly<
  Record<MailLanguage, string>
>

function time(at: number, { language }: Pick<PageContext, 'language'>): Html {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return html`<time datetime="${new Date(at).toISOString()}">${format.format(at)} UTC</time>`
}

function day(at: number, { language }: Pick<PageContext, 'language'>): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}
