/** Session results (spec/interface#2.8). @module */
import type { SessionType } from '../../../protocol/request.ts'
import type { AnswerOptions } from '../app.ts'
import { expectEqual, expectSame, expectText, NotTriedError } from '../expect.ts'
import { at, membersOf, put } from '../json.ts'
import { callOf, type Service } from '../service.ts'
import { REFUSE, type Trial, type Trials } from './trial.ts'

const TYPES = ['disclosing', 'signing', 'issuing'] as const

async function resultOf(service: Service, request: object, options: AnswerOptions): Promise<unknown> {
  const session = await service.create(request)
  await service.answer(session, options)
  return service.result(session)
}

/** Changes the last byte by adding one. */
export function changed(base64: unknown): string {
  const bytes = Buffer.from(String(base64), 'base64')
  bytes.writeUInt8((bytes.readUInt8(bytes.length - 1) + 1) % 256, bytes.length - 1)
  return bytes.toString('base64')
}

const judged =
  (type: SessionType, expected: string, tamper: (body: unknown) => unknown): Trial =>
  async service => {
    const told = membersOf(await resultOf(service, service.request(type), { tamper }))
    expectEqual('status and proofStatus', [told.status, told.proofStatus], ['DONE', expected])
    if (expected === 'INVALID') expectSame('nothing disclosed', told.disclosed, undefined)
  }

async function expired(service: Service): Promise<void> {
  const old = service.wallet
    .credentials()
    .find(({ isExpired, attributes }) => isExpired && attributes.some(({ value }) => value !== null))
  const id = old?.attributes.find(({ value }) => value !== null)?.id
  if (old === undefined || id === undefined)
    throw new NotTriedError('the wallet has no credential that has expired')
  const asked = { disclose: [[[id]]] }
  const told = await resultOf(service, service.disclosure(asked), {
    deliver: answer => put(answer, ['request', 'skipExpiryCheck'], [old.type]),
  })
  expectEqual('proofStatus', at(told, 'proofStatus'), 'EXPIRED')
  const skipping = service.disclosure({ ...asked, skipExpiryCheck: [old.type] })
  const valid = at(await resultOf(service, skipping, {}), 'proofStatus')
  expectEqual('proofStatus with skipExpiryCheck', valid, 'VALID')
}

const PROOF_STATUS: Trials = {
  async '2.8 proofStatus VALID'(service) {
    for (const type of TYPES) {
      const { status, proofStatus } = membersOf((await service.ordinary(type)).result)
      expectEqual(`status and proofStatus (${type})`, [status, proofStatus], ['DONE', 'VALID'])
    }
  },
  '2.8 proofStatus INVALID': judged('disclosing', 'INVALID', body =>
    put(body, ['proofs', 0, 'e_response'], changed(at(body, 'proofs', 0, 'e_response'))),
  ),
  '2.8 proofStatus INVALID_TIMESTAMP': judged('signing', 'INVALID_TIMESTAMP', body =>
    put(body, ['timestamp', 'Time'], Number(at(body, 'timestamp', 'Time')) - 1),
  ),
  '2.8 proofStatus UNMATCHED_REQUEST': judged('signing', 'UNMATCHED_REQUEST', body =>
    put(body, ['message'], 'I agree to something else'),
  ),
  '2.8 proofStatus MISSING_ATTRIBUTES': judged('disclosing', 'MISSING_ATTRIBUTES', body =>
    put(body, ['indices'], [[]]),
  ),
  '2.8 proofStatus EXPIRED': expired,
}

async function attribute(service: Service): Promise<unknown> {
  return at((await service.ordinary('disclosing')).result, 'disclosed', 0, 0)
}

