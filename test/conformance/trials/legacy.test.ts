import * as assert from 'uvu/assert'
import { until } from '../../patience.ts'
import { suite } from '../../suite.ts'
import type { Json } from '../json.ts'
import { NOTE, OVER18 } from '../requests.ts'
import { startSigningService } from '../signing-service.ts'

const { service: svc, claimsOf } = await startSigningService()

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
  '9.4 legacy requests: every type, bare and extended, begins a session that older wallets answer',
  async () => {
    for (const [type, request] of Object.entries(LEGACY))
      for (const body of [request, { validity: 60, request }])
        for (const version of ['2.4', '2.5'] as const) {
          const session = await svc.create(body)
          assert.is(Object(session.package.json).sessionPtr.svcqr, type)
          const { outcome } = await svc.answer(session, { version })
          assert.is(outcome.status, 'success')
        }
  },
)

Legacy(
  '9.4 legacy results: flat also in signed results, callbacks and posts for a next session',
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

Legacy.after(() => svc.close())

Legacy.run()
