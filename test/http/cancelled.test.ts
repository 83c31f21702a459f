/** A session cancelled by the user does not reveal whether the user lacked the attributes or refused (spec/interface#2.8, #7): everything that a requestor and
 *  a frontend can read, and every call that the server saw, is the same to the byte. The wallet library answers for each user. @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { answerSession } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { suite } from '../suite.ts'
import { deps, newWallet, RECORDED } from '../wallet/demo-wallets.ts'
import { OVER18, type ServerOfTest, sessionIn, withServer } from './harness.ts'

const resultSigner = {
  issuer: 'a server',
  privateKey: createPrivateKey(readFileSync('test/vectors/keys/session-jwt.private.pem')),
  publicKeyPem: '',
}
const BASE = 'https://svc.example/ld/request'
const disclose = [[[OVER18]]]
const REQUESTS = {
  disclosing: { '@context': `${BASE}/disclosure/v2`, disclose },
  signing: { '@context': `${BASE}/signature/v2`, message: 'm', disclose },
  issuing: {
    '@context': `${BASE}/issuance/v2`,
    credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
    disclose,
  },
}

const Cancelled = suite('a cancelled session (spec/interface#2.8)')

/** The facts that a requestor and a frontend can read of a session that this user refuses or cannot answer. */
async function traces(
  type: string,
  request: object,
  wallet: Wallet,
): Promise<{ readonly seen: string[]; readonly log: string[] }> {
  const seen: string[] = []
  const log: string[] = []
  await withServer({ settings: { resultSigner } }, async server => {
    const session = sessionIn(await server.post({ request }))
    const { requestor, app, frontend, authorization } = session
    const streams = [
      await server.open(`${requestor}/statusevents`),
      await server.open(`${app}/statusevents`),
      await server.open(`${frontend}/statusevents`, authorization),
    ]
    await refuse(server, `http://sessions.example:8088${app}`, type, wallet)
    for (const stream of streams)
      for (let frame = await stream.next(); frame !== null; frame = await stream.next()) seen.push(frame)
    for (const path of ['result', 'result-jwt', 'getproof', 'status'])
      seen.push((await server.call('GET', `${requestor}/${path}`)).text)
    seen.push((await server.call('GET', `${frontend}/status`, { headers: authorization })).text)
    const drawn = /"(?:time|pid)":\d+,?|"(?:trace|span)":"[0-9a-f]+",?/g
    log.push(...server.log.map(line => line.replace(drawn, '')))
  })
  return { seen, log }
}

/** A session of a user who refuses, or whose wallet lacks the attributes. */
async function refuse(server: ServerOfTest, u: string, type: string, wallet: Wallet): Promise<void> {
  const pointer = JSON.stringify({ u, svcqr: type })
  const here: typeof fetch = (url, init) =>
    fetch(String(url).replace('sessions.example:8088', `127.0.0.1:${server.port}`), init)
  const outcome = await answerSession({ ...deps, clock: createSystemClock(), wallet, fetch: here }, pointer, {
    consent: async () => ({ answer: 'refuse' }),
  })
  assert.is(outcome.status, 'cancelled')
}

for (const [type, request] of Object.entries(REQUESTS))
  Cancelled(`does not reveal whether the user refused or lacked the attributes: ${type}`, async () => {
    const [refused, lacking] = [
      await traces(type, request, await newWallet(RECORDED)),
      await traces(type, request, await newWallet([])),
    ]
    assert.equal(refused.seen, lacking.seen)
    assert.match(refused.seen.join('\n'), `"status":"CANCELLED","type":"${type}"}`)
    assert.equal(refused.log, lacking.log, 'the server saw the same calls')
  })

Cancelled.run()
