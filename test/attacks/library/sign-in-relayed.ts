/** The adversary begins a login, and sends its code or its link to a user, who answers with the wallet. The adversary's browser then tries to go on: it types guesses of the pairing
 *  code at two nodes, calls itself a phone, or invents the return of the app. @module */
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { answered, begun, browserOf, pageOf, pointerIn, siteOf } from '../../server/oidc/login.ts'
import type { OidcOfTest } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider, PHONE } from '../sign-in.ts'

const GUESSES = 30
/** Guesses that are compared with the code of one session. */
const MOST = 3

export const attack: Attack = {
  name: 'sign-in-relayed',
  gains: 'a login with the claims of a user who answers the code of the adversary',
  cites: 'spec/decisions#browser-of-a-login',
  on: 'own servers',
  async run() {
    const store = createMemoryStore()
    let gained: readonly string[] = []
    await atProvider(
      async (one, wallet) => {
        await atProvider(
          async two => {
            gained = [
              ...(await withoutPairing(one, wallet)),
              ...(await byGuesses([one, two], wallet)),
              ...(await asPhone(one, wallet)),
            ]
            return []
          },
          {},
          { instead: { store, bootId: 'node two' } },
        )
        return []
      },
      {},
      { instead: { store, bootId: 'node one' } },
    )
    return gained.length === 0 ? null : gained.join('; ')
  },
}

async function opened(provider: OidcOfTest, userAgent?: string) {
  const browser = browserOf(provider, userAgent)
  const { at } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
  const pointer = pointerIn((await browser.post(`${at}/session`, { hasPairing: false })).text)
  return { browser, at, pointer }
}

async function withoutPairing(provider: OidcOfTest, wallet: Wallet): Promise<string[]> {
  const { browser, at, pointer } = await opened(provider)
  let isAsked = false
  const finished: number[] = []
  await answered(provider, {
    wallet,
    pointer,
    browser,
    at,
    async pairing() {
      isAsked = true
      finished.push((await browser.post(`${at}/finish`, {})).status)
      await browser.post(`${at}/cancel`, {})
    },
  })
  if (!isAsked) return ['the wallet answered a desktop without a pairing code']
  return finished.includes(200) ? ['a login was finished before its pairing'] : []
}

/** Sends only wrong guesses, to both nodes at once. `isOver` is false in the answer to each compared guess, because the session stays open. */
async function byGuesses(nodes: readonly OidcOfTest[], wallet: Wallet): Promise<string[]> {
  const [node] = nodes
  if (node === undefined) return []
  const { browser, at, pointer } = await opened(node)
  const headers = { Cookie: browser.cookiesFor(`${at}/pairing`) }
  let compared = 0
  await answered(node, {
    wallet,
    pointer,
    browser,
    at,
    async pairing(code) {
      const guesses = Array.from({ length: GUESSES }, (_, i) => String((Number(code) + 1 + i) % 10_000))
      const answers = await Promise.all(
        guesses.map((guess, i) =>
          browserOf(nodes[i % nodes.length] ?? node).post(
            `${at}/pairing`,
            { code: guess.padStart(4, '0') },
            headers,
          ),
        ),
      )
      compared = answers.filter(({ text }) => text.includes('"isOver":false')).length
      await browser.post(`${at}/cancel`, {})
    },
  })
  return compared >= MOST ? [`${compared} guesses of one pairing code were compared`] : []
}

async function asPhone(provider: OidcOfTest, wallet: Wallet): Promise<string[]> {
  const { browser, at, pointer } = await opened(provider, PHONE)
  const { clientReturnUrl } = await answered(provider, { wallet, pointer, browser, at })
  await browserOf(provider, PHONE).get(clientReturnUrl ?? at) // the user's own browser has no cookie of the login
  for (const secret of ['', 'true', 'a'.repeat(20)]) await browser.get(`${at}?returned=${secret}`)
  const { status, text } = await browser.post(`${at}/finish`, {})
  return status === 200 && text.includes('location')
    ? ['a login was finished without the return of the app']
    : []
}
