/** A wallet follows chained sessions (spec/interface#2.9; spec/session-server#15, spec/cryptography#12.4). @module */
import * as assert from 'uvu/assert'
import type { SessionHandlers } from '../../libraries/wallet/session.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { suite } from '../suite.ts'
import {
  type Answers,
  CHALLENGE,
  disclosing,
  FIRST,
  follow,
  NOTE,
  offering,
  startChain,
  withWallet,
} from './chain-play.ts'
import { disclosedBy, shownBy } from './demo-wallets.ts'
import { json, text } from './fake-server.ts'
import type { Requested } from './issuer.ts'
import { agreeToAll, assertFailed, PAIRING, refuse } from './play.ts'
import { NOW_SEC, WEEK_SEC } from './support.ts'

const cityChosen: SessionHandlers = {
  consent: async ({ candidates: { items } }) => ({
    answer: 'disclose',
    choices: items.map(({ candidates }) => candidates.length - 1),
  }),
}

const Chain = suite('chained sessions (spec/session-server#15)')

Chain('three sessions are followed; earlier attributes are disclosed again, after the requested ones', () =>
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

Chain('an item that was left empty stays empty in later sessions', () =>
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

Chain('a credential that the chain has replaced is disclosed again only if the values are the same', () =>
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

Chain('if a later session is refused, the outcome of earlier ones stays', () =>
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

Chain('a failure has the number of its session, and only that session is cancelled', () =>
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

Chain('a later session may have pairing', () =>
  withWallet(async wallet => {
    const paired = (): Answers => ({ ...PAIRING, 'GET /status': json('CONNECTED') })
    const codes: string[] = []
    const chain = await startChain([disclosing(FIRST), paired], [])
    const { outcome } = await follow(wallet, chain, { ...agreeToAll, pairing: code => codes.push(code) })
    assert.is(outcome.status, 'success')
    assert.equal(codes, ['0042'])
  }),
)

Chain.run()
