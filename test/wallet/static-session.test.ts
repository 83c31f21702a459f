/** Printed pointers of static sessions (spec/session-server#16), and the allowed targets. @module */
import * as assert from 'uvu/assert'
import { answerSession, type SessionOutcome } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { suite } from '../suite.ts'
import { deps, newWallet } from './demo-wallets.ts'
import {
  type Answer,
  broken,
  type FakeServer,
  hastyClock,
  json,
  startFakeServer,
  text,
} from './fake-server.ts'
import { agreeToAll, assertFailed, irma, svc, WELL, wallet } from './play.ts'

const Static = suite('static sessions')

type Printed = { readonly outcome: SessionOutcome; readonly printed: FakeServer; readonly server: FakeServer }

/** @param answer of the printed address, given the address of a valid session */
async function follow(
  answer: (u: string) => Answer | readonly Answer[],
  { answering = wallet, signal }: { readonly answering?: Wallet; readonly signal?: AbortSignal } = {},
): Promise<Printed> {
  const server = await startFakeServer(irma.prefix, WELL)
  const printed = await startFakeServer(svc.prefix, { 'POST ': answer(server.u) })
  const pointer = JSON.stringify({ u: printed.u, svcqr: 'redirect' })
  const handlers = { ...agreeToAll, ...(signal && { signal }) }
  try {
    const given = { ...deps, wallet: answering, fetch, clock: hastyClock() }
    return { outcome: await answerSession(given, pointer, handlers), printed, server }
  } finally {
    await printed.close()
    await server.close()
  }
}

const leadsTo = (type: string) => (u: string) => json({ u, irmaqr: type })
const callsOf = ({ asked }: FakeServer): string[] => asked.map(({ call }) => call)

Static(
  'the wallet answers the session of the returned pointer, on another host or in another profile too',
  async () => {
    const { outcome, printed, server } = await follow(leadsTo('disclosing'))
    assert.is(outcome.status, 'success')
    assert.equal(callsOf(server), ['GET /', 'POST /proofs'])
    const [asked] = printed.asked
    assert.equal([callsOf(printed), asked?.body], [['POST '], '{}'])
    assert.is(asked?.headers['content-type'], 'application/json; charset=UTF-8')
    assert.is(asked?.headers.authorization, undefined, 'the secret of a session is sent only to its server')
  },
)

Static('a returned pointer of another static session is not followed', async () => {
  const { outcome, printed, server } = await follow(leadsTo('redirect'))
  assertFailed(outcome, 'invalid-pointer', /expected a session type of disclosing, signing, issuing/)
  assert.equal([callsOf(printed), callsOf(server)], [['POST '], []])
})

const WRONG: readonly (readonly [what: string, answer: Answer, reason: string, message: RegExp])[] = [
  ['no JSON', text('<html>'), 'malformed-answer', /the pointer of a session as JSON/],
  ['no pointer', json({}), 'invalid-pointer', /"svcqr" or "irmaqr"/],
  [
    'the address of a file',
    json({ u: 'file:///etc/passwd', svcqr: 'signing' }),
    'invalid-pointer',
    /http or https/,
  ],
  [
    'a long address',
    json({ u: `https://a/${'a'.repeat(10_000)}`, svcqr: 'signing' }),
    'invalid-pointer',
    /at most/,
  ],
  ['a redirect of HTTP', text('', 307), 'malformed-answer', /got 307/],
  ['an error', json({ error: 'INVALID_REQUEST' }, 400), 'server-error', /answered 400 INVALID_REQUEST/],
  ['too many bytes', text('9'.repeat(2 ** 24 + 1)), 'malformed-answer', /at most 16777216 bytes/],
]
for (const [what, answer, reason, message] of WRONG)
  Static(`an answer with ${what} ends the session`, async () => {
    const { outcome, server } = await follow(() => answer)
    assertFailed(outcome, reason, message)
    assert.equal(callsOf(server), [])
  })

Static('after a broken connection the call is repeated', async () => {
  const { outcome, printed } = await follow(u => [broken, leadsTo('disclosing')(u)])
  assert.is(outcome.status, 'success')
  assert.equal(callsOf(printed), ['POST ', 'POST '])
})

Static('if the user has walked away before, no call is made to the session', async () => {
  const { outcome, server } = await follow(leadsTo('disclosing'), { signal: AbortSignal.abort() })
  assert.is(outcome.status, 'cancelled')
  assert.equal(callsOf(server), [])
})

Static('plain HTTP needs developer mode, in the printed pointer and in the returned one', async () => {
  const careful = await newWallet(undefined, false)
  const { outcome, printed } = await follow(leadsTo('disclosing'), { answering: careful })
  assertFailed(outcome, 'insecure', /plain HTTP needs developer mode/)
  assert.equal(callsOf(printed), [])
  const asked: string[] = []
  const secure: typeof fetch = async url => {
    asked.push(String(url))
    return Response.json({ u: 'http://shop.example.test/svc/session/x', svcqr: 'disclosing' })
  }
  const pointer = JSON.stringify({ u: 'https://shop.example.test/svc/session/over18', svcqr: 'redirect' })
  const led = await answerSession(
    { ...deps, wallet: careful, fetch: secure, clock: hastyClock() },
    pointer,
    agreeToAll,
  )
  assertFailed(led, 'insecure', /plain HTTP needs developer mode/)
  assert.equal(asked, ['https://shop.example.test/svc/session/over18'])
  await careful.close()
})

Static.run()
