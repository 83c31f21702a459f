/** Chained sessions, as the wallet follows them (spec 2.9; session-server note 15, cryptography 12.4). @module */
import * as assert from 'uvu/assert'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { answerSession, type ConsentQuestion, type SessionHandlers } from '../../wallet/session.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { suite } from '../suite.ts'
import { deps, disclosedBy, newWallet, shownBy } from './demo-wallets.ts'
import { type Answer, type FakeServer, hastyClock, json, startFakeServer, text } from './fake-server.ts'
import { issuing, type Requested } from './issuer.ts'
import { agreeToAll, assertFailed, connection, irma, PAIRING, refuse, requestOf } from './play.ts'
import { NOW_SEC, WEEK_SEC } from './support.ts'

const CHALLENGE = { context: 1n, nonce: 0xce6c90d890ee907_03e780d338baf4d3en }
const IDCARD = 'svc-demo.gov.idcard'
const FIRST = [[[`${IDCARD}.over18`, `${IDCARD}.initials`]], [[], ['svc-demo.gov.address.city']]]
const NOTE: Requested = {
  credential: 'svc-demo.fast.note',
  attributes: { text: 'chained' },
  validity: NOW_SEC + 10 * WEEK_SEC,
}

type Answers = Readonly<Record<string, Answer | readonly Answer[]>>
type Next = { readonly u: string; readonly irmaqr: string }

/** Sessions of one chain, each a server of its own; they are started from the last to the first. */
async function startChain(
  sessions: readonly ((next: { readonly nextSession?: Next }) => Answers)[],
  types: readonly string[],
): Promise<{ readonly pointer: string; readonly servers: readonly FakeServer[] }> {
  const servers: FakeServer[] = []
  let next: { readonly nextSession?: Next } = {}
  for (const [i, session] of [...sessions.entries()].reverse()) {
    const server = await startFakeServer(irma.prefix, session(next))
    servers.unshift(server)
    next = { nextSession: { u: server.u, irmaqr: types[i] ?? 'disclosing' } }
  }
  return { pointer: JSON.stringify(next.nextSession), servers }
}

const disclosing =
  (disclose: unknown, more: object = {}) =>
  (next: object): Answers => ({
    'GET /': json(connection(irma, { request: requestOf(irma, { disclose, ...more }) })),
    'POST /proofs': json({ proofStatus: 'VALID', ...next }),
    'DELETE /': text(''),
  })

const offering =
  (credentials: readonly Requested[]) =>
  (next: object): Answers => ({
    'GET /': json(
      connection(irma, { request: requestOf(irma, { disclose: undefined, credentials }, 'issuance') }),
    ),
    'POST /commitments': issuing(credentials, [], next),
    'DELETE /': text(''),
  })

async function follow(
  wallet: Wallet,
  chain: Awaited<ReturnType<typeof startChain>>,
  handlers: SessionHandlers = agreeToAll,
) {
  const questions: ConsentQuestion[] = []
  const outcome = await answerSession({ ...deps, wallet, fetch, clock: hastyClock() }, chain.pointer, {
    ...handlers,
    consent: question => {
      questions.push(question)
      return handlers.consent(question)
    },
  })
  await Promise.all(chain.servers.map(server => server.close()))
  const calls = chain.servers.map(({ asked }) => asked.map(({ call }) => call))
  const bodies = chain.servers.map(
    ({ asked }) => asked.find(({ call }) => call.startsWith('POST'))?.body ?? '',
  )
  return { outcome, questions, calls, bodies }
}

async function withWallet(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await newWallet()
  await test(wallet).finally(() => wallet.close())
}

const cityChosen: SessionHandlers = {
  consent: async ({ candidates: { items } }) => ({
    answer: 'disclose',
    choices: items.map(({ candidates }) => candidates.length - 1),
  }),
}

const Chain = suite('chained sessions (session-server note 15)')

Chain('three sessions are followed at once; what was disclosed is disclosed again, after what is asked', () =>
  withWallet(async wallet => {
    const chain = await startChain(
      [disclosing(FIRST), offering([NOTE]), disclosing([[['svc-demo.uni.student.level']]])],
      ['disclosing', 'issuing', 'disclosing'],
    )
    const { outcome, questions, calls, bodies } = await follow(wallet, chain, cityChosen)
    assert.equal(outcome, { status: 'success', proofStatus: 'VALID', chainLink: 3, clientReturnUrl: null })
    assert.equal(calls, [
      ['GET /', 'POST /proofs'],
      ['GET /', 'POST /commitments'],
      ['GET /', 'POST /proofs'],
    ])
    assert.equal(
      questions.map(({ kind, candidates }) => [kind, candidates.items.length]),
      [
        ['disclosing', 2],
        ['issuing', 2],
        ['disclosing', 3],
      ],
    )
    const first = disclosedBy(bodies[0] ?? '', CHALLENGE)
    assert.equal(
      first.map(item => item.map(({ value }) => value)),
      [['no', 'C.'], ['Utrecht']],
    )
    const { proofs, indices } = parseCommitmentMessage(bodies[1] ?? '')
    const again = proofs.flatMap(each => (each.kind === 'disclosure' ? [each.proof] : []))
    assert.equal(shownBy(again, indices), first)
    const last = disclosedBy(bodies[2] ?? '', CHALLENGE)
    assert.equal(last, [[{ id: 'svc-demo.uni.student.level', value: 'master' }], ...first])
    assert.ok(wallet.credentials().some(({ attributes }) => attributes[0]?.value === 'chained'))
  }),
)

