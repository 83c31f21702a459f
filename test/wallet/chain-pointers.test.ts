/** Forbidden pointers in a chain: each pointer is trusted as little as the first (spec/interface#5.3; spec/session-server#15). @module */
import * as assert from 'uvu/assert'
import { answerSession } from '../../libraries/wallet/session.ts'
import { suite } from '../suite.ts'
import { disclosing, FIRST, follow, NOTE, offering, startChain, withWallet } from './chain-play.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Answer, hastyClock, json, startFakeServer } from './fake-server.ts'
import { agreeToAll, assertFailed, connection, irma, requestOf } from './play.ts'

const Pointers = suite('pointers of a chain')

Pointers('an endless chain ends after ten sessions', () =>
  withWallet(async wallet => {
    const asked = disclosing([[['svc-demo.fast.note']]])({})
    const forever: Answer = (response, { headers }) => {
      const u = `http://${headers.host}/irma/session/TOKEN0123456789abcdef`
      json({ proofStatus: 'VALID', nextSession: { u, irmaqr: 'disclosing' } })(response)
    }
    const server = await startFakeServer(irma.prefix, { ...asked, 'POST /proofs': forever })
    const pointer = JSON.stringify({ u: server.u, irmaqr: 'disclosing' })
    const { outcome, calls, questions } = await follow(wallet, { pointer, servers: [server] })
    assertFailed(outcome, 'chain-too-long', /at most 10 sessions/)
    assert.is(questions.length, 10)
    assert.is(calls[0]?.filter(call => call === 'POST /proofs').length, 10)
    assert.equal(calls[0]?.slice(-2), ['POST /proofs', 'DELETE /'])
  }),
)

const BAD_POINTERS: readonly (readonly [what: string, nextSession: unknown, reason: string])[] = [
  ['of another type', { u: 'http://127.0.0.1:1/s', irmaqr: 'redirect' }, 'invalid-pointer'],
  ['without a type', { u: 'http://127.0.0.1:1/s' }, 'invalid-pointer'],
  ['to a file', { u: 'file:///etc/passwd', irmaqr: 'disclosing' }, 'invalid-pointer'],
  ['that is no object', 'https://shop.example.test', 'invalid-pointer'],
  ['with a password', { u: 'https://a:b@127.0.0.1/s', irmaqr: 'disclosing' }, 'invalid-pointer'],
]

for (const [what, nextSession, reason] of BAD_POINTERS)
  Pointers(`a pointer ${what} is not followed, and the credentials of the session before stay`, () =>
    withWallet(async wallet => {
      const server = await startFakeServer(irma.prefix, offering([NOTE])({ nextSession }))
      const pointer = JSON.stringify({ u: server.u, irmaqr: 'issuing' })
      const { outcome, calls } = await follow(wallet, { pointer, servers: [server] })
      assertFailed(outcome, reason, /^session 2 of a chain: /)
      assert.equal(calls, [['GET /', 'POST /commitments']])
      assert.ok(wallet.credentials().some(({ attributes }) => attributes[0]?.value === 'chained'))
    }),
  )

Pointers('a chain does not lead from HTTPS to plain HTTP without developer mode', async () => {
  const wallet = await newWallet(undefined, false)
  const asked: string[] = []
  const request = requestOf(irma, { disclose: [[['svc-demo.fast.note']]], devMode: undefined })
  const next = { u: 'http://shop.example.test/irma/session/other', irmaqr: 'disclosing' }
  const server = await startFakeServer(irma.prefix, {
    'GET /': json(connection(irma, { request })),
    'POST /proofs': json({ proofStatus: 'VALID', nextSession: next }),
  })
  const { origin } = new URL(server.u)
  const secure: typeof fetch = (url, init) => {
    asked.push(String(url))
    return fetch(String(url).replace('https://shop.example.test', origin), init)
  }
  const u = server.u.replace(origin, 'https://shop.example.test')
  const outcome = await answerSession(
    { ...deps, wallet, fetch: secure, clock: hastyClock() },
    JSON.stringify({ u, irmaqr: 'disclosing' }),
    agreeToAll,
  )
  assertFailed(outcome, 'insecure', /^session 2 of a chain: shop\.example\.test: plain HTTP/)
  assert.ok(asked.every(url => url.startsWith('https://shop.example.test/')))
  await server.close()
  await wallet.close()
})

Pointers('if a chain leads to another host, the question to the user names that host', () =>
  withWallet(async wallet => {
    const chain = await startChain([disclosing(FIRST), disclosing([[['svc-demo.fast.note']]])], [])
    const { questions } = await follow(wallet, chain)
    assert.equal(
      questions.map(({ requestorHost }) => requestorHost),
      chain.servers.map(({ u }) => new URL(u).host),
    )
    const secrets = chain.servers.map(({ asked }) => asked[0]?.headers.authorization)
    assert.is.not(secrets[0], secrets[1])
  }),
)

Pointers('a next session is not followed if the proofs were not VALID', () =>
  withWallet(async wallet => {
    const nextSession = { u: 'http://127.0.0.1:1/s', irmaqr: 'disclosing' }
    const server = await startFakeServer(irma.prefix, {
      ...disclosing(FIRST)({}),
      'POST /proofs': json({ proofStatus: 'EXPIRED', nextSession }),
    })
    const pointer = JSON.stringify({ u: server.u, irmaqr: 'disclosing' })
    const { outcome } = await follow(wallet, { pointer, servers: [server] })
    assertFailed(outcome, 'not-valid', /^the server found the proofs EXPIRED$/)
  }),
)

Pointers.run()
