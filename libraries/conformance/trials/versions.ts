/** Versions and older forms (spec/interface#9). @module */
import { contextOf } from '../../../protocol/contexts.ts'
import { expectEqual, expectError, expectSame, expectStatus, expectThat, NotTriedError } from '../expect.ts'
import { at, listOf, membersOf, put } from '../json.ts'
import { callOf, type Service } from '../service.ts'
import type { Trials } from './trial.ts'

const OLDER = ['2.4', '2.5', '2.6', '2.7'] as const

/** The server's answer to an app that supports only one version.
 *  @throws {NotTriedError} if the server does not support that version */
async function inVersion(service: Service, version: string, request?: object): Promise<unknown> {
  const session = await service.create(request)
  const answer = await service.connect(session, version, version)
  if (answer.status === 400 && at(answer.json, 'error') === 'PROTOCOL_VERSION')
    throw new NotTriedError(`the server does not serve version ${version} (its option min_protocol_version)`)
  expectStatus(`GET session with version ${version}`, answer, 200)
  expectEqual('protocolVersion', at(answer.json, 'protocolVersion'), version)
  return answer.json
}

async function headers(service: Service): Promise<void> {
  const { minVersionHeader, maxVersionHeader } = service.profile
  for (const name of [minVersionHeader, maxVersionHeader]) {
    const { app } = await service.create()
    const answer = await service.get(app, { [name]: '2.8', Authorization: 'an app' })
    expectError(`GET session with ${name} alone`, answer, 400, 'MALFORMED_INPUT')
  }
  expectStatus('GET session with both', await service.connect(await service.create()), 200)
}

async function highest(service: Service): Promise<void> {
  for (const [min, max] of [
    ['2.4', '2.8'],
    ['2.4', '2.9'],
    ['2.4', '10.0'],
  ] as const) {
    const { json } = await service.connect(await service.create(), min, max)
    expectEqual(`protocolVersion for ${min} to ${max}`, at(json, 'protocolVersion'), '2.8')
  }
  for (const [min, max] of [
    ['2.4', '2.7'],
    ['1.0', '2.5'],
    ['2.0', '2.4'],
  ] as const) {
    const { json, status } = await service.connect(await service.create(), min, max)
    const got = status === 200 ? at(json, 'protocolVersion') : at(json, 'error')
    const isRight = got === max || got === 'PROTOCOL_VERSION'
    expectThat(
      isRight,
      `protocolVersion for ${min} to ${max}: ${max}, or PROTOCOL_VERSION`,
      JSON.stringify(got),
    )
  }
  for (const [min, max] of [
    ['2.9', '2.9'],
    ['2.0', '2.3'],
    ['2.8', '2.5'],
  ] as const) {
    const session = await service.create()
    const refused = await service.connect(session, min, max)
    expectError(`GET session with ${min} to ${max}`, refused, 400, 'PROTOCOL_VERSION')
    expectEqual('status then', await service.status(session), 'CANCELLED')
  }
}

async function olderForms(service: Service): Promise<void> {
  for (const version of OLDER) {
    const told = await inVersion(service, version)
    expectSame(`no options in version ${version}`, at(told, 'options'), undefined)
  }
}

async function legacyForm(service: Service): Promise<void> {
  const { id } = service.subject.attribute
  const labels = { '0': { en: 'A question', nl: 'Een vraag' } }
  const told = await inVersion(service, '2.4', service.disclosure({ labels }))
  expectEqual('type', at(told, 'type'), 'disclosing')
  expectEqual('content', at(told, 'content'), [{ label: 'A question', attributes: [id] }])
}

async function fromOnAre(service: Service): Promise<void> {
  const paired = await service.create()
  await service.turnOnPairing(paired)
  const refused = await service.connect(paired, '2.4', '2.7')
  expectError('GET session with pairing, before 2.8', refused, 400, 'PROTOCOL_VERSION')
}

/** Requests in the form without conjunctions. */
function legacyRequests(service: Service): readonly object[] {
  const { id, value } = service.subject.attribute
  const asked = [
    { label: 'A question', attributes: [id] },
    { label: 'A value', attributes: { [id]: value } },
  ]
  const issuing = service.offer && [{ type: 'issuing', disclose: asked, credentials: [service.credential()] }]
  return [
    { type: 'disclosing', content: asked },
    { type: 'signing', content: asked, message: 'I agree' },
    ...(issuing ?? []),
  ]
}

