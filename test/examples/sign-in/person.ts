/** A person with a browser and a wallet of the demo, at a site and at the pages of the provider. @module */
import { request } from 'undici'
import { type Answer, openBrowser } from '../../server/oidc/browser.ts'
import { answered, codeOf } from '../../server/oidc/login.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import type { Provider } from './provider.ts'

export type Person = {
  get(url: string): Promise<Answer>
  post(url: string, form: Readonly<Record<string, string>>): Promise<Answer>
  /** Answers with the wallet at the page to which a site has sent the browser.
   *  @returns the last page of the site */
  answer(sent: Answer, decision?: 'agree' | 'refuse'): Promise<Answer>
  /** Confirms a logout at the page to which a site has sent the browser.
   *  @returns the last page of the site */
  confirmLogout(sent: Answer): Promise<Answer>
}

/** @param wallet by default a new one of the same user */
export function personAt(provider: Provider, wallet = newWallet()): Person {
  const { address } = provider
  const browser = openBrowser(address, (url, init) => visit(provider.inside(String(url)), Object(init)))
  const isSignIn = (location: string | null): boolean => location?.startsWith(`${address}/`) ?? false
  /** Follows redirects, except to the provider. */
  async function followed(answer: Answer): Promise<Answer> {
    let last = answer
    while (last.location !== null && !isSignIn(last.location)) last = await browser.get(last.location)
    return last
  }
  return {
    get: async url => followed(await browser.get(url)),
    post: async (url, form) => followed(await browser.post(url, new URLSearchParams(form))),
    async answer({ location, text }, decision = 'agree') {
      const { location: at } = await browser.get(location ?? '')
      if (!at?.startsWith(`${address}/sign-in/`))
        throw new Error(`expected the sign-in page, got ${at} ${text}`)
      await browser.get(at)
      const pointer = await codeOf(browser, at)
      await answered(provider, { wallet: await wallet, pointer, browser, at, refuses: decision === 'refuse' })
      const { location: next } = JSON.parse((await browser.post(`${at}/finish`, {})).text)
      const back = await browser.follow(next)
      return followed(back)
    },
    async confirmLogout({ location }) {
      const page = await browser.get(location ?? '')
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? []
      const form = new URLSearchParams({ xsrf, logout: 'yes' })
      return followed(await browser.post(`${address}/logout/confirm`, form))
    },
  }
}

/** A call of a browser that opens a page. `fetch` cannot make one: it always sends `Sec-Fetch-Mode: cors`, and sites answer 401 to that. */
async function visit(url: string, { method = 'GET', headers, body }: VisitInit): Promise<Response> {
  const opening = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  const answer = await request(url, { method, headers: { ...opening, ...headers }, body: body ?? null })
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Response(await answer.body.text(), { status: answer.statusCode, headers: lines })
}

type VisitInit = {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}