const RESULT: Trials = {
  async '2.8 token'(service) {
    const session = await service.create()
    expectSame('the requestor token', at(await service.result(session), 'token'), session.token)
  },
  async '2.8 status'(service) {
    const session = await service.create()
    expectEqual('status', at(await service.result(session), 'status'), 'INITIALIZED')
    await service.call('DELETE', session.app)
    expectEqual('status after DELETE', at(await service.result(session), 'status'), 'CANCELLED')
  },
  async '2.8 type'(service) {
    for (const type of TYPES) {
      const session = await service.create(service.request(type))
      expectEqual('type', at(await service.result(session), 'type'), type)
    }
  },
  async '2.8 disclosed'(service) {
    const { id } = service.subject.attribute
    const [other = service.subject.attribute] = service.subject.others
    const disclose = [[[id, other.id]], [[other.id]]]
    const told = await resultOf(service, service.disclosure({ disclose }), {})
    const ids = disclose.map((list, i) => list[0]?.map((_, j) => at(told, 'disclosed', i, j, 'id')))
    expectEqual('a list for each outer item', ids, [[id, other.id], [other.id]])
  },
  async '2.8 signature'(service) {
    const played = await service.ordinary('signing')
    const { timestamp: _, ...sent } = membersOf(callOf(played, 'POST', '/proofs').sent)
    const { timestamp, ...told } = membersOf(at(played.result, 'signature'))
    const time = at(callOf(played, 'POST', '/proofs').sent, 'timestamp', 'Time')
    expectEqual('Time of the timestamp', at(timestamp, 'Time'), time)
    expectSame('the signature that the app has sent', told, sent)
    const none = at((await service.ordinary('disclosing')).result, 'signature')
    expectSame('no signature of a session that discloses', none, undefined)
  },
  async '2.8 error'(service) {
    const told = await resultOf(service, service.disclosure(), { tamper: () => 'no message' })
    const { status, error, proofStatus } = membersOf(told)
    expectEqual('status and proofStatus', [status, proofStatus], ['CANCELLED', undefined])
    const type = service.profile.resultError === 'object' ? at(error, 'error') : error
    expectText('an error that begins with its type', type, /^MALFORMED_INPUT/)
  },
  async '2.8 before the end'(service) {
    const session = await service.create()
    const members = async () => Object.keys(membersOf(await service.result(session))).sort()
    const expected = ['status', 'token', 'type']
    expectEqual('members in INITIALIZED', await members(), expected)
    await service.connect(session)
    expectEqual('members in CONNECTED', await members(), expected)
  },
  async '2.8 attribute status'(service) {
    expectEqual('status', at(await attribute(service), 'status'), 'PRESENT')
  },
  async '2.8 attribute rawvalue'(service) {
    const { value } = service.subject.attribute
    expectSame('the value that the wallet holds', at(await attribute(service), 'rawvalue'), value)
    const absent = service.wallet
      .credentials()
      .filter(({ type }) => type === service.subject.type)
      .flatMap(({ attributes }) => attributes)
      .find(each => each.value === null)
    if (absent === undefined) return
    const told = await resultOf(service, service.disclosure({ disclose: [[[absent.id]]] }), {})
    const { rawvalue, value: text, status } = membersOf(at(told, 'disclosed', 0, 0))
    expectEqual('an attribute without a value', [rawvalue, text, status], [null, null, 'NULL'])
  },
  async '2.8 attribute id'(service) {
    expectEqual('id', at(await attribute(service), 'id'), service.subject.attribute.id)
  },
  async '2.8 attribute value'(service) {
    const { value } = service.subject.attribute
    const got = at(await attribute(service), 'value')
    expectSame('the value that the wallet holds, under the empty text', at(got, ''), value)
    const { issuancetime: _, ...rest } = membersOf(await attribute(service))
    expectEqual('members', Object.keys(rest).sort(), ['id', 'rawvalue', 'status', 'value'])
  },
  async '2.8 failed sessions'(service) {
    const session = await service.create()
    await service.call('DELETE', session.app)
    const result = await service.result(session)
    expectEqual('status', at(result, 'status'), 'CANCELLED')
    expectSame('no proofStatus', at(result, 'proofStatus'), undefined)
  },
  async '2.8 cancelled by the user'(service) {
    const { id } = service.subject.attribute
    const results = [[[[id]]], [[[{ type: id, value: 'a value that nobody has' }]]]].map(async disclose => {
      const told = await resultOf(service, service.disclosure({ disclose }), REFUSE)
      return put(told, ['token'], undefined)
    })
    const [refusal, lack] = await Promise.all(results)
    expectSame('the same result for a refusal and for a missing attribute', lack, refusal)
    expectEqual('the result', refusal, { token: undefined, status: 'CANCELLED', type: 'disclosing' })
  },
}

export const TRIALS_OF_RESULTS: Trials = { ...PROOF_STATUS, ...RESULT }
