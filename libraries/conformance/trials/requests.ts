/** Identifiers, session packages and session requests (spec/interface#2.1 to #2.3). @module */
import { contextOf } from '../../../protocol/contexts.ts'
import type { SessionType } from '../../../protocol/request.ts'
import {
  expectEqual,
  expectError,
  expectSame,
  expectStatus,
  expectText,
  expectThat,
  NotTriedError,
  outcomeOf,
} from '../expect.ts'
import { at, listOf, membersOf, put } from '../json.ts'
import { callOf, type Service, wordsOf } from '../service.ts'
import { BASE64, REFUSE, type Trial, type Trials } from './trial.ts'

const VERSION = /^\d+\.\d+$/

async function refused(service: Service, what: string, request: object): Promise<void> {
  expectError(`POST /session with ${what}`, await service.post(request), 400, 'INVALID_REQUEST')
}

const asking = (service: Service, id: string): object => service.disclosure({ disclose: [[[id]]] })

/** The request that the app receives if the requestor sends these members. */
async function delivered(service: Service, members: object): Promise<unknown> {
  const session = await service.create(service.disclosure(members))
  const answer = await service.connect(session)
  expectStatus('GET session', answer, 200)
  return at(answer.json, 'request')
}

/** The token, with small letters in place of capital ones and the reverse. */
function otherCase(token: string): string {
  return token.replaceAll(/[a-z]/gi, each =>
    each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase(),
  )
}

const isOfType =
  (type: SessionType): Trial =>
  async service => {
    const session = await service.create(service.request(type))
    expectEqual('type of the pointer', at(session.package, 'sessionPtr', service.profile.pointerField), type)
    expectEqual('type of the result', at(await service.result(session), 'type'), type)
  }

const IDENTIFIERS: Trials = {
  async '2.1 attribute type id'(service) {
    const { id } = service.subject.attribute
    const parts = id.split('.')
    const empty = parts.with(1, '').join('.')
    for (const wrong of [
      parts.slice(3).join('.'),
      parts.slice(2).join('.'),
      `${id}.more`,
      empty,
      `${id} `,
      '',
    ])
      await refused(service, 'a text that is no attribute type id', asking(service, wrong))
  },
  async '2.1 credential type id'(service) {
    const { type } = service.subject
    const session = await service.create(asking(service, type))
    await service.answer(session)
    const [[told]] = [listOf(at(await service.result(session), 'disclosed', 0))]
    const disclosed = [at(told, 'id'), at(told, 'rawvalue')]
    expectEqual('what is disclosed of a credential type that is asked for', disclosed, [type, 'present'])
    for (const wrong of [type.split('.').slice(1).join('.'), type.replace(/[^.]*$/, '')])
      await refused(service, 'a text that is no credential type id', asking(service, wrong))
  },
  async '2.1 requestor token'(service) {
    const { requestor, token } = await service.create()
    const { json } = await service.get(`${requestor}/status`)
    expectEqual('GET status by the token', json, 'INITIALIZED')
    for (const wrong of [token.slice(1), `${token}a`, otherCase(token)]) {
      const other = await service.get(`${service.server}/session/${wrong}/status`)
      expectError('GET status by another token', other, 400, 'SESSION_UNKNOWN')
    }
  },
  async '2.1 client token'(service) {
    const { app } = await service.create()
    expectText('an address that ends in the client token', app, /\/[0-9a-zA-Z]{20,}$/)
    expectEqual('GET status by the client token', (await service.get(`${app}/status`)).json, 'INITIALIZED')
    const other = await service.get(`${app.slice(0, -1)}/status`)
    expectError('GET status by another token', other, 400, 'SESSION_UNKNOWN')
  },
  async '2.1 big integers'(service) {
    const { got } = callOf(await service.ordinary('disclosing'), 'GET', '/')
    for (const name of ['nonce', 'context']) expectText(`${name} in`, at(got, 'request', name), BASE64)
    const wrong = await service.create()
    const { outcome } = await service.answer(wrong, {
      tamper: body => put(body, ['proofs', 0, 'A'], 'no Base64!'),
    })
    expectEqual('how the session ends for the app', outcome.status, 'failed')
    expectEqual('status after a number that is no Base64', await service.status(wrong), 'CANCELLED')
  },
  async '2.1 public keys'(service) {
    const { got } = callOf(await service.ordinary('issuing'), 'GET', '/')
    for (const each of listOf(at(got, 'request', 'credentials'))) {
      const counter = at(each, 'keyCounter') ?? 0
      const isKnown = Number.isInteger(counter) && Number(counter) >= 0
      expectThat(isKnown, 'keyCounter: the number of a key, from 0', JSON.stringify(counter))
    }
  },
}

