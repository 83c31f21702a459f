/** States, transitions and their timers (spec/interface#3, #8). @module */
import { expectEqual, expectError, expectStatus, expectText, NotTriedError } from '../expect.ts'
import { at } from '../json.ts'
import type { Service, Session } from '../service.ts'
import type { Trial, Trials } from './trial.ts'

const MINUTE_MS = 60_000
/** Tolerance for a timer of the server and for the call that observes it. */
const SLACK_MS = 2_000

async function connected(service: Service, request?: object): Promise<Session> {
  const session = await service.create(request)
  expectStatus('GET session', await service.connect(session), 200)
  return session
}

async function inPairing(service: Service, request?: object): Promise<Session> {
  const session = await service.create(request)
  expectStatus('POST options', await service.turnOnPairing(session), 200)
  expectStatus('GET session', await service.connect(session), 200)
  return session
}

const OPEN = {
  INITIALIZED: (service: Service) => service.create(),
  PAIRING: (service: Service) => inPairing(service),
  CONNECTED: (service: Service) => connected(service),
}

const long =
  (trial: Trial): Trial =>
  service => {
    if (service.isLong) return trial(service)
    throw new NotTriedError('it takes some minutes: --long')
  }

async function kept(service: Service): Promise<void> {
  const session = await service.create()
  await service.call('DELETE', session.app)
  await service.wait(4 * MINUTE_MS + 50_000)
  expectEqual('status before five minutes are over', await service.status(session), 'CANCELLED')
  await service.wait(10_000 + SLACK_MS)
  const { requestor, app } = session
  for (const url of [
    `${requestor}/status`,
    `${requestor}/result`,
    `${requestor}/statusevents`,
    `${app}/request`,
  ]) {
    const answer = await service.get(url)
    expectError('GET after five minutes', answer, 400, 'SESSION_UNKNOWN')
  }
}

async function timesOut(service: Service): Promise<void> {
  const request = { request: service.disclosure(), timeout: 1 }
  const sessions = [await service.create(request)]
  if (service.profile.timeoutBounds === 'open')
    sessions.push(await inPairing(service, request), await connected(service, request))
  const statuses = await Promise.all(sessions.map(session => service.status(session)))
  const expected = ['INITIALIZED', 'PAIRING', 'CONNECTED'].slice(0, sessions.length)
  expectEqual('statuses at the beginning', statuses, expected)
  await service.wait(1_000 + SLACK_MS)
  for (const [i, session] of sessions.entries()) {
    const status = await service.status(session)
    expectEqual(`status after a timeout of one second in ${expected[i]}`, status, 'TIMEOUT')
    expectEqual('status of the result', at(await service.result(session), 'status'), 'TIMEOUT')
  }
}

async function finalStatuses(service: Service): Promise<void> {
  const done = (await service.ordinary('disclosing')).session
  const cancelled = await service.create()
  await service.call('DELETE', cancelled.app)
  const late = await service.create({ request: service.disclosure(), timeout: 1 })
  await service.wait(1_000 + SLACK_MS)
  for (const [session, status] of [
    [done, 'DONE'],
    [cancelled, 'CANCELLED'],
    [late, 'TIMEOUT'],
  ] as const) {
    await service.call('DELETE', session.app)
    await service.connect(session, '2.5')
    await service.asApp(session, 'POST', '/proofs', '{')
    expectEqual('status after further calls', await service.status(session), status)
  }
}

export const TRIALS_OF_STATES: Trials = {
  async '3 creation'(service) {
    expectEqual('status', await service.status(await service.create()), 'INITIALIZED')
  },
  async '3 the app connects'(service) {
    expectEqual('status', await service.status(await connected(service)), 'CONNECTED')
  },
  async '3 the app connects with pairing'(service) {
    const session = await service.create()
    await service.turnOnPairing(session)
    const { json } = await service.connect(session)
    expectEqual('status', await service.status(session), 'PAIRING')
    expectText('a code of', at(json, 'options', 'pairingCode'), /^[0-9]{4}$/)
  },
  async '3 pairingcompleted'(service) {
    const session = await inPairing(service)
    expectStatus('POST pairingcompleted', await service.asFrontend(session, 'pairingcompleted'), 204)
    expectEqual('status', await service.status(session), 'CONNECTED')
  },
  async '3 submission'(service) {
    const { session, result } = await service.ordinary('disclosing')
    expectEqual('status', await service.status(session), 'DONE')
    expectEqual('proofStatus', at(result, 'proofStatus'), 'VALID')
  },
  '3 time passes': timesOut,
  '2.6 timeout': timesOut,
  async '3 DELETE by app, requestor or frontend'(service) {
    for (const [name, open] of Object.entries(OPEN))
      for (const whose of ['app', 'requestor'] as const) {
        const session = await open(service)
        expectStatus(`DELETE in ${name} (${whose})`, await service.call('DELETE', session[whose]), 200)
        expectEqual(`status after DELETE in ${name}`, await service.status(session), 'CANCELLED')
      }
  },
  async '3 an error of an app endpoint'(service) {
    const tooNew = await service.create()
    const refused = await service.connect(tooNew, '9.0', '9.1')
    expectError('GET session with versions 9.0 to 9.1', refused, 400, 'PROTOCOL_VERSION')
    const broken = await connected(service)
    const answer = await service.asApp(broken, 'POST', '/proofs', '{')
    expectError('POST proofs that are no JSON', answer, 400, 'MALFORMED_INPUT')
    for (const session of [tooNew, broken])
      expectEqual('status after an error', await service.status(session), 'CANCELLED')
  },
  '3 final': finalStatuses,
  '3 after a final status': long(kept),
  '8 retention': long(kept),
  '8 timeout': long(async service => {
    const session = await service.create()
    const ms = service.profile.defaultTimeoutMs
    await service.wait(ms - 10_000)
    expectEqual('status before the timeout', await service.status(session), 'INITIALIZED')
    await service.wait(10_000 + SLACK_MS)
    expectEqual('status after the timeout', await service.status(session), 'TIMEOUT')
  }),
  async '8 pairing code'(service) {
    const { json } = await service.turnOnPairing(await service.create())
    expectText('a code of', at(json, 'pairingCode'), /^[0-9]{4}$/)
  },
}
