/** Events and errors (spec/interface#6, #7). @module */
import type { Answer } from '../answer.ts'
import { expectEqual, expectError, expectRefusal, expectSame, expectText, expectThat } from '../expect.ts'
import { at, parsed, put } from '../json.ts'
import { callOf, type Service, type Session } from '../service.ts'
import { NO_TOKEN, type Trial, type Trials } from './trial.ts'

const followed =
  (url: (session: Session) => string): Trial =>
  async service => {
    const session = await service.create()
    using stream = await service.listen(url(session))
    await service.answer(session)
    expectEqual('events', await stream.untilFinal(), ['"CONNECTED"', '"DONE"'])
  }

const EVENTS: Trials = {
  '6 requestor statusevents': followed(({ requestor }) => `${requestor}/statusevents`),
  '6 app statusevents': followed(({ app }) => `${app}/statusevents`),
  async '6 frontend statusevents'(service) {
    const session = await service.create()
    using stream = await service.listen(`${session.frontend}/statusevents`, session.authorization)
    await service.connect(session)
    await service.call('DELETE', session.app)
    const events = (await stream.untilFinal()).map(parsed)
    expectEqual('events', events, [{ status: 'CONNECTED' }, { status: 'CANCELLED' }])
  },
  async '6 PAIRING to CONNECTED'(service) {
    const session = await service.create()
    await service.turnOnPairing(session)
    await service.connect(session)
    using stream = await service.listen(`${session.app}/statusevents`)
    await service.asFrontend(session, 'pairingcompleted')
    expectEqual('an event', await stream.next(), '"CONNECTED"')
    expectEqual('GET status', (await service.get(`${session.app}/status`)).json, 'CONNECTED')
  },
}

function unknownSession(service: Service): Promise<Answer> {
  return service.get(`${service.server}/session/${NO_TOKEN}/result`)
}

/** Error responses of several endpoints. */
async function errors(service: Service): Promise<readonly Answer[]> {
  const { app } = await service.create()
  return [
    await unknownSession(service),
    await service.get(`${service.server}/no/endpoint`),
    await service.post(service.disclosure({ disclose: [] })),
    await service.call('PUT', app),
  ]
}

async function unknownOrExpired(service: Service): Promise<void> {
  const { server } = service
  for (const end of ['status', 'result', 'statusevents']) {
    const answer = await service.get(`${server}/session/${NO_TOKEN}/${end}`)
    expectError(`GET ${end} of an unknown session`, answer, 400, 'SESSION_UNKNOWN')
  }
  const cancelled = await service.call('DELETE', `${server}/session/${NO_TOKEN}`)
  expectError('DELETE of an unknown session', cancelled, 400, 'SESSION_UNKNOWN')
  const session = await service.create()
  const early = await service.asApp(session, 'GET', '/request')
  expectError('GET request in INITIALIZED', early, 400, 'SESSION_UNKNOWN')
}

async function tooLate(service: Service): Promise<void> {
  const session = await service.create()
  const early = await service.asFrontend(session, 'pairingcompleted')
  expectError('pairingcompleted in INITIALIZED', early, 403, 'UNEXPECTED_REQUEST')
  await service.connect(session)
  for (const late of [
    await service.turnOnPairing(session),
    await service.asFrontend(session, 'pairingcompleted'),
  ])
    expectError('options or pairingcompleted in CONNECTED', late, 403, 'UNEXPECTED_REQUEST')
  expectEqual('status after these refused calls', await service.status(session), 'CONNECTED')
}

const ERRORS: Trials = {
  async '2.11 remote error'(service) {
    for (const answer of await errors(service)) expectRefusal('an error', answer)
  },
  async '7 status'(service) {
    for (const { status, json } of await errors(service))
      expectEqual('status in the remote error', at(json, 'status'), status)
  },
  async '7 error'(service) {
    expectEqual('error', at((await unknownSession(service)).json, 'error'), 'SESSION_UNKNOWN')
  },
  async '7 description'(service) {
    const description = at((await unknownSession(service)).json, 'description')
    expectText('a description', description, /^Unknown or expired session$/i)
  },
  async '7 message'(service) {
    const { json } = await service.post(service.disclosure({ disclose: [] }))
    const message = at(json, 'message')
    expectThat(message === undefined || typeof message === 'string', 'message: a text, or none', 'no text')
    const none = at((await unknownSession(service)).json, 'message')
    expectSame('no message for an unknown session', none, undefined)
  },
  async '7 stacktrace'(service) {
    const stack = at((await unknownSession(service)).json, 'stacktrace')
    const isText = typeof stack === 'string' && stack !== ''
    expectThat(stack === undefined || isText, 'stacktrace: none, unless the server is verbose', 'no text')
  },
  '7 unknown or expired session': unknownOrExpired,
  async '7 any error of an app endpoint'(service) {
    const session = await service.create()
    await service.connect(session)
    const answer = await service.asApp(session, 'POST', '/proofs', 'x')
    expectError('POST proofs that are no JSON', answer, 400, 'MALFORMED_INPUT')
    expectEqual('status', await service.status(session), 'CANCELLED')
  },
  async '7 proofs not valid'(service) {
    const session = await service.create()
    const played = await service.answer(session, { tamper: body => put(body, ['indices'], [[]]) })
    expectEqual('answer', callOf(played, 'POST', '/proofs').got, { proofStatus: 'MISSING_ATTRIBUTES' })
    expectEqual('result', at(await service.result(session), 'proofStatus'), 'MISSING_ATTRIBUTES')
    expectEqual('how the session ends for the app', played.outcome.status, 'failed')
  },
  '7 frontend options in the wrong way or too late, pairing completed outside PAIRING': tooLate,
  async '7 the app aborts'(service) {
    const session = await service.create()
    const { calls } = await service.answer(session, { consent: async () => ({ answer: 'refuse' }) })
    expectEqual('the last call of the wallet', calls.at(-1)?.method, 'DELETE')
    expectEqual('its answer', calls.at(-1)?.status, 200)
    expectEqual('status', await service.status(session), 'CANCELLED')
  },
}

export const TRIALS_OF_EVENTS_AND_ERRORS: Trials = { ...EVENTS, ...ERRORS }
