/** The client of requestors and frontends with a real server, and a wallet that answers. */

import { createPublicKey, createSecretKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  createFrontend,
  createRequestor,
  type RequestorAuth,
  ServerRefusalError,
  verifyResult,
  WaitTimeoutError,
} from '../../libraries/client.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { startService } from '../conformance/service.ts'
import { startSigningService } from '../conformance/signing-service.ts'
import { SHOP } from '../http/harness.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const OVER18 = 'svc-demo.gov.idcard.over18'
const DISCLOSURE = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[[OVER18]]],
} as const
const { service, publicKeyPem } = await startSigningService()
const requestor = createRequestor({ url: service.url })

/** A `fetch` without event streams. */
const withoutStreams: typeof fetch = (url, init) =>
  String(url).endsWith('statusevents') ? Promise.reject(new TypeError('no streams')) : fetch(url, init)

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.unreachable(),
    error => error,
  )
}

const Client = suite('the client')

Client('starts a session, waits for it, and reads its result, signed too', async () => {
  const { token, sessionPtr, frontendRequest } = await requestor.start(DISCLOSURE)
  const frontend = createFrontend({ sessionPtr, frontendRequest })
  const told: string[] = []
  const over = requestor.wait(token, {
    onChange(status) {
      told.push(status)
      if (status === 'INITIALIZED') service.answerPointer(frontend.qrCode)
    },
  })
  assert.equal([await over, await frontend.wait()], ['DONE', 'DONE'])
  assert.equal([told[0], told.at(-1)], ['INITIALIZED', 'DONE'])
  const result = await requestor.result(token)
  assert.is(result.proofStatus, 'VALID')
  assert.equal(
    result.disclosed?.flat().map(each => each?.rawvalue),
    ['yes'],
  )
})

Client('verifies a signed result, and refuses one of another key', async () => {
  const { token } = await requestor.start(DISCLOSURE)
  const jwt = await requestor.resultJwt(token)
  assert.is(await requestor.publicKey(), publicKeyPem)
  const iat = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).iat
  const currentDate = new Date(iat * 1_000) // the clock of the service does not advance by itself
  assert.equal(
    await verifyResult(jwt, { publicKey: publicKeyPem, issuer: 'demo server', currentDate }),
    await requestor.result(token),
  )
  const other = readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.public.pem'), 'utf8')
  for (const wrong of [{ publicKey: other }, { publicKey: publicKeyPem, issuer: 'another' }])
    assert.match(String(await refusalOf(verifyResult(jwt, { ...wrong, currentDate }))), /^JW/)
})

Client('polls the status if there are no event streams', async () => {
  const polling = createRequestor({ url: service.url, fetch: withoutStreams })
  const { token } = await polling.start(DISCLOSURE)
  const onChange = (status: string): void => void (status === 'INITIALIZED' && polling.cancel(token))
  assert.is(await polling.wait(token, { pollMs: 1, onChange }), 'CANCELLED')
})

Client('polls the status also if a stream sends a line that never ends', async () => {
  let pieces = 0
  const endless = new ReadableStream({
    pull: controller =>
      ++pieces > 1_000 ? new Promise(() => {}) : controller.enqueue(Buffer.alloc(1_024, 'a')),
  })
  const isStream = (init: RequestInit | undefined): boolean =>
    new Headers(init?.headers).get('accept') === 'text/event-stream'
  const polling = createRequestor({
    url: service.url,
    fetch: async (to, init) =>
      isStream(init)
        ? new Response(endless, { headers: { 'content-type': 'text/event-stream' } })
        : fetch(to, init),
  })
  const { token } = await polling.start(DISCLOSURE)
  const onChange = (status: string): void => void (status === 'INITIALIZED' && polling.cancel(token))
  assert.is(await polling.wait(token, { pollMs: 1, timeoutMs: 10_000, onChange }), 'CANCELLED')
})

Client('a wait ends with its signal, and at its time limit', async () => {
  const { token } = await requestor.start(DISCLOSURE)
  const reason = new Error('enough')
  assert.is(await refusalOf(requestor.wait(token, { signal: AbortSignal.abort(reason) })), reason)
  const stop = new AbortController()
  const waiting = requestor.wait(token, { signal: stop.signal, onChange: () => stop.abort(reason) })
  assert.is(await refusalOf(waiting), reason)
  assert.ok((await refusalOf(requestor.wait(token, { timeoutMs: 1 }))) instanceof WaitTimeoutError)
})

Client('a frontend turns pairing on, and lets the wallet app go on', async () => {
  for (const profile of ['svc', 'irma'] as const) {
    const paired = await startService({ profile })
    const { contextBase, minVersionHeader, maxVersionHeader } = PROFILES[profile]
    const started = await createRequestor({ url: paired.url }).start({
      '@context': `${contextBase}/ld/request/disclosure/v2`,
      disclose: [[[OVER18]]],
    })
    const frontend = createFrontend(started)
    assert.match((await frontend.setPairing('pin')).pairingCode ?? '', /^[0-9]{4}$/)
    const versions = { [minVersionHeader]: '2.8', [maxVersionHeader]: '2.8', Authorization: 'app' }
    await fetch(started.sessionPtr.u, { headers: versions })
    assert.is((await frontend.status()).status, 'PAIRING')
    await frontend.pairingCompleted()
    assert.is((await frontend.status()).status, 'CONNECTED')
    await frontend.cancel()
    assert.is(await frontend.wait(), 'CANCELLED')
    await paired.close()
  }
})

Client('a requestor authenticates with its token or a signature, and a refusal has its type', async () => {
  const pem = (name: string): string => readFileSync(join(PROJECT, 'test/vectors/keys', name), 'utf8')
  const secret = Buffer.alloc(32, 7)
  const perms = { ...SHOP, disclosePerms: ['*'], signPerms: ['*'], hostPerms: [] }
  const own = await startService({
    noAuth: false,
    requestors: [
      { ...perms, name: 'token' },
      { ...perms, name: 'hmac', auth: { method: 'hmac', key: createSecretKey(secret) } },
      {
        ...perms,
        name: 'rsa',
        auth: { method: 'publickey', key: createPublicKey(pem('requestor-rs256.public.pem')) },
      },
    ],
    maxRequestAgeSec: 10 ** 9,
  })
  own.clock.advance(Math.max(0, Date.now() - own.clock.wallNow()) + 1_000) // jose uses only the clock of the system
  const ways: RequestorAuth[] = [
    { method: 'token', token: 'token-of-the-shop' },
    { method: 'hmac', name: 'hmac', key: secret },
    { method: 'publickey', name: 'rsa', key: pem('requestor-rs256.private.pem') },
  ]
  for (const auth of ways) {
    const { token } = await createRequestor({ url: own.url, auth }).start(DISCLOSURE)
    assert.is(token.length, 20)
    const signature = { '@context': 'https://svc.example/ld/request/signature/v2', message: 'x' } as const
    await createRequestor({ url: own.url, auth }).start({ request: signature, timeout: 60 })
  }
  const error = await refusalOf(
    createRequestor({ url: own.url, auth: { method: 'token', token: 'x' } }).start(DISCLOSURE),
  )
  assert.ok(error instanceof ServerRefusalError)
  assert.equal([error.status, error.type], [403, 'UNAUTHORIZED'])
  await own.close()
})

Client.after(() => service.close())
Client.run()
