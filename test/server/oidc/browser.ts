/** A browser without a screen: it keeps cookies by path, follows no redirect by itself, and reaches the provider under its issuer. @module */

type Cookie = { readonly value: string; readonly path: string }

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** of the header `Location`; null: none */
  readonly location: string | null
}

export type Browser = {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(
    url: string,
    body: object | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** Follows redirects as long as they stay at this origin. */
  follow(url: string): Promise<Answer>
  /** the header that it sends to this address */
  cookiesFor(url: string): string
}

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0'

/** @param origin of the issuer
 *  @param reach a `fetch` that reaches the provider under its issuer */
export function openBrowser(origin: string, reach: typeof fetch, userAgent = DESKTOP): Browser {
  const jar = new CookieJar()
  async function call(url: string, init: RequestInit): Promise<Answer> {
    const sent = { 'User-Agent': userAgent, Accept: 'text/html', Cookie: jar.headerFor(url) }
    const headers = { ...sent, ...Object(init.headers) }
    const response = await reach(url, { ...init, headers, redirect: 'manual' })
    jar.keep(response.headers)
    const text = await response.text()
    const to = response.headers.get('Location')
    const location = to === null ? null : new URL(to, url).href
    return { status: response.status, headers: response.headers, text, location }
  }
  const get: Browser['get'] = (url, headers = {}) => call(url, { headers })
  return {
    get,
    post(url, body, headers = {}) {
      const isForm = body instanceof URLSearchParams
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const own = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', ...headers }
      return call(url, {
        method: 'POST',
        body: isForm ? body.toString() : JSON.stringify(body),
        headers: own,
      })
    },
    async follow(url) {
      let answer = await get(url)
      while (answer.location !== null && new URL(answer.location).origin === origin)
        answer = await get(answer.location)
      return answer
    },
    cookiesFor: url => jar.headerFor(url),
  }
}

class CookieJar {
  readonly #cookies = new Map<string, Cookie>()

  headerFor(url: string): string {
    const { pathname } = new URL(url)
    const sent = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path))
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  }

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=') // values may have the sign too
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? '/'
      const isGone = attributes.some(each => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(each))
      if (isGone) this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { value, path })
    }
  }
}
