/** Whole logins at two processes of `svc oidc` on one PostgreSQL database, while either of them is killed. Browser, site and wallet app repeat each call that gets no
 *  answer, at either node. A login that a kill has broken is begun again by its user. For a longer run: `LOGINS=500 node dist/test/faults/oidc/logins.test.js` after
 *  a build. @module */
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { numberGiven } from '../../number-given.ts'
import { pause } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import {
  BACK_OF_SHOP,
  type Begun,
  begun,
  loggedIn,
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
/** A kill comes at most so long after the beginning of its logins. */
const KILL_WITHIN_MS = 1_500

const Logins = suite('logins at two nodes of svc oidc that are killed')
const test = isMissing('PostgreSQL', hasPostgres) ? Logins.skip : Logins

test(`of ${LOGINS} logins none is lost, and no code is used twice`, async () => {
  const random = randomFrom(34)
  const servers = await TwoServers.start(await newPostgresDatabase(), random)
  const wallet = await newWallet()
  const site = await siteOf(servers, 'shop')
  const codes = new Set<string>()
  let begunAgain = 0
  try {
    for (let i = 0; i < LOGINS; i += BATCH) {
      const count = Math.min(BATCH, LOGINS - i)
      const batch = Array.from({ length: count }, (_, n) =>
        untilLoggedIn({ servers, site, wallet, isRaced: n % 2 === 1 }),
      )
      await Promise.all([
        pause(random() * KILL_WITHIN_MS).then(() => servers.killOne()),
        ...batch.map(login =>
          login.then(({ code, tries }) => {
            begunAgain += tries - 1
            codes.add(code)
          }),
        ),
      ])
    }
  } finally {
    await servers.stop()
  }
  assert.is(codes.size, LOGINS)
  console.log(`${LOGINS} logins, ${servers.kills} kills, ${begunAgain} logins begun again`)
})

type Login = {
  readonly servers: TwoServers
  readonly site: client.Configuration
  readonly wallet: Wallet
  /** true: the site redeems the code twice at the same time */
  readonly isRaced: boolean
}

type Done = { readonly code: string; readonly tries: number }

/** @throws {Error} if a login breaks off without a kill */
async function untilLoggedIn(given: Login): Promise<Done> {
  const { servers } = given
  for (let tries = 1; ; tries++) {
    const kills = servers.isWhole ? servers.kills : null
    try {
      return { code: await login(given), tries }
    } catch (error) {
      if (error instanceof assert.Assertion || servers.kills === kills) throw error
    }
  }
}

/** @returns the code, which was used once */
async function login({ servers, site, wallet, isRaced }: Login): Promise<string> {
  const asked = await begun(site)
  const back = await loggedIn(servers, asked, { wallet })
  const code = back.searchParams.get('code')
  if (code === null) throw new Error(`expected a code, got ${back.searchParams.get('error')}`)
  await (isRaced ? redeemTwice(servers, code, asked.verifier) : redeemOnce(site, back, asked))
  assert.is(await redeem(servers, code, asked.verifier), 400, 'a code was used twice')
  return code
}

async function redeemOnce(site: client.Configuration, back: URL, asked: Begun): Promise<void> {
  const tokens = await tokensOf(site, back, asked)
  const { sub = '' } = tokens.claims() ?? {}
  const { over18 } = await client.fetchUserInfo(site, tokens.access_token, sub)
  assert.is(over18, true)
}

/** Two calls at the same time, at either node. */
async function redeemTwice(servers: TwoServers, code: string, verifier: string): Promise<void> {
  const statuses = await Promise.all([redeem(servers, code, verifier), redeem(servers, code, verifier)])
  const used = statuses.filter(status => status === 200).length
  assert.ok(used <= 1, 'a code was used twice at the same time')
  if (used === 0) throw new Error(`expected one use of a code, got ${statuses}`)
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