async function legacyRequest(service: Service): Promise<void> {
  const { id: type, value } = service.subject.attribute
  for (const request of legacyRequests(service))
    for (const body of [request, { validity: 60, request }]) {
      const session = await service.create(body)
      const started = at(session.package, 'sessionPtr', service.profile.pointerField)
      expectEqual('type of the session', started, at(request, 'type'))
      const played = await service.answer(session)
      expectEqual('how the session ends', played.outcome.status, 'success')
      const { labels, disclose } = membersOf(at(callOf(played, 'GET', '/').got, 'request'))
      expectSame('what is asked for', disclose, [[[type]], [[{ type, value }]]])
      expectEqual('labels', labels, {
        '0': { en: 'A question', nl: 'A question' },
        '1': { en: 'A value', nl: 'A value' },
      })
    }
  const [{ content } = { content: [] }] = [membersOf(legacyRequests(service)[0])]
  for (const wrong of [
    {},
    { type: 'verifying', content },
    { type: 'disclosing' },
    { type: 'disclosing', content: [] },
  ])
    expectError('POST /session in neither form', await service.post(wrong), 400, 'INVALID_REQUEST')
}

async function legacyResult(service: Service): Promise<void> {
  const { id, value } = service.subject.attribute
  const isFlat = service.profile.legacyResult === 'legacy'
  for (const request of legacyRequests(service)) {
    const session = await service.create(request)
    await service.answer(session)
    const result = membersOf(await service.result(session))
    const expected = ['DONE', 'VALID', at(request, 'type')]
    expectEqual('status, proofStatus, type', [result.status, result.proofStatus, result.type], expected)
    const items = listOf(result.disclosed)
    const attributes = isFlat ? items : items.flatMap(listOf)
    const what = isFlat ? 'a flat list' : 'a list of lists'
    expectEqual(
      `${what} with the attribute`,
      attributes.map(each => at(each, 'id')),
      [id, id],
    )
    expectSame('the value that the wallet holds', at(attributes, 0, 'rawvalue'), value)
    expectEqual('signature', result.signature !== undefined, result.type === 'signing')
  }
}

export const TRIALS_OF_VERSIONS: Trials = {
  '9.1 headers': headers,
  '9.1 protocolVersion': highest,
  '9.1 older forms': olderForms,
  '9.1 version 2.4': legacyForm,
  async '9.1 version 2.7'(service) {
    const told = await inVersion(service, '2.7')
    expectEqual('what is asked for', at(told, 'disclose'), [[[service.subject.attribute.id]]])
  },
  '9.1 version 2.8': fromOnAre,
  async '9.2 frontend protocol'(service) {
    const { package: told, app, frontend, authorization } = await service.create()
    const { minProtocolVersion, maxProtocolVersion } = membersOf(at(told, 'frontendRequest'))
    expectEqual('lowest and highest version', [minProtocolVersion, maxProtocolVersion], ['1.0', '1.1'])
    const status = (await service.get(`${frontend}/status`, authorization)).json
    expectEqual('GET frontend/status', status, { status: 'INITIALIZED' })
    expectEqual('GET status, as of 1.0', (await service.get(`${app}/status`)).json, 'INITIALIZED')
  },
  async '9.3 @context'(service) {
    const { contextBase } = service.profile
    for (const type of ['disclosing', 'signing', 'issuing'] as const) {
      const { got } = callOf(await service.ordinary(type), 'GET', '/')
      expectEqual('@context', at(got, '@context'), contextOf(contextBase, 'client'))
      expectEqual('@context of the request', at(got, 'request', '@context'), contextOf(contextBase, type))
      const older = put(service.request(type), ['@context'], contextOf(contextBase, type).replace('v2', 'v1'))
      const { status } = await service.post({ request: older })
      expectEqual('POST /session with v1', status, 400)
    }
  },
  '9.4 legacy requests': legacyRequest,
  '9.4 legacy results': legacyResult,
  async '9.6 versions'(service) {
    const never = await service.connect(await service.create(), '2.9', '2.9')
    expectError('GET session with 2.9 alone', never, 400, 'PROTOCOL_VERSION')
    const { json } = await service.connect(await service.create(), '2.8', '2.8')
    expectEqual('protocolVersion', at(json, 'protocolVersion'), '2.8')
  },
}
