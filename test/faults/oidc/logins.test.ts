/** Whole logins at two processes of `svc oidc` on one PostgreSQL database, while either of them is killed. Browser, site and wallet app repeat each call that gets no
 *  answer, at either node. Some browsers also send each call of a login twice at once. No kill ends a login on its way to the site. A code is used once: the user begins
 *  again if the answer of `/token` was lost with a kill, or if the site has redeemed the code twice at the same time. For a longer run:
 *  `LOGINS=500 node dist/test/faults/oidc/logins.test.js` after a build. @module */
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { numberGiven } from '../../number-given.ts'
import { pause } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import {
  answered,
  BACK_OF_SHOP,
  type Begun,
  begun,
  browserOf,
  codeOf,
  pageOf,
  returned,
  SECRETS,
  siteOf,
  tokensOf,
} from '../../server/oidc/login.ts'
import { ISSUER } from '../../server/oidc/node.ts'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { randomFrom } from '../seeded-random.ts'
import { TwoServers } from './two-servers.ts'

const LOGINS = numberGiven('LOGINS', 30)
/** logins at once */
const BATCH = 10
/** The longest time between the beginning of logins and a kill. */
const KILL_WITHIN_MS = 1_500

const Logins = suite('logins at two nodes of svc oidc that are killed')
const test = isMissing('PostgreSQL', hasPostgres) ? Logins.skip : Logins

test(`of ${LOGINS} logins none is lost, and no code is used twice`, async () => {
  const random = randomFrom(34)
  const servers = await TwoServers.start(await newPostgresDatabase(), random)
  const wallet = await newWallet()
  const site = await siteOf(servers, 'shop')
  const codes = new Set<string>()
  const begunAgain: Record<Again, number> = {
    '/token: lost with a kill': 0,
    '/token: redeemed twice at once': 0,
  }
  try {
    for (let i = 0; i < LOGINS; i += BATCH) {
      const count = Math.min(BATCH, LOGINS - i)
      const batch = Array.from({ length: count }, (_, n) =>
        untilLoggedIn({
          servers,
          site,
          wallet,
          isRaced: n % 2 === 1,
          isHasty: n % 4 > 1,
          isPushed: n % 3 === 0,
        }),
      )
      await Promise.all([
        pause(random() * KILL_WITHIN_MS).then(() => servers.killOne()),
        ...batch.map(login =>
          login.then(({ code, lost }) => {
            for (const why of lost) begunAgain[why] += 1
            codes.add(code)
          }),
        ),
      ])
    }
  } finally {
    await servers.stop()
  }
  assert.is(codes.size, LOGINS)
  console.log(`${LOGINS} logins, ${servers.kills} kills, logins begun again: ${JSON.stringify(begunAgain)}`)
})

type Login = {
  readonly servers: TwoServers
  readonly site: client.Configuration
  readonly wallet: Wallet
  /** true: the site redeems the code twice at the same time */
  readonly isRaced: boolean
  /** true: the browser sends each call that opens a page, or ends the login, twice at the same time */
  readonly isHasty: boolean
  /** true: the site pushes its authorization request */
  readonly isPushed: boolean
}

/** Why a user began again: the step of the login, and the cause. */
type Again = '/token: lost with a kill' | '/token: redeemed twice at once'

type Done = { readonly code: string; readonly lost: readonly Again[] }

/** The user begins again until the site has its tokens.
 *  @throws {Error} for every other end of a login */
async function untilLoggedIn(given: Login): Promise<Done> {
  const lost: Again[] = []
  for (;;) {
    const { code, why } = await login(given)
    if (why === null) return { code, lost }
    lost.push(why)
  }
}

/** @returns the code, which was used once, and why the user begins again; null: the site has its tokens
 *  @throws {Error} if a step before `/token` loses the login */
async function login({ servers, site, wallet, isRaced, isHasty, isPushed }: Login) {
  const asked = await begun(site)
  const url = isPushed ? await client.buildAuthorizationUrlWithPAR(site, asked.url.searchParams) : asked.url
  const browser = browserOf(isHasty ? { reach: twiceAtOnce(servers) } : servers)
  const { at } = await pageOf(browser, url)
  const outcome = await answered(servers, { wallet, pointer: await codeOf(browser, at), browser, at })
  if (outcome.status !== 'success')
    throw new Error(`expected an answer of the wallet, got ${JSON.stringify(outcome)}`)
  const back = await returned(browser, at)
  const code = back.searchParams.get('code')
  if (code === null) throw new Error(`expected a code, got ${back.searchParams.get('error')}`)
  const why = await (isRaced
    ? redeemTwice(servers, code, asked.verifier)
    : redeemOnce(servers, site, back, asked))
  assert.is(await redeem(servers, code, asked.verifier), 400, 'a code was used twice')
  return { code, why }
}

/** A second code would end the first one, so the call for a code is made once. */
const MADE_ONCE = /\/session$/

/** @returns the later of both answers: the browser has given up the first call */
function twiceAtOnce({ reach }: TwoServers): typeof fetch {
  return async (url, init) => {
    const first = MADE_ONCE.test(String(url)) ? null : reach(url, init)
    const [, later] = await Promise.all([first, reach(url, init)])
    return later
  }
}

async function redeemOnce(
  servers: TwoServers,
  site: client.Configuration,
  back: URL,
  asked: Begun,
): Promise<Again | null> {
  const kills = servers.isWhole ? servers.kills : null
  try {
    const tokens = await tokensOf(site, back, asked)
    const { sub = '' } = tokens.claims() ?? {}
    const { over18 } = await client.fetchUserInfo(site, tokens.access_token, sub)
    assert.is(over18, true)
    return null
  } catch (error) {
    const isUsed = error instanceof client.ResponseBodyError && error.error === 'invalid_grant'
    if (!isUsed || servers.kills === kills) throw error
    return '/token: lost with a kill'
  }
}

/** Two calls at the same time, at either node. The later one may end the tokens of the first. */
async function redeemTwice(servers: TwoServers, code: string, verifier: string): Promise<Again | null> {
  const statuses = await Promise.all([redeem(servers, code, verifier), redeem(servers, code, verifier)])
  const used = statuses.filter(status => status === 200).length
  assert.ok(used <= 1, 'a code was used twice at the same time')
  if (used === 1) return null
  assert.equal(statuses, [400, 400])
  return '/token: redeemed twice at once'
}

async function redeem({ reach }: TwoServers, code: string, verifier: string): Promise<number> {
  const form = { grant_type: 'authorization_code', redirect_uri: BACK_OF_SHOP, code_verifier: verifier, code }
  const basic = Buffer.from(`shop:${encodeURIComponent(SECRETS.shop)}`).toString('base64')
  const { status } = await reach(`${ISSUER}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams(form),
  })
  return status
}

Logins.run()
