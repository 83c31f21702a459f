/** The timestamp server of the demo (spec/cryptography#8.3), called like wallets and session servers do. @module */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const NOW_SEC = 1_795_260_840
const EXPIRES_AT_SEC = Date.UTC(2046, 0, 1) / 1000
const NONCE = Buffer.alloc(32, 7)

type Answer = {
  readonly Error: string | null
  readonly Stamp: {
    readonly Time: number
    readonly ServerUrl: string
    readonly Sig: { readonly Alg: string; readonly Data: string; readonly PublicKey: string }
  }
  readonly Info: null
}

const Stamps = suite('demo: timestamp server')
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const clock = createSimulatedClock(NOW_SEC * 1000 + 999)
const server = createTimestampServer({ clock, key: privateKey, expiresAtSec: EXPIRES_AT_SEC })
const address = await server.listen(0, '127.0.0.1')

function ask(body: unknown): Promise<Response> {
  return fetch(address, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
}

const asWallets = (nonce: Buffer) => ({
  Nonce: nonce.toString('base64'),
  ProofOfWork: null,
  Time: null,
  PreferredSigAlg: 'ed25519',
})

Stamps('a stamp is an Ed25519 signature over the time, as 8 bytes, and the nonce', async () => {
  const response = await ask(asWallets(NONCE))
  assert.is(response.headers.get('content-type'), 'application/json')
  const text = await response.text()
  assert.match(
    text,
    /^\{"Error":null,"Stamp":\{"Time":\d+,"ServerUrl":.*,"Sig":\{"Alg":.*\}\},"Info":null\}$/,
  )
  const { Stamp }: Answer = JSON.parse(text)
  const { Alg, Data, PublicKey } = Stamp.Sig
  assert.equal([Stamp.Time, Stamp.ServerUrl, Alg], [NOW_SEC, address, 'ed25519'])
  const x = Buffer.from(PublicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  assert.ok(key.equals(publicKey))
  const time = Buffer.from(NOW_SEC.toString(16).padStart(16, '0'), 'hex')
  assert.ok(verify(null, Buffer.concat([time, NONCE]), key, Buffer.from(Data, 'base64')))
})

Stamps('its own key is trusted until it expires, and no other', async () => {
  const { Stamp }: Answer = JSON.parse(await (await ask(asWallets(NONCE))).text())
  const pk = Buffer.from(Stamp.Sig.PublicKey, 'base64').toString('hex')
  const asked = async (query: string) => (await fetch(`${address}checkPublicKey${query}`)).text()
  const trusted = '{"Trusted":true,"Expires":"2046-01-01T00:00:00Z"}'
  assert.is(await asked(`?alg=ed25519&pk=${pk}`), trusted)
  for (const query of [`?alg=xmssmt&pk=${pk}`, `?alg=ed25519&pk=${'00'.repeat(32)}`, '?alg=ed25519', ''])
    assert.is(await asked(query), '{"Trusted":false,"Expires":"1970-01-01T00:00:00Z"}')
})

Stamps('a malformed request gets no timestamp', async () => {
  for (const body of [
    'no JSON',
    '',
    {},
    asWallets(NONCE.subarray(1)),
    asWallets(Buffer.alloc(33)),
    { ...asWallets(NONCE), Time: NOW_SEC - 3600 },
    { ...asWallets(NONCE), Nonce: 'not Base64' },
  ]) {
    const response = await ask(body)
    const answer: Answer = JSON.parse(await response.text())
    assert.equal([response.status, answer.Stamp, answer.Info], [400, null, null])
    assert.match(String(answer.Error), 'expected JSON with a Nonce of 32 bytes')
  }
  assert.is((await ask(' '.repeat(5000))).status, 413)
  assert.is((await fetch(address)).status, 405)
  assert.is((await fetch(`${address}checkpublickey`)).status, 404)
})

Stamps('listen() rejects if the port is in use', async () => {
  const other = createTimestampServer({ clock, expiresAtSec: EXPIRES_AT_SEC })
  try {
    await other.listen(Number(new URL(address).port), '127.0.0.1')
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), 'EADDRINUSE')
  }
})

Stamps.after(() => server.close())
Stamps.run()
