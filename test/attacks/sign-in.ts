/** An OpenID provider of this project with the clients `shop` and `club`, and the calls of an adversary to it. @module */
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import type { World } from '../../server/world.ts'
import { browserOf, SECRETS } from '../server/oidc/login.ts'
import { ISSUER, type OidcOfTest, SHOP, startProvider } from '../server/oidc/node.ts'
import { newWallet } from '../wallet/demo-wallets.ts'

export const PHONE = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Mobile Safari/537.36'

type Values = Readonly<Record<string, unknown>>
type Use = (provider: OidcOfTest, wallet: Wallet) => Promise<readonly string[]>

/** @param use returns what was gained
 *  @returns the gain in words; null: nothing */
export async function atProvider(
  use: Use,
  values: Values = {},
  world: Partial<World> = {},
): Promise<string | null> {
  const provider = await startProvider(values, world)
  try {
    return inWords(await use(provider, await newWallet()))
  } finally {
    await provider.close()
  }
}

export function inWords(gained: readonly string[]): string | null {
  return gained.length === 0 ? null : [...new Set(gained)].join('; ')
}

/** Redeems a code as a client, without any check of the client's own.
 *  @param form parameters in place of the usual ones; an empty one is left out
 *  @returns the access token; null: the provider refused */
export async function redeemed(
  { reach }: Pick<OidcOfTest, 'reach'>,
  id: keyof typeof SECRETS,
  form: Readonly<Record<string, string>>,
): Promise<string | null> {
  const usual = { grant_type: 'authorization_code', redirect_uri: `${SHOP}/back` }
  const secret: Readonly<Record<string, string>> =
    id === 'club' ? { client_id: id, client_secret: SECRETS.club } : {}
  const sent = Object.entries({ ...usual, ...secret, ...form }).filter(([, value]) => value !== '')
  const basic = Buffer.from(`${id}:${encodeURIComponent(SECRETS[id]).replaceAll('%20', '+')}`)
  const answer = await reach(`${ISSUER}/token`, {
    method: 'POST',
    body: new URLSearchParams(sent),
    headers: id === 'club' ? {} : { Authorization: `Basic ${basic.toString('base64')}` },
  })
  const { access_token } = Object(await answer.json())
  return typeof access_token === 'string' ? access_token : null
}

/** Pushes an authorization request as `shop`.
 *  @returns the answer as it is */
export async function pushed({ reach }: Pick<OidcOfTest, 'reach'>, request: URLSearchParams) {
  const body = new URLSearchParams(request)
  const basic = Buffer.from(`shop:${encodeURIComponent(SECRETS.shop).replaceAll('%20', '+')}`)
  const headers = { Authorization: `Basic ${basic.toString('base64')}` }
  const answer = await reach(`${ISSUER}/par`, { method: 'POST', body, headers })
  const { request_uri } = Object(await answer.json())
  return typeof request_uri === 'string' ? request_uri : null
}

/** @returns true if the provider shows the page of a login, and does not refuse the request */
export async function opensLogin(provider: Pick<OidcOfTest, 'reach'>, url: string): Promise<boolean> {
  const { location } = await browserOf(provider).get(url)
  return location?.startsWith(`${ISSUER}/sign-in/`) ?? false
}