const PACKAGE: Trials = {
  async '2.2 token'(service) {
    const { package: got, requestor } = await service.create()
    expectText('token that is a text', at(got, 'token'), /./)
    expectStatus('GET result by the token', await service.get(`${requestor}/result`), 200)
  },
  async '2.2 sessionPtr u'(service) {
    const { app } = await service.create()
    const isRight = /^.*\/session\/[0-9a-zA-Z]+$/.test(new URL(app).pathname)
    const below = `${service.profile.prefix}/session/`
    expectThat(isRight && app.includes(below), `u: ${below} and the client token`, 'another path')
    const status = await service.get(`${app}/status`)
    expectEqual('GET status below u', [status.status, status.json], [200, 'INITIALIZED'])
  },
  async '2.2 sessionPtr svcqr'(service) {
    for (const type of ['disclosing', 'signing'] as const) await isOfType(type)(service)
    const members = Object.keys(membersOf(at((await service.create()).package, 'sessionPtr'))).sort()
    expectEqual('members of sessionPtr', members, [service.profile.pointerField, 'u'].sort())
  },
  async '2.2 frontendRequest authorization'(service) {
    const { frontend, authorization } = await service.create()
    const answer = await service.get(`${frontend}/status`, authorization)
    expectEqual('GET frontend/status with it', [answer.status, answer.json], [200, { status: 'INITIALIZED' }])
  },
  async '2.2 frontendRequest minProtocolVersion'(service) {
    const lowest = at((await service.create()).package, 'frontendRequest', 'minProtocolVersion')
    expectText('a version', lowest, VERSION)
    expectThat(Number(lowest) <= 1.1, 'minProtocolVersion of at most 1.1', lowest)
  },
  async '2.2 frontendRequest maxProtocolVersion'(service) {
    const highest = at((await service.create()).package, 'frontendRequest', 'maxProtocolVersion')
    expectText('a version', highest, VERSION)
    expectThat(Number(highest) >= 1.1, 'maxProtocolVersion of at least 1.1', highest)
  },
}

