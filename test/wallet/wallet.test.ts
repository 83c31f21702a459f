/** A wallet: its content, and its list of cards (spec/cryptography#5). @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { walletWith } from '../../libraries/testing/sign-credentials.ts'
import { openWallet } from '../../libraries/wallet/wallet.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { deps, newWallet, RECORDED } from './demo-wallets.ts'
import { asking } from './support.ts'

const Wallet = suite('wallet')
const wallet = await newWallet()
Wallet.after(() => wallet.close())

Wallet('a wallet that is opened again has the same credentials and settings', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await walletWith(dir, RECORDED, deps, false)
  await created.setDeveloperMode(true)
  const views = created.credentials()
  await created.close()
  const opened = await openWallet(dir, deps)
  assert.is(opened.dir, dir)
  assert.is(opened.developerMode, true)
  assert.equal(opened.credentials(), views)
  await opened.close()
})

Wallet('a credential of an unknown type stays in the wallet and is not listed', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await walletWith(dir, RECORDED.slice(0, 1), deps)
  await created.close()
  const blind = { ...deps, schemes: { ...deps.schemes, credentialTypeByHash: () => undefined } }
  const without = await openWallet(dir, blind)
  assert.equal(without.credentials(), [])
  await without.setDeveloperMode(false)
  await without.close()
  const again = await openWallet(dir, deps)
  assert.is(again.credentials().length, 1)
  await again.close()
})

Wallet('neither the list nor the candidates show the secret key or a signature', () => {
  const file = readFileSync(join(wallet.dir, 'wallet.json'), 'utf8')
  const secrets = [...file.matchAll(/"(?:secretKey|A|v)":"([^"]+)"/g)].map(match => match[1] ?? '')
  assert.ok(secrets.length > 10)
  const shown = JSON.stringify([
    wallet,
    wallet.credentials(),
    wallet.candidates(asking([[['gov.idcard.over18']]])),
  ])
  for (const secret of secrets) assert.not.ok(shown.includes(secret))
})

Wallet.run()