Chain('an item that was left empty stays empty', () =>
  withWallet(async wallet => {
    const chain = await startChain([disclosing(FIRST), disclosing([[['svc-demo.fast.note']]])], [])
    const { bodies } = await follow(wallet, chain)
    const { indices } = parseDisclosureMessage(bodies[1] ?? '')
    assert.equal(
      indices.map(({ length }) => length),
      [1, 2, 0],
    )
  }),
)

Chain('a credential that a session of the chain replaced is shown again only with the same values', () =>
  withWallet(async wallet => {
    const asked = disclosing([[['svc-demo.gov.registration.over18']]])
    const renewed = (over18: string): Requested => ({
      credential: 'svc-demo.gov.registration',
      attributes: { number: '8', over18 },
      validity: NOW_SEC + 10 * WEEK_SEC,
    })
    const last = disclosing([[['svc-demo.fast.note']]])
    const types = ['disclosing', 'issuing', 'disclosing']
    const same = await follow(wallet, await startChain([asked, offering([renewed('yes')]), last], types))
    assert.is(same.outcome.status, 'success')
    const other = await follow(wallet, await startChain([asked, offering([renewed('no')]), last], types), {
      consent: async question =>
        question.candidates.isSatisfiable ? agreeToAll.consent(question) : { answer: 'refuse' },
    })
    assert.is(other.outcome.status, 'cancelled')
    assert.is(other.outcome.chainLink, 3)
    assert.equal(other.questions[2]?.candidates.items[1]?.missing, [['svc-demo.gov.registration.over18']])
  }),
)

Chain('refusing a later session leaves the earlier ones as they ended', () =>
  withWallet(async wallet => {
    const chain = await startChain([offering([NOTE]), disclosing(FIRST)], ['issuing', 'disclosing'])
    const handlers: SessionHandlers = {
      consent: question => (question.kind === 'issuing' ? agreeToAll : refuse).consent(question),
    }
    const { outcome, calls } = await follow(wallet, chain, handlers)
    assert.equal(outcome, { status: 'cancelled', chainLink: 2, clientReturnUrl: null })
    assert.equal(calls, [
      ['GET /', 'POST /commitments'],
      ['GET /', 'DELETE /'],
    ])
    assert.ok(wallet.credentials().some(({ attributes }) => attributes[0]?.value === 'chained'))
  }),
)

Chain('a failure says in which session, and only that one is cancelled', () =>
  withWallet(async wallet => {
    const failing = (): Answers => ({ 'GET /': json({ error: 'EXCEPTION' }, 500), 'DELETE /': text('') })
    const chain = await startChain([disclosing(FIRST), failing], [])
    const { outcome, calls } = await follow(wallet, chain)
    assertFailed(outcome, 'server-error', /^session 2 of a chain: the server answered 500 EXCEPTION$/)
    assert.is(outcome.chainLink, 2)
    assert.equal(calls, [
      ['GET /', 'POST /proofs'],
      ['GET /', 'DELETE /'],
    ])
  }),
)

Chain('the return address is that of the last session', () =>
  withWallet(async wallet => {
    const back = { clientReturnUrl: 'https://shop.example.test/back' }
    const ask = [[['svc-demo.fast.note']]]
    const forward = await follow(wallet, await startChain([disclosing(ask), disclosing(ask, back)], []))
    assert.is(forward.outcome.clientReturnUrl, back.clientReturnUrl)
    const none = await follow(wallet, await startChain([disclosing(ask, back), disclosing(ask)], []))
    assert.is(none.outcome.clientReturnUrl, null)
  }),
)

Chain('a later session may be paired too', () =>
  withWallet(async wallet => {
    const paired = (): Answers => ({ ...PAIRING, 'GET /status': json('CONNECTED') })
    const codes: string[] = []
    const chain = await startChain([disclosing(FIRST), paired], [])
    const { outcome } = await follow(wallet, chain, { ...agreeToAll, pairing: code => codes.push(code) })
    assert.is(outcome.status, 'success')
    assert.equal(codes, ['0042'])
  }),
)

Chain('a chain without end is left after ten sessions', () =>
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
  ['with a password', { u: 'https://a:b@127.0.0.1/s', irmaqr: 'disclosing' }, 'invalid-pointer'],
]

for (const [what, nextSession, reason] of BAD_POINTERS)
  Chain(`a pointer ${what} is not followed, and takes nothing from the session that brought it`, () =>
    withWallet(async wallet => {
      const server = await startFakeServer(irma.prefix, offering([NOTE])({ nextSession }))
      const pointer = JSON.stringify({ u: server.u, irmaqr: 'issuing' })
      const { outcome, calls } = await follow(wallet, { pointer, servers: [server] })
      assertFailed(outcome, reason, /^session 2 of a chain: /)
      assert.equal(calls, [['GET /', 'POST /commitments']])
      assert.ok(wallet.credentials().some(({ attributes }) => attributes[0]?.value === 'chained'))
    }),
  )

Chain('a pointer that is no object is an answer that is none', () =>
  withWallet(async wallet => {
    const server = await startFakeServer(irma.prefix, disclosing(FIRST)({ nextSession: 'https://x' }))
    const pointer = JSON.stringify({ u: server.u, irmaqr: 'disclosing' })
    const { outcome } = await follow(wallet, { pointer, servers: [server] })
    assertFailed(outcome, 'malformed-answer', /nextSession: expected an object/)
  }),
)

Chain('a chain does not lead from HTTPS to plain HTTP without developer mode', async () => {
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

Chain('a chain that leads to another host is asked about in the name of that host', () =>
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

Chain('a next session after proofs that are not valid is not followed', () =>
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

Chain.run()
