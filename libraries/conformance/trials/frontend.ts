/** Trials of frontends, of pairing, and of the requirements of an app (spec/interface#2.10, #4.4, #5.3). @module */
import { contextOf } from '../../../protocol/contexts.ts'
import {
  expectEqual,
  expectError,
  expectRefusal,
  expectSame,
  expectStatus,
  expectText,
  expectThat,
} from '../expect.ts'
import { at, membersOf } from '../json.ts'
import type { Service, Session } from '../service.ts'
import { callOf } from '../service.ts'
import type { Trial, Trials } from './trial.ts'

const END_POINTS = [
  ['GET', 'status'],
  ['GET', 'statusevents'],
  ['POST', 'options'],
  ['POST', 'pairingcompleted'],
] as const

const context = (service: Service): string => contextOf(service.profile.contextBase, 'frontendOptions')

async function frontendStatus(service: Service, { frontend, authorization }: Session): Promise<unknown> {
  const answer = await service.get(`${frontend}/status`, authorization)
  expectStatus('GET frontend/status', answer, 200)
  return answer.json
}

const pairingShows =
  (check: (options: unknown, service: Service) => void): Trial =>
  async service => {
    const answer = await service.turnOnPairing(await service.create())
    expectStatus('POST options', answer, 200)
    check(answer.json, service)
  }

const MESSAGES: Trials = {
  async '2.10 options request @context'(service) {
    const session = await service.create()
    const wrong = await service.asFrontend(session, 'options', { pairingMethod: 'pin' })
    expectRefusal('POST options without @context', wrong)
    expectStatus('POST options', await service.turnOnPairing(session), 200)
  },
  async '2.10 options request pairingMethod'(service) {
    const session = await service.create()
    const set = async (pairingMethod: string) =>
      service.asFrontend(session, 'options', { '@context': context(service), pairingMethod })
    for (const method of ['pin', 'none'])
      expectEqual('pairingMethod', at((await set(method)).json, 'pairingMethod'), method)
    const none = await service.asFrontend(session, 'options', { '@context': context(service) })
    expectEqual('pairingMethod by default', at(none.json, 'pairingMethod'), 'none')
    expectError('POST options with another method', await set('smoke'), 403, 'UNEXPECTED_REQUEST')
  },
  '2.10 options response @context': pairingShows((options, service) =>
    expectEqual('@context', at(options, '@context'), contextOf(service.profile.contextBase, 'options')),
  ),
  '2.10 options response pairingMethod': pairingShows(options =>
    expectEqual('pairingMethod', at(options, 'pairingMethod'), 'pin'),
  ),
  async '2.10 options response pairingCode'(service) {
    const session = await service.create()
    const pin = await service.turnOnPairing(session)
    expectText('a code of', at(pin.json, 'pairingCode'), /^[0-9]{4}$/)
    const none = await service.asFrontend(session, 'options', {
      '@context': context(service),
      pairingMethod: 'none',
    })
    expectSame('no code without pairing', at(none.json, 'pairingCode'), undefined)
    const members = [pin, none].map(({ json }) => Object.keys(membersOf(json)).sort())
    const expected = [
      ['@context', 'pairingCode', 'pairingMethod'],
      ['@context', 'pairingMethod'],
    ]
    expectEqual('members with and without pairing', members, expected)
  },
  async '2.10 frontend status status'(service) {
    expectEqual('frontend status', await frontendStatus(service, await service.create()), {
      status: 'INITIALIZED',
    })
  },
}

async function pairing(service: Service): Promise<void> {
  const session = await service.create()
  const early = await service.asFrontend(session, 'pairingcompleted')
  expectError('pairingcompleted in INITIALIZED', early, 403, 'UNEXPECTED_REQUEST')
  await service.turnOnPairing(session)
  await service.connect(session)
  expectEqual('status after GET session', await service.status(session), 'PAIRING')
  const before = await service.asApp(session, 'GET', '/request')
  expectError('GET request in PAIRING', before, 400, 'SESSION_UNKNOWN')
  const done = await service.asFrontend(session, 'pairingcompleted')
  expectStatus('pairingcompleted in PAIRING', done, 204)
  expectThat(done.text === '', 'pairingcompleted: no body', 'one')
  expectEqual('status after pairingcompleted', await service.status(session), 'CONNECTED')
  expectStatus('GET request after pairingcompleted', await service.asApp(session, 'GET', '/request'), 200)
}

const ENDPOINTS: Trials = {
  async '4.4 Authorization'(service) {
    const { frontend, app } = await service.create()
    const { authorization: other } = await service.create()
    for (const headers of [{}, other, { Authorization: app.replace(/^.*\//, '') }])
      for (const [method, end] of END_POINTS) {
        const answer = await service.call(method, `${frontend}/${end}`, { headers })
        const whose = 'Authorization' in headers ? 'another token' : 'no token'
        expectError(`${method} frontend/${end} with ${whose}`, answer, 403, 'UNAUTHORIZED')
      }
  },
  async '4.4 GET status'(service) {
    const session = await service.create()
    const statuses = [await frontendStatus(service, session)]
    await service.connect(session)
    statuses.push(await frontendStatus(service, session))
    await service.call('DELETE', session.app)
    statuses.push(await frontendStatus(service, session))
    const expected = ['INITIALIZED', 'CONNECTED', 'CANCELLED'].map(status => ({ status }))
    expectEqual('frontend statuses', statuses, expected)
  },
  async '4.4 GET statusevents'(service) {
    const session = await service.create()
    using stream = await service.listen(`${session.frontend}/statusevents`, session.authorization)
    await service.connect(session)
    const event = JSON.parse((await stream.next()) ?? 'null')
    expectEqual('an event', event, { status: 'CONNECTED' })
  },
  async '4.4 POST options'(service) {
    const session = await service.create()
    for (const time of ['once', 'again', 'and again'])
      expectStatus(`POST options ${time}`, await service.turnOnPairing(session), 200)
    await service.connect(session)
    const late = await service.turnOnPairing(session)
    expectError('POST options after the app has connected', late, 403, 'UNEXPECTED_REQUEST')
  },
  '4.4 POST pairingcompleted': pairing,
}

const APPS: Trials = {
  async '5.3 rule 1'(service) {
    const session = await service.create()
    expectText('an address that cannot be guessed', session.app, /\/[0-9a-zA-Z]{20,}$/)
    expectStatus('GET session with the client token alone', await service.connect(session), 200)
  },
  async '5.3 rule 2'(service) {
    const { frontend, authorization } = await service.create()
    const without = await service.get(`${frontend}/status`)
    expectError('GET frontend/status without a token', without, 403, 'UNAUTHORIZED')
    expectStatus('GET frontend/status', await service.get(`${frontend}/status`, authorization), 200)
  },
  '5.3 rule 3': pairing,
  async '5.3 rule 4'(service) {
    const { got } = callOf(await service.ordinary('disclosing'), 'GET', '/')
    const devMode = at(got, 'request', 'devMode')
    expectThat(devMode === true || devMode === undefined, 'devMode: true, or left out', 'something else')
  },
}

export const TRIALS_OF_FRONTENDS: Trials = { ...MESSAGES, ...ENDPOINTS, ...APPS }
