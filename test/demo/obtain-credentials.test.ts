/** Wallets are filled by real issuance (spec/interface#2.5, #4.3): by a short-lived session server of this project, and the usual wallet. @module */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type DemoCredential, obtainCredentials } from '../../demo/obtain-credentials.ts'
import { DEMO_CREDENTIALS } from '../../demo/wallet-credentials.ts'
import { createWallet, type Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const clock = createSystemClock()
const deps = { schemes, clock, random: systemRandomness, log: pino({ level: 'silent' }), threads: 1 }

async function withWallet(test: (wallet: Wallet) => Promise<void>, developerMode = true): Promise<void> {
  const dir = join(temporaryFolder(), 'wallet')
  const walletDeps = { schemes, arithmetic: chooseArithmetic('auto'), clock, randomBytes }
  const wallet = await createWallet(dir, { developerMode }, walletDeps)
  await test(wallet).finally(() => wallet.close())
}

async function refused(credentials: readonly DemoCredential[], reason: RegExp): Promise<void> {
  await withWallet(async wallet => {
    const reasons: unknown[] = []
    await obtainCredentials(wallet, credentials, deps).catch(error => reasons.push(error))
    assert.match(String(reasons[0]), reason)
    assert.equal(wallet.credentials(), [])
  })
}

const Obtain = suite('demo credentials are issued')

Obtain(
  'the cards of svc wallet init --demo include a choice, an absent value and random blind attributes',
  () =>
    withWallet(async wallet => {
      await obtainCredentials(wallet, DEMO_CREDENTIALS, deps)
      const views = wallet.credentials()
      assert.equal(
        views.map(({ type }) => String(type)),
        DEMO_CREDENTIALS.map(({ type }) => type),
      )
      const addresses = views.filter(({ type }) => type === 'svc-demo.gov.address')
      assert.equal(
        addresses.map(({ attributes }) => attributes[2]?.value),
        ['bis', null],
      )
      for (const type of ['svc-demo.fast.lot', 'svc-demo.uni.ballot'])
        assert.match(
          views.find(view => view.type === type)?.attributes[1]?.value ?? '',
          /^[0-9a-zA-Z]{38,43}$/,
        )
      for (const { expiresAtSec, isExpired } of views) {
        assert.is(isExpired, false)
        assert.ok(expiresAtSec * 1000 > clock.now() + 4 * 365 * 24 * 3600_000)
      }
    }),
)

Obtain(
  'an unknown type or attribute, or a missing required one, is reported, and no card is added',
  async () => {
    const one = (type: string, attributes: Record<string, string>) => [{ type, attributes }]
    await refused(one('svc-demo.gov.crown', {}), /demo credentials: expected a session, got INVALID_REQUEST/)
    await refused(one('svc-demo.fast.note', { text: 'a', txet: 'b' }), /got INVALID_REQUEST/)
    await refused(one('svc-demo.fast.note', { extra: 'b' }), /got INVALID_REQUEST/)
  },
)

Obtain('a wallet without developer mode refuses the issuance', () =>
  withWallet(async wallet => {
    const reasons: unknown[] = []
    await obtainCredentials(wallet, DEMO_CREDENTIALS.slice(0, 1), deps).catch(error => reasons.push(error))
    assert.match(String(reasons[0]), /demo credentials: insecure: .* needs developer mode/)
  }, false),
)

Obtain('an empty list of credentials starts no session', () =>
  withWallet(async wallet => {
    let asked = 0
    const counting = { ...systemRandomness, token: () => `token${++asked}` }
    await obtainCredentials(wallet, [], { ...deps, random: counting })
    assert.is(asked, 0)
  }),
)

Obtain.run()
