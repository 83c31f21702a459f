/** The phone of the demo of `svc oidc`: the wallet of the tour behind a page without scripts. It answers sessions of the demo's provider alone. @module */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type Html, html } from '../../http/html.ts'
import { answerSession } from '../../libraries/wallet/session.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Schemes } from '../../schemes/types.ts'
import { type PhoneSession, startPhoneSession } from '../phone-session.ts'
import { type PhoneState, questionView } from '../phone-view.ts'
import type { Phone } from '../phone-wallet.ts'
import { answeredStyle, answerPage, type DemoPage, isOwnForm, seeOther } from './page.ts'

export type DemoPhone = {
  readonly phone: Phone
  readonly schemes: Schemes
  /** start of the address of the provider's sessions */
  readonly sessions: string
  readonly random: Pick<Randomness, 'token'>
}

const MAX_SESSIONS = 20
/** How long a page waits for the next screen, and how often the browser asks again. */
const [WAIT_MS, REFRESH_SEC] = [700, 1]

export function demoPhone(parts: DemoPhone): { readonly handle: RequestListener; close(): void } {
  const sessions = new LRUCache<string, PhoneSession>({
    max: MAX_SESSIONS,
    dispose: session => session.refuse(),
  })
  return {
    handle(req, res) {
      answer(req, res, parts, sessions).catch((error: Error) =>
        answerPage(res, { title: 'The phone could not go on', main: html`<p>${error.message}</p>` }, 400),
      )
    },
    close: () => sessions.clear(),
  }
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  parts: DemoPhone,
  sessions: LRUCache<string, PhoneSession>,
): Promise<void> {
  if (answeredStyle(req, res)) return
  const url = new URL(req.url ?? '/', 'http://phone')
  const pointer = url.searchParams.get('session')
  if (pointer !== null) {
    const id = parts.random.token()
    sessions.set(id, opened(pointer, parts))
    return seeOther(res, `/${id}`)
  }
  const [, id = '', action = ''] = url.pathname.split('/')
  const session = sessions.get(id)
  if (session === undefined)
    return answerPage(res, { title: 'The phone', main: html`<p>Open this page from a sign-in page.</p>` })
  const { state } = await session.next(0, WAIT_MS)
  if (req.method !== 'POST') return answerPage(res, screenOf(state, id))
  if (!isOwnForm(req)) throw new Error('expected a form of this page, got one of another page')
  if (action === 'share' && state.screen === 'consent') session.answer(state.items.map(() => 0))
  if (action === 'refuse') session.refuse()
  seeOther(res, `/${id}`)
}

/** @throws {Error} for the session of another server */
function opened(pointer: string, { phone, schemes, sessions }: DemoPhone): PhoneSession {
  const { u } = Object(JSON.parse(pointer))
  if (!String(u).startsWith(sessions)) throw new Error('expected a session of the demo, got another one')
  const deps = phone.session()
  return startPhoneSession(
    new URL(sessions).host,
    handlers => answerSession(deps, pointer, handlers),
    question => questionView(schemes, question),
    deps.clock,
  )
}

function screenOf(state: PhoneState, id: string): DemoPage {
  const refreshSec = REFRESH_SEC
  switch (state.screen) {
    case 'pairing':
      return { title: state.code, main: html`<p>Type this code into the sign-in page.</p>`, refreshSec }
    case 'consent':
      return { title: 'Share this data?', main: question(state, id) }
    case 'done':
      return { title: 'Shared', main: html`<p>You can close this page, and return to the site.</p>` }
    case 'refused':
      return { title: 'Nothing was shared', main: html`<p>You can close this page.</p>` }
    case 'failed':
      return { title: 'The session has ended', main: html`<p>${state.reason}</p>` }
    default:
      return { title: 'One moment', main: html`<p>The phone talks to the provider.</p>`, refreshSec }
  }
}

function question({ items, canAnswer }: Extract<PhoneState, { screen: 'consent' }>, id: string): Html {
  const shown = items.flatMap(({ candidates: [first], missing }) => [
    ...(first?.cards ?? []).flatMap(({ name, attributes }) =>
      attributes.map(
        each => html`<li><span>${name}: ${each.name}</span><code>${each.value ?? ''}</code></li>`,
      ),
    ),
    ...(first === undefined ? missing.map(text => html`<li>missing: ${text}</li>`) : []),
  ])
  const share = html`<form method="post" action="/${id}/share"><button>Share</button></form>`
  return html`<ul class="rows">${shown}</ul><nav>${canAnswer ? share : null}
<form method="post" action="/${id}/refuse"><button class="quiet">Share nothing</button></form></nav>`
}
