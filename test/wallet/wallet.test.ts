/** A wallet: its credentials, and which it accepts (cryptography 5, 6). @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { addDemoCredentials, DEMO_CREDENTIALS } from '../../wallet/demo-credentials.ts'
import { WalletError } from '../../wallet/errors.ts'
import { createWallet, openWallet } from '../../wallet/wallet.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { asking, NOW_SEC, WEEK_SEC } from './support.ts'

async function refused(promise: Promise<unknown>, reason: RegExp): Promise<void> {
  try {
    await promise
  } catch (error) {
    assert.instance(error, WalletError)
    assert.match(error instanceof Error ? error.message : '', reason)
    return
  }
  assert.unreachable('expected a refusal')
}

const Wallet = suite('wallet')
const wallet = await newWallet()
Wallet.after(() => wallet.close())

Wallet(
  'the demo credentials have a choice, an absent value, a random blind value and an expired one',
  async () => {
    const demo = await newWallet(DEMO_CREDENTIALS)
    const views = demo.credentials()
    assert.is(views.length, DEMO_CREDENTIALS.length)
    const addresses = views.filter(({ type }) => type === 'svc-demo.gov.address')
    assert.equal(
      addresses.map(({ attributes }) => attributes[2]),
      [
        { id: 'svc-demo.gov.address.addition', value: 'bis' },
        { id: 'svc-demo.gov.address.addition', value: null },
      ],
    )
    const lot = views.find(({ type }) => type === 'svc-demo.fast.lot')
    assert.match(lot?.attributes[1]?.value ?? '', /^[0-9a-zA-Z]{40,43}$/)
    assert.equal(
      views.filter(({ isExpired }) => isExpired).map(({ type }) => type),
      ['svc-demo.old.relic'],
    )
    const [idcard] = views
    const week = Math.floor(NOW_SEC / WEEK_SEC) * WEEK_SEC
    assert.is(idcard?.signedAtSec, week)
    assert.ok((idcard?.expiresAtSec ?? 0) > NOW_SEC + 4 * 365 * 24 * 3600)
    await demo.close()
  },
)

Wallet('an opened wallet has what the created one had', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await createWallet(dir, { developerMode: false }, deps)
  await addDemoCredentials(created, deps)
  await created.setDeveloperMode(true)
  const views = created.credentials()
  await created.close()
  const opened = await openWallet(dir, deps)
  assert.is(opened.dir, dir)
  assert.is(opened.developerMode, true)
  assert.equal(opened.credentials(), views)
  await opened.close()
})

Wallet('a credential whose scheme is not there is kept and not shown', async () => {
  const dir = join(temporaryFolder(), 'wallet')
  const created = await createWallet(dir, { developerMode: true }, deps)
  await addDemoCredentials(created, deps, DEMO_CREDENTIALS.slice(0, 1))
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

Wallet('a new instance of a singleton type takes the place of the old one', async () => {
  const own = await newWallet([])
  const registration = (number: string) => ({
    type: 'svc-demo.gov.registration',
    attributes: { number, over18: 'yes' },
  })
  await addDemoCredentials(own, deps, [registration('1'), DEMO_CREDENTIALS[0] ?? registration('x')])
  await addDemoCredentials(own, deps, [registration('2')])
  assert.equal(
    own.credentials().map(({ attributes }) => attributes[0]?.value),
    ['A.M.', '2'],
  )
  await own.close()
})

Wallet('a credential with a wrong signature is not kept, and none that came with it', async () => {
  const own = await newWallet([])
  const right: Parameters<typeof own.receive>[0][] = []
  await addDemoCredentials(
    { ...own, receive: async issue => void right.push(issue) },
    deps,
    DEMO_CREDENTIALS.slice(0, 2),
  )
  const [issue] = right
  if (!issue) throw new Error('nothing was issued')
  const wrong = own.receive(secretKey =>
    issue(secretKey).map((credential, i) =>
      i === 0 ? credential : { ...credential, attributes: credential.attributes.with(-1, 3n) },
    ),
  )
  await refused(wrong, /the signature of svc-demo.gov.address is not valid/)
  await refused(
    own.receive(secretKey => issue(secretKey + 1n)),
    /the signature of svc-demo.gov.idcard is not valid/,
  )
  await refused(
    own.receive(() => [{ attributes: [1n], signature: { A: 1n, e: 1n, v: 1n } }]),
    /not among the schemes/,
  )
  await refused(
    own.receive(() => [{ attributes: [], signature: { A: 1n, e: 1n, v: 1n } }]),
    /not among the schemes/,
  )
  assert.equal(own.credentials(), [])
  await own.close()
})

Wallet('more attributes than the type has are refused', async () => {
  const own = await newWallet([])
  const lengthened = {
    ...own,
    receive: (issue: Parameters<typeof own.receive>[0]) =>
      own.receive(secretKey =>
        issue(secretKey).map(each => ({ ...each, attributes: [...each.attributes, 0n] })),
      ),
  }
  const [idcard] = DEMO_CREDENTIALS
  await refused(
    addDemoCredentials(lengthened, deps, idcard ? [idcard] : []),
    /expected at most 5 attributes of svc-demo.gov.idcard/,
  )
  await own.close()
})

Wallet(
  'demo credentials of unknown types or attributes, or without a required one, are refused',
  async () => {
    const own = await newWallet([])
    const add = (type: string, attributes: Record<string, string>) =>
      addDemoCredentials(own, deps, [{ type, attributes }])
    await refused(add('svc-demo.gov.crown', {}), /expected the demo schemes and their private keys/)
    await refused(add('svc-demo.fast.note', { text: 'a', txet: 'b' }), /unknown attribute txet/)
    await refused(add('svc-demo.fast.note', { extra: 'b' }), /svc-demo.fast.note.text: expected a value/)
    await own.close()
  },
)

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
