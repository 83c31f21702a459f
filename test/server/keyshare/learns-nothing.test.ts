/** The data that a keyshare server receives in whole sessions. A relay records every byte. The test searches all readable data for disclosed attributes and for the
 *  verifiers (spec/interface#4.6; spec/keyshare-server#12.1, #21). */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { encodeAttribute } from '../../../crypto/attribute.ts'
import { bytesOf } from '../../../crypto/bytes.ts'
import { credentialTypeHash } from '../../../crypto/metadata.ts'
import { createTimestampServer } from '../../../demo/timestamp-server.ts'
import { register } from '../../../libraries/wallet/keyshare/register.ts'
import { answerSession } from '../../../libraries/wallet/session.ts'
import { createWallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { PROFILES, type Profile } from '../../../protocol/profiles.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { relayTo } from '../../relay.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deps as walletDeps } from '../../wallet/demo-wallets.ts'
import { typing } from '../../wallet/keyshare/registered.ts'
import { startRealServer } from '../../wallet/real-server.ts'
import { schemesWith } from '../../wallet/support.ts'
import { depsOf, PIN, SCHEME, startNode } from './node.ts'

/** The bytes, and all data in them in Base64 of either alphabet, also nested: the claims of a JWT, and the keys and numbers in the claims.
 *  @param depth number of levels of Base64 that are decoded */
function readable(bytes: Buffer, depth = 2): Buffer[] {
  const texts = bytes.toString('latin1').match(/[\w+/-]{6,}={0,2}/g) ?? []
  const decoded = depth === 0 ? [] : texts.flatMap(text => readable(Buffer.from(text, 'base64'), depth - 1))
  return [bytes, ...decoded]
}

/** The forms of a text: unchanged, in hexadecimal digits, and as the integer of an attribute, in bytes or in decimal digits. */
function formsOf(text: string): Buffer[] {
  const integer = encodeAttribute(text)
  const forms = [text, Buffer.from(text).toString('hex'), String(integer)]
  return [...forms.map(form => Buffer.from(form)), Buffer.from(bytesOf(integer))]
}

const holds = (parts: readonly Buffer[], form: Buffer): boolean => parts.some(part => part.includes(form))

const NUMBER = '881234500776'
const ADDRESS = 'zebra@stripes.example'
const NOTE = 'a note in purple'
const MESSAGE = 'We agree about zebras.'
const SHOP = 'https://bakery.example/thanks'
const LABEL = 'Your number at the bakery'
const SECRETS = [NUMBER, ADDRESS, NOTE, MESSAGE, SHOP, LABEL]
const TYPES = ['svc-keyshare.shop.loyalty', 'svc-keyshare.keyshare.mail', 'svc-demo.fast.note']
const SHOWN = [[[`${TYPES[0]}.number`]], [[`${TYPES[1]}.address`]], [[`${TYPES[2]}.text`]]]
const LOYALTY = { credential: TYPES[0], attributes: { number: NUMBER } }
const MAIL = { credential: TYPES[1], attributes: { address: ADDRESS } }
const PLAIN = { credential: TYPES[2], attributes: { text: NOTE } }
const FOR_SHOP = { clientReturnUrl: SHOP, labels: { 0: { en: LABEL, nl: LABEL } } }

/** Every type of session, with credentials of this scheme and of another one. */
const SESSIONS: readonly (readonly [SessionType, object])[] = [
  ['issuing', { credentials: [LOYALTY] }],
  ['issuing', { credentials: [MAIL, PLAIN], clientReturnUrl: SHOP }],
  ['disclosing', { disclose: SHOWN, ...FOR_SHOP }],
  ['signing', { disclose: SHOWN, message: MESSAGE, ...FOR_SHOP }],
  ['issuing', { disclose: SHOWN, credentials: [LOYALTY], ...FOR_SHOP }],
]

type Played = {
  /** all data that the keyshare server received, in all readable forms */
  readonly parts: readonly Buffer[]
  readonly userName: string
  /** addresses of the sessions, and of their server */
  readonly verifiers: readonly string[]
}

/** Registers, and then runs all sessions, each after a login of its own. */
async function playAll(profile: Profile): Promise<Played> {
  let target = 0
  const relay = await relayTo(() => target)
  const node = await startNode({ profile: profile.name, url: `http://127.0.0.1:${relay.port}` })
  target = node.port
  const stamps = createTimestampServer({ clock: createSystemClock(), expiresAtSec: 4_000_000_000 })
  const stampedBy = await stamps.listen(0, '127.0.0.1')
  const schemes = schemesWith({ 'svc-keyshare': stampedBy, 'svc-demo': stampedBy }, { keyshareServers: true })
  const sessions = await startRealServer(profile, schemes)
  const folder = join(temporaryFolder(), 'wallet')
  const wallet = await createWallet(folder, { developerMode: true }, { ...walletDeps, schemes })
  const deps = depsOf(wallet, relay.port)
  assert.is((await register(deps, SCHEME, { pin: PIN, email: '', language: 'nl' })).status, 'success')
  const verifiers = [sessions.url]
  for (const [type, body] of SESSIONS) {
    const { pointer, result } = await sessions.create(type, body)
    verifiers.push(JSON.parse(pointer).u)
    wallet.tokens.clear()
    const outcome = await answerSession(deps, pointer, typing(PIN))
    assert.is(outcome.status === 'failed' ? outcome.message : outcome.status, 'success')
    assert.is((await result()).proofStatus, 'VALID')
  }
  const { userName = '' } = wallet.accounts()[0] ?? {}
  await wallet.close()
  await Promise.all([sessions.close(), node.close(), stamps.close()])
  relay.close()
  return { parts: readable(relay.received()), userName, verifiers }
}

const Learns = suite('the data that a keyshare server receives')

for (const profile of [PROFILES.svc, PROFILES.irma])
  Learns(
    `contains neither attributes nor verifiers, in whole sessions of every type: profile ${profile.name}`,
    async () => {
      const { parts, userName, verifiers } = await playAll(profile)
      for (const known of [userName, 'svc-keyshare.shop-0', 'getResponse', 'auth_tok'])
        assert.ok(holds(parts, Buffer.from(known)), `expected the search to find ${known}`)
      const tokens = verifiers.slice(1).map(url => url.split('/').at(-1) ?? '')
      const names = ['bakery', 'loyalty', 'address', 'number', 'purple', 'zebra']
      for (const secret of [...SECRETS, ...TYPES, ...names, ...verifiers, ...tokens])
        for (const form of formsOf(secret)) assert.not(holds(parts, form), secret)
      for (const type of TYPES) assert.not(holds(parts, Buffer.from(credentialTypeHash(type), 'hex')), type)
    },
  )

Learns.run()
