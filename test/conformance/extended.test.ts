import * as assert from 'uvu/assert'
import { settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { disclosure, issuance, note, OVER18, signature } from './requests.ts'
import { startSigningService } from './signing-service.ts'

const { service, claimsOf } = await startSigningService()
const NEXT = 'https://shop.example/next'
const Extended = suite('spec/interface#2.6: extended session requests')

Extended('2.6 validity: seconds from iat to exp of the signed result, 120 by default', async () => {
  for (const [members, expected] of [
    [{}, 120],
    [{ validity: 30 }, 30],
  ] as const) {
    const { requestor } = await service.create({ ...members, request: disclosure() })
    const { exp, iat } = claimsOf((await service.get(`${requestor}/result-jwt`)).text)
    assert.is(exp - iat, expected)
  }
})

Extended('2.6 timeout: seconds until TIMEOUT, 300 by default', async () => {
  for (const [members, seconds] of [
    [{}, 300],
    [{ timeout: 20 }, 20],
  ] as const) {
    const { requestor } = await service.create({ ...members, request: disclosure() })
    service.clock.advance(seconds * 1_000 - 1)
    assert.is((await service.get(`${requestor}/status`)).text, '"INITIALIZED"')
    service.clock.advance(1)
    assert.is((await service.get(`${requestor}/status`)).text, '"TIMEOUT"')
  }
})

Extended('2.6 callbackUrl: a string, empty by default; where the result is posted to', async () => {
  const before = service.callbacks.length
  assert.is((await service.post({ callbackUrl: 5, request: disclosure() })).status, 400)
  await service.answer(await service.create({ callbackUrl: '', request: disclosure() }))
  const callbackUrl = 'https://shop.example/done?order=5'
  const session = await service.create({ callbackUrl, request: disclosure() })
  await settle()
  assert.is(service.callbacks.length, before)
  await service.answer(session)
  while (service.callbacks.length === before) await settle() // a separate thread signs
  assert.equal(
    service.callbacks.slice(before).map(({ url }) => url),
    [callbackUrl],
  )
})

Extended(
  '2.6 nextSession: the result is posted to its url, and the answer is the request that follows',
  async () => {
    service.nextAnswers.push({ status: 200, text: JSON.stringify(issuance({ credentials: [note()] })) })
    const session = await service.create({ request: disclosure(), nextSession: { url: NEXT } })
    const { outcome } = await service.answer(session)
    assert.equal([outcome.status, outcome.chainLink], ['success', 2])
    const posted = service.posted.at(-1)
    const { token, status, proofStatus, disclosed } = claimsOf(posted?.body ?? '')
    assert.equal([posted?.url, token, status, proofStatus], [NEXT, session.requestorToken, 'DONE', 'VALID'])
    assert.is(disclosed[0][0].id, OVER18)
    const { nextSession } = Object((await service.get(`${session.requestor}/result`)).json)
    const next = Object((await service.get(`/session/${nextSession}/result`)).json)
    assert.equal([next.type, next.status], ['issuing', 'DONE'])
  },
)

Extended('2.6 nextSession: absent by default, and nothing is posted', async () => {
  const before = service.posted.length
  const session = await service.create(disclosure())
  const { call } = await service.answer(session)
  assert.is(call('POST', '/proofs').got.nextSession, undefined)
  assert.is(service.posted.length, before)
})

Extended('2.6 request: required; a session request of any type', async () => {
  for (const request of [disclosure(), signature(), issuance()])
    assert.is((await service.post({ request })).status, 200)
  for (const body of [{ validity: 10 }, { request: null }, { request: 'x' }])
    assert.is((await service.post(body)).status, 400)
})

Extended.after(() => service.close())
Extended.run()
