/** The page on which a user scans the code of a login, or opens the wallet app. @module */
import type { Context } from 'koa'
import { html } from '../html.ts'
import { answerPage, dataIn } from './answer-page.ts'
import { languageOf, WORDS } from './words/languages.ts'

export type SignInPage = {
  /** the name of the site; its client_id if it has none */
  readonly site: string
  /** of the request of the site; empty: none */
  readonly uiLocales: string
  /** the path of this server as browsers see it, with a slash at its end */
  readonly root: string
  /** true: the wallet app has opened this page, so the login continues */
  readonly hasReturned: boolean
  /** seconds until the login ends */
  readonly leftSec: number
}

export function answerSignInPage(ctx: Context, { uiLocales, root, ...facts }: SignInPage): void {
  const language = languageOf(ctx, uiLocales)
  const words = WORDS[language]
  const { preparing, scan, codeLabel, connected, returning, pairing, pairingWrong, done, timeout, failed } =
    words
  const { hasReturned, leftSec, site } = facts
  const texts = {
    preparing,
    scan,
    codeLabel,
    connected,
    returning,
    pairing,
    pairingWrong,
    done,
    timeout,
    failed,
    ended: `${words.error.title}. ${words.error.text}`,
    hasReturned,
    leftSec,
  }
  const main = html`<p>${words.intro}</p>
<noscript><p class="error">${words.noScript}</p></noscript>
<p id="status" role="status" aria-live="polite"></p>
<div id="code" hidden></div>
<form id="pairing" hidden>
<label for="pin">${words.pairingLabel}</label>
<input id="pin" inputmode="numeric" autocomplete="off" maxlength="4" pattern="[0-9]{4}" required>
<button>${words.pairingButton}</button>
</form>
<div class="actions">
<a id="app" class="button" href="" rel="noopener noreferrer" hidden>${words.openApp}</a>
<button id="show" class="quiet" type="button" hidden>${words.showCode}</button>
<button id="again" type="button" hidden>${words.again}</button>
<button id="cancel" class="plain" type="button" hidden>${words.cancel}</button>
</div>
<script id="texts" type="application/json">${dataIn(texts)}</script>`
  answerPage(ctx, { language, title: words.title(site), main, root, hasScript: true })
}
