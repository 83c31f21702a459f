import * as assert from 'uvu/assert'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { NOTE, OVER18 } from './requests.ts'
import { startService } from './service.ts'
import { startSigningService } from './signing-service.ts'

const { service: svc, claimsOf } = await startSigningService()
const irma = await startService({ profile: 'irma' })

const Legacy = suite('spec/interface#9.4: the form before conjunctions')

const AGE = { label: 'Age', attributes: [OVER18] }
const LEGACY = {
  disclosing: { type: 'disclosing', content: [AGE, { label: 'Note', attributes: { [NOTE]: 'hello' } }] },
  signing: { type: 'signing', content: [AGE], message: 'I agree' },
  issuing: {
    type: 'issuing',
    disclose: [AGE],
    credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'a' } }],
  },
} as const

Legacy(
  '9.4 legacy requests: every type, bare and extended, begins a session that wallets of any version answer',
  async () => {
    for (const [type, request] of Object.entries(LEGACY))
      for (const body of [request, { validity: 60, request }])
        for (const version of [undefined, '2.4', '2.5'] as const) {
          const session = await svc.create(body)
          assert.is(Object(session.package.json).sessionPtr.svcqr, type)
          const { outcome } = await svc.answer(session, version ? { version } : {})
          assert.is(outcome.status, 'success')
        }
  },
)

Legacy('9.4 legacy requests: as today they reach the app, with each label in both languages', async () => {
  const session = await svc.create(LEGACY.disclosing)
  const { request } = (await svc.answer(session)).call('GET', '/').got
  assert.equal(request.disclose, [[[OVER18]], [[{ type: NOTE, value: 'hello' }]]])
  assert.equal(request.labels, { 0: { en: 'Age', nl: 'Age' }, 1: { en: 'Note', nl: 'Note' } })
})

Legacy(
  '9.4 legacy results: a flat list of the first attribute of each item, nothing else differs',
  async () => {
    for (const request of Object.values(LEGACY)) {
      const session = await svc.create(request)
      await svc.answer(session)
      const result: Json = (await svc.get(`${session.requestor}/result`)).json
      assert.equal([result.status, result.proofStatus, result.type], ['DONE', 'VALID', request.type])
      const ids = result.disclosed.map(({ id }: Json) => id)
      assert.equal(ids, request.type === 'disclosing' ? [OVER18, NOTE] : [OVER18])
      assert.is(result.disclosed[0].rawvalue, 'yes')
      assert.is(Boolean(result.signature), request.type === 'signing')
    }
  },
)

Legacy('9.4 legacy results: in profile irma as those of today', async () => {
  const session = await irma.create(LEGACY.disclosing)
  await irma.answer(session)
  const { disclosed }: Json = (await irma.get(`${session.requestor}/result`)).json
  assert.equal(
    disclosed.map((item: Json) => item.map(({ id }: Json) => id)),
    [[OVER18], [NOTE]],
  )
})

Legacy('9.4 legacy requests: what is neither form is refused', async () => {
  for (const body of [
    {},
    { type: 'verifying', content: [AGE] },
    { type: 'disclosing' },
    { type: 'disclosing', content: [] },
  ]) {
    const { status, json } = await svc.post(body)
    assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
  }
})

Legacy(
  '9.4 legacy results: flat in signed results, callbacks and what asks for a next session too',
  async () => {
    const extended = {
      callbackUrl: 'http://127.0.0.1/results',
      nextSession: { url: 'http://127.0.0.1/next' },
    }
    const session = await svc.create({ ...extended, request: LEGACY.disclosing })
    await svc.answer(session)
    await until(() => svc.callbacks.length > 0, 'a callback')
    const signed = [
      (await svc.get(`${session.requestor}/result-jwt`)).text,
      svc.callbacks[0]?.body ?? '',
      svc.posted[0]?.body ?? '',
    ]
    for (const jwt of signed) {
      const { sub, disclosed }: Json = claimsOf(jwt)
      assert.is(sub, 'verification_result')
      assert.equal(
        disclosed.map(({ id, rawvalue }: Json) => [id, rawvalue]),
        [
          [OVER18, 'yes'],
          [NOTE, 'hello'],
        ],
      )
    }
    const { attributes }: Json = claimsOf((await svc.get(`${session.requestor}/getproof`)).text)
    assert.equal(attributes, { [NOTE]: 'hello', [OVER18]: 'yes' })
  },
)

Legacy.after(async () => {
  for (const service of [svc, irma]) await service.close()
})

Legacy.run()
