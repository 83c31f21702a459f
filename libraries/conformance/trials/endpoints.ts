/** Endpoints of requestors and of wallet apps (spec/interface#4.1 to #4.3). @module */
import {
  expectEqual,
  expectError,
  expectRefusal,
  expectSame,
  expectStatus,
  expectThat,
  outcomeOf,
} from '../expect.ts'
import { at, membersOf } from '../json.ts'
import { callOf, type Service, type Session, type wordsOf } from '../service.ts'
import { NO_TOKEN, type Trials } from './trial.ts'

/** A server repeats the answer to a submission for 90 s. */
const REPEATED_FOR_MS = 91_000

/** The events of a session until it is answered or cancelled. */
async function heardOf(
  service: Service,
  url: (session: Session) => string,
  end: (session: Session) => Promise<unknown>,
): Promise<readonly string[]> {
  const session = await service.create()
  using stream = await service.listen(url(session))
  await end(session)
  return await stream.untilFinal()
}

const REQUESTOR: Trials = {
  async '4.1 POST /session'(service) {
    const requests = [service.disclosure(), { request: service.disclosure(), timeout: 10 }]
    for (const request of requests) {
      const answer = await service.post(request)
      expectStatus('POST /session', answer, 200)
      const members = Object.keys(membersOf(answer.json)).sort()
      expectEqual('members of the answer', members, ['frontendRequest', 'sessionPtr', 'token'])
    }
    const wrong = await service.call('GET', `${service.server}/session`)
    expectThat(wrong.status === 405 || wrong.status === 404, 'GET /session: 405 or 404', outcomeOf(wrong))
    if (service.requestor.method === 'signed') return
    for (const type of ['text/plain', 'application/json; charset=utf-8'])
      for (const request of requests)
        expectStatus(`POST /session as ${type}`, await service.post(request, { 'Content-Type': type }), 200)
    const { headers } = await service.requestor.body('disclosing', service.disclosure())
    const broken = await service.call('POST', `${service.server}/session`, { headers, body: '{' })
    expectError('POST /session with a body that is no JSON', broken, 400, 'INVALID_REQUEST')
  },
  async '4.1 DELETE /session/{requestorToken}'(service) {
    const session = await service.create()
    const answer = await service.call('DELETE', session.requestor)
    expectStatus('DELETE', answer, 200)
    expectSame('no body', answer.text, '')
    expectEqual('status after DELETE', await service.status(session), 'CANCELLED')
  },
  async '4.1 GET status'(service) {
    const { requestor } = await service.create()
    expectEqual('body', (await service.get(`${requestor}/status`)).text.trim(), '"INITIALIZED"')
  },
  async '4.1 GET statusevents'(service) {
    const url = ({ requestor }: Session): string => `${requestor}/statusevents`
    const heard = await heardOf(service, url, session => service.answer(session))
    expectEqual('events', heard, ['"CONNECTED"', '"DONE"'])
  },
  async '4.1 GET result'(service) {
    const { result } = await service.ordinary('disclosing')
    expectEqual('what is disclosed', at(result, 'disclosed', 0, 0, 'id'), service.subject.attribute.id)
    const unknown = await service.get(`${service.server}/session/${NO_TOKEN}/result`)
    expectError('GET result of an unknown session', unknown, 400, 'SESSION_UNKNOWN')
  },
}

const SHARED: Trials = {
  async '4.2 DELETE'(service) {
    const session = await service.create()
    const answer = await service.call('DELETE', session.app)
    expectStatus('DELETE', answer, 200)
    expectSame('no body', answer.text, '')
    expectEqual('status after DELETE', await service.status(session), 'CANCELLED')
  },
  async '4.2 GET status'(service) {
    const { app } = await service.create()
    expectEqual('body', (await service.get(`${app}/status`)).text.trim(), '"INITIALIZED"')
  },
  async '4.2 GET statusevents'(service) {
    const url = ({ app }: Session): string => `${app}/statusevents`
    const heard = await heardOf(service, url, ({ app }) => service.call('DELETE', app))
    expectEqual('events', heard, ['"CANCELLED"'])
  },
}

