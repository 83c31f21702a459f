/** spec/laws#6 for the inspector. Whole sessions and the whole life of an account pass two relays, one before the session server and one before the keyshare server.
 *  Meanwhile the test records both feeds. No message of a feed contains a token, PIN, code, attribute value, address, key, proof or JWT that passed a relay. */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import { changePin } from '../../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { answerSession } from '../../../libraries/wallet/session.ts'
import { createWallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { withPage } from '../../http/account-page/harness.ts'
import { relayTo } from '../../relay.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as walletDeps } from '../../wallet/demo-wallets.ts'
import { typing } from '../../wallet/keyshare/registered.ts'
import { schemesWith } from '../../wallet/support.ts'
import { depsOf, PIN, SCHEME, startNode } from './node.ts'
import { create, REQUESTOR_TOKEN, receiver, startSessions, watching } from './watched.ts'

const NUMBER = '881234500776'
const NOTE = 'a note in purple'
const MESSAGE = 'We agree about zebras.'
const ADDRESS = 'zebra@stripes.example'
const NEW_PIN = '54321'
const WRONG_PIN = '99999'
const LABEL = 'Your number at the bakery'
const SECRETS = [NUMBER, NOTE, MESSAGE, ADDRESS, REQUESTOR_TOKEN, LABEL]
const LOYALTY = { credential: 'svc-keyshare.shop.loyalty', attributes: { number: NUMBER } }
const PLAIN = { credential: 'svc-demo.fast.note', attributes: { text: NOTE } }
const SHOWN = [[['svc-keyshare.shop.loyalty.number']], [['svc-demo.fast.note.text']]]
const BASE = 'https://irma.app/ld/request'
const ISSUING = { '@context': `${BASE}/issuance/v2`, credentials: [LOYALTY, PLAIN] }
const DISCLOSING = {
  '@context': `${BASE}/disclosure/v2`,
  disclose: SHOWN,
  labels: { 0: { en: LABEL, nl: LABEL } },
}
const SIGNING = { '@context': `${BASE}/signature/v2`, disclose: SHOWN, message: MESSAGE }

/** All words in bodies, headers and paths that are too long to match by chance: tokens, keys, numbers, JWTs and their parts. */
function saidIn(bytes: readonly Buffer[]): ReadonlySet<string> {
  return new Set(bytes.flatMap(each => each.toString('latin1').match(/[\w+/=-]{16,}/g) ?? []))
}

/** @param said all messages of the feeds */
function assertNoneOf(secrets: Iterable<string>, said: string): void {
  for (const secret of secrets) assert.not(said.includes(secret), secret)
}

type Playing = Awaited<ReturnType<typeof startPlaying>>

async function startPlaying(inspection: Inspection) {
  const stamps = createTimestampServer({ clock: createSystemClock(), expiresAtSec: 4_000_000_000 })
  const stampedBy = await stamps.listen(0, '127.0.0.1')
  const schemes = schemesWith({ 'svc-keyshare': stampedBy, 'svc-demo': stampedBy }, { keyshareServers: true })
  let target = 0
  const toKeyshare = await relayTo(() => target)
  const keyshare = await startNode({ url: `http://127.0.0.1:${toKeyshare.port}` }, { inspection })
  target = keyshare.port
  const sessions = await startSessions(schemes, inspection)
  const shop = await receiver()
  const folder = join(temporaryFolder(), 'wallet')
  const wallet = await createWallet(folder, { developerMode: true }, { ...walletDeps, schemes })
  const relays = [toKeyshare, sessions.relay]
  return {
    sessions,
    shop,
    wallet,
    relays,
    deps: depsOf(wallet, toKeyshare.port),
    async close(): Promise<void> {
      await wallet.close()
      await Promise.all([sessions.close(), keyshare.close(), stamps.close()])
      for (const { close } of [...relays, shop]) close()
    },
  }
}

/** A session with pairing, and a wrong PIN before the right one. */
async function play(request: object, { sessions, shop, wallet, deps }: Playing): Promise<string> {
  const { pointer, token, frontend } = await create(sessions.call, request, shop.url)
  const options = { '@context': `${BASE}/frontendoptions/v1`, pairingMethod: 'pin' }
  assert.is((await frontend('options', options)).status, 200)
  wallet.tokens.clear()
  let shown = ''
  const pairing = (code: string): void => {
    shown = code
    void frontend('pairingcompleted', {})
  }
  const outcome = await answerSession(deps, pointer, { ...typing(WRONG_PIN, PIN), pairing })
  assert.is(outcome.status === 'failed' ? outcome.message : outcome.status, 'success')
  for (const path of ['result', 'result-jwt', 'getproof'])
    await (await sessions.call('GET', `session/${token}/${path}`)).text()
  return shown
}

const Secrets = suite('inspector: no message contains a secret')

Secrets('whole sessions of every type, with pairing, PINs and callbacks', async () => {
  const inspection = new Inspection(error => assert.unreachable(String(error)))
  const playing = await startPlaying(inspection)
  const { wallet, deps, relays } = playing
  const feeds = await watching(inspection)
  assert.is((await register(deps, SCHEME, { pin: PIN, email: '', language: 'nl' })).status, 'success')
  const { userName = '' } = wallet.accounts()[0] ?? {}
  const codes: string[] = []
  for (const request of [ISSUING, DISCLOSING, SIGNING]) codes.push(await play(request, playing))
  assert.equal(await changePin(deps, { oldPin: PIN, newPin: NEW_PIN }), { status: 'success' })
  const { page } = feeds
  await page.until(
    () => page.all('svc.step').filter(({ event }) => event.type === 'receiver.accepted').length === 3,
  )
  await playing.close()
  const said = await feeds.all()
  for (const known of ['server.signed', 'frontend.paired', 'server.refusedPin', 'server.changedPin', 'shop'])
    assert.ok(said.includes(known), `expected the search to find ${known}`)
  const wire = saidIn(relays.flatMap(({ received, sent }) => [received(), sent()]))
  assert.ok(wire.size > 150)
  for (const passed of [REQUESTOR_TOKEN, userName])
    assert.ok(relays.some(({ received }) => received().includes(passed)))
  assertNoneOf([...wire, ...SECRETS, userName], said)
  // digits may be part of any time
  for (const digits of [PIN, WRONG_PIN, NEW_PIN, ...codes])
    assert.not.match(said, new RegExp(`(?<!\\d)${digits}(?!\\d)`))
})

Secrets('the whole life of an account: addresses, links, visits and mails', async () => {
  const inspection = new Inspection(error => assert.unreachable(String(error)))
  let feeds: Awaited<ReturnType<typeof watching>> | null = null
  await withPage(
    async ({ sent, confirmed, loggedIn, settled }) => {
      feeds = await watching(inspection)
      const { id, userName } = await confirmed(ADDRESS)
      const browser = await loggedIn(ADDRESS)
      const { cookie } = browser
      await browser.get(`/account/en/accounts/${id}/delete`)
      await browser.submit('/delete', { understood: 'yes' })
      await settled()
      await feeds.page.until(
        () => feeds?.page.all('svc.step').some(({ event }) => event.type === 'owner.disabled') ?? false,
      )
      const said = await feeds.all()
      for (const known of [
        'owner.visited',
        'receiver.accepted',
        '"cause":"confirmation"',
        '"status":"disabled"',
      ])
        assert.ok(said.includes(known), `expected the search to find ${known}`)
      const texts = sent.map(mail => Buffer.from(`${mail.text} ${mail.html}`))
      assert.ok(texts.length >= 3)
      const tokens = sent.flatMap(({ text }) => text.match(/\b\w{20}\b/g) ?? [])
      assert.ok(tokens.length >= 2)
      assertNoneOf([ADDRESS, userName, cookie.split('=')[1] ?? cookie, ...tokens], said)
    },
    {},
    inspection,
  )
})
Secrets.run()