const REQUESTS: Trials = {
  '2.3 disclosure': isOfType('disclosing'),
  '2.3 signature': isOfType('signing'),
  '2.3 issuance': isOfType('issuing'),
  async '2.3 @context'(service) {
    const right = contextOf(service.profile.contextBase, 'disclosing')
    for (const context of [undefined, '', 'x', right.replace('v2', 'v1'), `${right}/`])
      await refused(service, 'another @context', service.disclosure({ '@context': context }))
  },
  async '2.3 disclose'(service) {
    await refused(service, 'nothing to disclose', service.disclosure({ disclose: undefined }))
    await refused(service, 'an empty list to disclose', service.disclosure({ disclose: [] }))
    const disclose = [[[service.subject.attribute.id]]]
    const session = await service.create(service.request('issuing', { disclose }))
    const played = await service.answer(session, {
      tamper: body => ({
        ...membersOf(body),
        combinedProofs: listOf(at(body, 'combinedProofs')).slice(1),
        indices: [],
      }),
    })
    const { got } = callOf(played, 'POST', '/commitments')
    expectSame('no sigs without the requested disclosure', at(got, 'sigs'), undefined)
    expectEqual('how the session ends for the app', played.outcome.status, 'failed')
    await service.create(service.request('signing', { disclose: undefined }))
  },
  async '2.3 labels'(service) {
    const labels = { '0': { en: 'A question', nl: 'Een vraag' } }
    expectEqual('labels that the app gets', at(await delivered(service, { labels }), 'labels'), labels)
  },
  async '2.3 skipExpiryCheck'(service) {
    const skipExpiryCheck = [service.subject.type]
    const got = at(await delivered(service, { skipExpiryCheck }), 'skipExpiryCheck')
    expectEqual('skipExpiryCheck that the app gets', got, skipExpiryCheck)
  },
  async '2.3 message'(service) {
    await refused(service, 'an empty message', service.request('signing', { message: '' }))
    const message = 'one < two & "three"'
    const session = await service.create(service.request('signing', { message }))
    await service.answer(session)
    const got = at(await service.result(session), 'signature', 'message')
    expectEqual('message of the signature', got, message)
  },
  async '2.3 credentials'(service) {
    await refused(service, 'no credentials', service.request('issuing', { credentials: [] }))
    const credentials = [service.credential(), service.credential()]
    const session = await service.create(service.request('issuing', { credentials }))
    const played = await service.answer(session)
    const { got } = callOf(played, 'POST', '/commitments')
    expectEqual('signatures for two credentials', listOf(at(got, 'sigs')).length, 2)
    expectThat(played.outcome.status === 'success', 'credentials that are issued', wordsOf(played))
  },
  async '2.3 clientReturnUrl'(service) {
    const clientReturnUrl = 'https://shop.example/back'
    const session = await service.create(service.disclosure({ clientReturnUrl }))
    const { outcome } = await service.answer(session)
    expectEqual('where the user goes', outcome.clientReturnUrl, clientReturnUrl)
    const refused = await service.answer(
      await service.create(service.disclosure({ clientReturnUrl })),
      REFUSE,
    )
    expectEqual('where the user goes after a refusal', refused.outcome.clientReturnUrl, clientReturnUrl)
  },
  async '2.3 augmentReturnUrl'(service) {
    const clientReturnUrl = 'https://shop.example/back'
    const asked = service.disclosure({ clientReturnUrl, augmentReturnUrl: true })
    const { status } = await service.post(asked)
    if (status === 400)
      throw new NotTriedError('the server appends nothing (its option augment_client_return_url)')
    const session = await service.create(asked)
    const { outcome } = await service.answer(session)
    const expected = `${clientReturnUrl}?token=${session.token}`
    expectSame('clientReturnUrl with the requestor token', outcome.clientReturnUrl, expected)
    const query = `${clientReturnUrl}?x=1`
    const other = await service.create(service.disclosure({ clientReturnUrl: query, augmentReturnUrl: true }))
    const got = (await service.answer(other)).outcome.clientReturnUrl
    expectSame('clientReturnUrl with another parameter first', got, `${query}&token=${other.token}`)
  },
  async '2.3 host'(service) {
    const { host } = new URL((await service.create()).app)
    const request = service.disclosure({ host })
    const session = await service.create(request)
    expectEqual('host of u', new URL(session.app).host, host)
    const played = await service.answer(session)
    expectEqual('host that the app gets', at(callOf(played, 'GET', '/').got, 'request', 'host'), host)
    expectThat(played.outcome.status === 'success', 'a session that succeeds', wordsOf(played))
    const other = await service.post(service.disclosure({ host: 'elsewhere.invalid' }))
    const isServed = other.status === 200 && at(other.json, 'sessionPtr', 'u') !== undefined
    expectThat(isServed || other.status === 403, 'another host: 403, or in u', outcomeOf(other))
  },
}

export const TRIALS_OF_REQUESTS: Trials = { ...IDENTIFIERS, ...PACKAGE, ...REQUESTS }
