import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { PlayOptions } from './app.ts'
import type { Json } from './json.ts'
import { disclosure, issuance, NOTE, OVER18, signature, WEEK_SEC } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'

const service = await startService()
const Result = suite('spec/interface#2.8: session results')

/** @returns the result of a session that the wallet answered */
async function resultOf(request: object, options: PlayOptions = {}): Promise<Json> {
  const session = await service.create(request)
  await service.answer(session, options)
  return (await service.get(`${session.requestor}/result`)).json
}

Result('2.8 token: the requestor token', async () => {
  const { requestor, requestorToken } = await service.create(disclosure())
  assert.is(Object((await service.get(`${requestor}/result`)).json).token, requestorToken)
})

Result('2.8 status: the current one', async () => {
  const { requestor, app } = await service.create(disclosure())
  const status = async (): Promise<Json> => Object((await service.get(`${requestor}/result`)).json).status
  assert.is(await status(), 'INITIALIZED')
  await service.call('DELETE', app)
  assert.is(await status(), 'CANCELLED')
})

Result('2.8 type: disclosing, signing or issuing', async () => {
  const types = [disclosure(), signature(), issuance()].map(async request => (await resultOf(request)).type)
  assert.equal(await Promise.all(types), ['disclosing', 'signing', 'issuing'])
})

Result('2.8 proofStatus VALID: the proofs are right and answer the request', async () => {
  for (const request of [disclosure(), signature(), issuance()]) {
    const { status, proofStatus } = await resultOf(request)
    assert.equal([status, proofStatus], ['DONE', 'VALID'])
  }
})

/** Adds one to the last byte. */
function changed(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes.writeUInt8((bytes.readUInt8(bytes.length - 1) + 1) % 256, bytes.length - 1)
  return bytes.toString('base64')
}

Result('2.8 proofStatus INVALID: a proof is wrong', async () => {
  const tamper = ({ proofs: [first, ...rest], ...body }: Json): Json => ({
    ...body,
    proofs: [{ ...first, e_response: changed(first.e_response) }, ...rest],
  })
  const { proofStatus, disclosed } = await resultOf(disclosure(), { tamper })
  assert.equal([proofStatus, disclosed], ['INVALID', undefined])
})

Result('2.8 proofStatus INVALID_TIMESTAMP: that of a signature is wrong', async () => {
  const tamper = ({ timestamp, ...body }: Json): Json => ({
    ...body,
    timestamp: { ...timestamp, Time: timestamp.Time - 1 },
  })
  assert.is((await resultOf(signature(), { tamper })).proofStatus, 'INVALID_TIMESTAMP')
})

Result('2.8 proofStatus UNMATCHED_REQUEST: the proofs are not about this request', async () => {
  const tamper = (body: Json): Json => ({ ...body, message: 'I agree to something else' })
  assert.is((await resultOf(signature(), { tamper })).proofStatus, 'UNMATCHED_REQUEST')
})

Result('2.8 proofStatus MISSING_ATTRIBUTES: the proofs lack requested attributes', async () => {
  const tamper = (body: Json): Json => ({ ...body, indices: [[]] })
  assert.is((await resultOf(disclosure(), { tamper })).proofStatus, 'MISSING_ATTRIBUTES')
})

Result('2.8 proofStatus EXPIRED: attributes had expired', async () => {
  const request = disclosure({ disclose: [[['svc-demo.uni.student.level']]] })
  const { proofStatus } = await resultOf(request, { at: (NOW_SEC - 20 * WEEK_SEC) * 1_000 })
  assert.is(proofStatus, 'EXPIRED')
})

Result('2.8 disclosed: the i-th list answers the i-th outer item', async () => {
  const disclose = [[[NOTE, 'svc-demo.fast.note.extra']], [[], ['svc-demo.gov.permit.kind']], [[OVER18]]]
  const { disclosed } = await resultOf(disclosure({ disclose }))
  assert.equal(
    disclosed.map((list: Json) => list.map((each: Json) => each.id)),
    [[NOTE, 'svc-demo.fast.note.extra'], [], [OVER18]],
  )
})

Result('2.8 signature: the whole signature, of signing sessions', async () => {
  const session = await service.create(signature())
  const { call } = await service.answer(session)
  const { signature: signed } = Object((await service.get(`${session.requestor}/result`)).json)
  const { timestamp: _, ...sent } = call('POST', '/proofs').sent
  const { timestamp, ...rest } = signed
  assert.equal(rest, sent)
  assert.is(timestamp.Time, NOW_SEC)
  assert.is((await resultOf(disclosure())).signature, undefined)
})

Result('2.8 error: of a session that failed', async () => {
  const { status, error, proofStatus } = await resultOf(disclosure(), { tamper: () => 'no message' })
  assert.is(status, 'CANCELLED')
  assert.match(error, /^MALFORMED_INPUT/)
  assert.is(proofStatus, undefined)
})

Result('2.8 before the end: token, status and type alone', async () => {
  const session = await service.create(disclosure())
  const read = async (): Promise<string[]> =>
    Object.keys(Object((await service.get(`${session.requestor}/result`)).json))
  assert.equal(await read(), ['token', 'status', 'type'])
  let connected: string[] = []
  await service.answer(session, {
    consent: async ({ candidates: { items } }) => {
      connected = await read()
      return { answer: 'disclose', choices: items.map(() => 0) }
    },
  })
  assert.equal(connected, ['token', 'status', 'type'])
})

Result(
  '2.8 attribute: status PRESENT, raw value, id, and value with the empty string as a language',
  async () => {
    const { disclosed } = await resultOf(disclosure())
    const [[{ issuancetime: _, ...attribute }]] = disclosed
    assert.equal(attribute, {
      rawvalue: 'yes',
      value: { '': 'yes', en: 'yes', nl: 'yes' },
      id: OVER18,
      status: 'PRESENT',
    })
  },
)

Result('2.8 attribute rawvalue: null of an attribute without value', async () => {
  const disclose = [[['svc-demo.gov.idcard.nationality']]]
  const { disclosed } = await resultOf(disclosure({ disclose }))
  assert.equal(
    [disclosed[0][0].rawvalue, disclosed[0][0].value, disclosed[0][0].status],
    [null, null, 'NULL'],
  )
})

Result('2.8 failed sessions: have a result too, and callers check it', async () => {
  const { requestor } = await service.create(disclosure({}))
  service.clock.advance(300_000)
  const { status, json } = await service.get(`${requestor}/result`)
  assert.equal([status, Object(json).status], [200, 'TIMEOUT'])
})

Result('2.8 cancelled by the user: a refusal and the lack of an attribute look the same', async () => {
  const refuse: PlayOptions = { consent: async () => ({ answer: 'refuse' }) }
  const results = [OVER18, 'svc-demo.gov.permit.kind'].map(async id => {
    const { token: _, ...rest } = await resultOf(disclosure({ disclose: [[[id]]] }), refuse)
    return rest
  })
  const expected = { status: 'CANCELLED', type: 'disclosing' }
  assert.equal(await Promise.all(results), [expected, expected])
})

Result.after(() => service.close())
Result.run()