/** Sends a submission of another session, which answers that session's nonce. */
async function nonceOfAnother(service: Service): Promise<void> {
  const { calls } = await service.ordinary('disclosing')
  const { sent } = callOf({ calls }, 'POST', '/proofs')
  const session = await service.create()
  const replayed = await service.answer(session, { tamper: () => sent })
  const { got } = callOf(replayed, 'POST', '/proofs')
  expectEqual('answer to proofs for another nonce', got, { proofStatus: 'INVALID' })
  expectEqual('status', await service.status(session), 'DONE')
}

async function outside(service: Service): Promise<void> {
  const fresh = await service.create()
  const cancelled = await service.create()
  await service.call('DELETE', cancelled.app)
  const unknown = { ...fresh, app: fresh.app.replace(/[^/]+$/, NO_TOKEN) }
  for (const [session, what] of [
    [unknown, 'an unknown token'],
    [fresh, 'INITIALIZED'],
    [cancelled, 'CANCELLED'],
  ] as const)
    for (const [method, end] of [
      ['GET', '/request'],
      ['POST', '/proofs'],
      ['POST', '/commitments'],
    ] as const) {
      const answer = await service.asApp(session, method, end, method === 'POST' ? {} : undefined)
      expectError(`${method} ${end.slice(1)} (${what})`, answer, 400, 'SESSION_UNKNOWN')
    }
}

/** Sends a submission twice: the server must repeat its answer, or refuse the second one. */
async function submittedTwice(service: Service): Promise<void> {
  const session = await service.create()
  const played = await service.answer(session)
  const { sent } = callOf(played, 'POST', '/proofs')
  const again = await service.asApp(session, 'POST', '/proofs', sent)
  expectRefusal('POST proofs again, by another app', again)
  if (!service.isLong) return
  await service.wait(REPEATED_FOR_MS)
  for (const end of ['/request', '/proofs', '/commitments']) {
    const [method, body] = end === '/request' ? ['GET', undefined] : ['POST', sent]
    const late = await service.asApp(session, method, end, body)
    expectError(`${end} in DONE`, late, 400, 'SESSION_UNKNOWN')
  }
}

const APP: Trials = {
  async '4.3 GET session'(service) {
    const session = await service.create()
    const answer = await service.connect(session)
    expectStatus('GET session', answer, 200)
    expectEqual('protocolVersion', at(answer.json, 'protocolVersion'), '2.8')
    const again = await service.connect(session, '2.5')
    expectError('GET session in CONNECTED', again, 400, 'SESSION_UNKNOWN')
  },
  async '4.3 GET request'(service) {
    const session = await service.create()
    const early = await service.asApp(session, 'GET', '/request')
    expectError('GET request in INITIALIZED', early, 400, 'SESSION_UNKNOWN')
    const { json } = await service.connect(session)
    const request = await service.asApp(session, 'GET', '/request')
    expectStatus('GET request in CONNECTED', request, 200)
    expectSame('the session request of the first answer', request.json, at(json, 'request'))
  },
  async '4.3 POST proofs'(service) {
    const played = await service.ordinary('disclosing')
    expectValid(played)
    await submittedTwice(service)
    expectValid(await service.ordinary('signing'))
  },
  async '4.3 POST commitments'(service) {
    expectStatusOf(await service.ordinary('issuing'), '/commitments')
  },
  '4.3 submission': nonceOfAnother,
  '4.3 SESSION_UNKNOWN': outside,
}

/** Expects the answer to valid proofs, with nothing beside the proofStatus. */
function expectValid(played: Parameters<typeof wordsOf>[0]): void {
  expectStatusOf(played, '/proofs')
  expectEqual('answer to POST proofs', callOf(played, 'POST', '/proofs').got, { proofStatus: 'VALID' })
}

function expectStatusOf(played: Parameters<typeof wordsOf>[0], end: string): void {
  expectEqual(`status of POST ${end.slice(1)}`, callOf(played, 'POST', end).status, 200)
}

export const TRIALS_OF_ENDPOINTS: Trials = { ...REQUESTOR, ...SHARED, ...APP }
