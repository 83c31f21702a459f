/** Signed results (spec/interface#4.1, #5.2), and the calls after the end of a session (spec/interface#2.6, #6). @module */
import { createPublicKey, verify } from 'node:crypto'
import { pause } from '../../../ports/clock.ts'
import { timeLimit } from '../../../ports/limit.ts'
import type { SessionType } from '../../../protocol/request.ts'
import {
  expectEqual,
  expectError,
  expectSame,
  expectStatus,
  expectText,
  expectThat,
  NotTriedError,
} from '../expect.ts'
import { at, membersOf, parsed } from '../json.ts'
import type { PostedCall } from '../other-servers.ts'
import { callOf, type Service, type Session, wordsOf } from '../service.ts'
import type { Trial, Trials } from './trial.ts'

/** Maximum wait for a callback that is due immediately. */
const CALLBACK_MS = 10_000
/** Maximum difference between the clocks of the server and of this process. */
const MAX_SKEW_SEC = 300

async function publicKey(service: Service): Promise<string> {
  const answer = await service.get(`${service.server}/publickey`)
  if (answer.status >= 500) throw new NotTriedError('the server has no JWT private key')
  expectStatus('GET /publickey', answer, 200)
  expectText('a key in PEM', answer.text, /^-----BEGIN PUBLIC KEY-----/)
  return answer.text
}

/** @returns the claims of a JWT, after verifying it with the published key */
async function claimsOf(service: Service, jwt: string): Promise<Readonly<Record<string, unknown>>> {
  const key = createPublicKey(await publicKey(service))
  const [head = '', body = '', signature = ''] = jwt.trim().split('.')
  const isRight = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
  expectThat(isRight, 'a JWT that the key of GET /publickey verifies', 'another signature')
  return membersOf(parsed(Buffer.from(body, 'base64url').toString()))
}

async function signedResult(service: Service, requestor: string, end = 'result-jwt') {
  await publicKey(service)
  const answer = await service.get(`${requestor}/${end}`)
  expectStatus(`GET ${end}`, answer, 200)
  return await claimsOf(service, answer.text)
}

const jwtOf =
  (type: SessionType, subject: (service: Service) => string): Trial =>
  async service => {
    const { session, result } = await service.ordinary(type)
    const { exp, iat, iss, sub, ...rest } = await signedResult(service, session.requestor)
    expectEqual('sub', sub, subject(service))
    expectThat(typeof iss === 'string' && typeof iat === 'number', 'iss and iat', 'none')
    const ageSec = service.clock.wallNow() / 1_000 - iat
    expectThat(Math.abs(ageSec) < MAX_SKEW_SEC, 'iat: the time of the call', `${Math.round(ageSec)} s ago`)
    expectSame('the result', rest, result)
  }

async function validity(service: Service): Promise<void> {
  for (const [members, expected] of [
    [{}, 120],
    [{ validity: 30 }, 30],
  ] as const) {
    const { requestor } = await service.create({ ...members, request: service.disclosure() })
    const { exp, iat } = await signedResult(service, requestor)
    expectEqual('exp minus iat', Number(exp) - Number(iat), expected)
  }
}

async function legacyStructure(service: Service): Promise<void> {
  const { session } = await service.ordinary('disclosing')
  const { sub, status, attributes } = await signedResult(service, session.requestor, 'getproof')
  expectEqual('sub and status', [sub, status], ['disclosure_result', 'VALID'])
  const { id, value } = service.subject.attribute
  expectSame('the attributes by their types', attributes, { [id]: value })
  const signing = (await service.ordinary('signing')).session
  const signed = await signedResult(service, signing.requestor, 'getproof')
  expectEqual('sub and status of a signature', [signed.sub, signed.status], ['abs_result', 'VALID'])
  expectSame('its attributes', signed.attributes, { [id]: value })
  expectEqual('its message', at(signed.signature, 'message'), 'I agree')
}

const SIGNED: Trials = {
  '4.1 GET result-jwt': jwtOf('disclosing', ({ profile }) => profile.disclosureResultSubject),
  '4.1 GET getproof': legacyStructure,
  async '4.1 GET /publickey'(service) {
    await publicKey(service)
  },
  '2.6 validity': validity,
  '5.2 result-jwt disclosure': jwtOf('disclosing', ({ profile }) => profile.disclosureResultSubject),
  '5.2 result-jwt signature': jwtOf('signing', () => 'signing_result'),
  '5.2 result-jwt issuance': jwtOf('issuing', () => 'issuing_result'),
  '5.2 exp': validity,
  '5.2 getproof': legacyStructure,
  async '5.2 publickey'(service) {
    const { requestor } = (await service.ordinary('disclosing')).session
    for (const end of ['result-jwt', 'getproof']) await signedResult(service, requestor, end)
  },
  '8 result JWT validity': validity,
}

/** The address that the server calls for a session.
 *  @throws {NotTriedError} if it cannot call this process */
function receiver({ others }: Service, next: object | null) {
  if (others !== null) return others.expect(next)
  throw new NotTriedError(
    'the server has no address to call: --listen-url URL says how it reaches this command',
  )
}

/** Reads a posted result, which is signed if the server has a key. */
async function resultIn(service: Service, { body }: PostedCall): Promise<Readonly<Record<string, unknown>>> {
  return body.startsWith('{') ? membersOf(parsed(body)) : await claimsOf(service, body)
}

async function postedInTime(
  service: Service,
  posted: Promise<PostedCall>,
  what: string,
): Promise<PostedCall> {
  using limit = timeLimit(service.clock, CALLBACK_MS, service.signal)
  const late = pause(service.clock, CALLBACK_MS, limit.signal).then(() => null)
  const got = await Promise.race([posted, late])
  expectThat(got !== null, what, `none within ${CALLBACK_MS / 1_000} s`)
  return got
}

async function createCalling(service: Service, members: object) {
  const answer = await service.post({ request: service.disclosure(), ...members })
  const isUnsupported = answer.status === 501
  if (isUnsupported) throw new NotTriedError('the server posts no results without a JWT private key')
  expectStatus('POST /session', answer, 200)
  return answer
}

/** Expects the posted result to be that of the session. */
async function expectResult(service: Service, session: Session, posted: object): Promise<void> {
  const { exp, iat, iss, sub, ...rest } = membersOf(posted)
  expectSame('the result of the session', rest, await service.result(session))
}

/** The result of a session that ends without an answer is posted too. */
async function callbackWithout(
  service: Service,
  status: string,
  end: (session: Session) => Promise<unknown>,
): Promise<void> {
  const { url, posted } = receiver(service, null)
  const session = await service.create({ request: service.disclosure(), callbackUrl: url, timeout: 1 })
  await end(session)
  const result = await resultIn(service, await postedInTime(service, posted, `the result of ${status}`))
  expectEqual('status and proofStatus', [result.status, result.proofStatus], [status, undefined])
  await expectResult(service, session, result)
}

async function callback(service: Service): Promise<void> {
  const { url, posted } = receiver(service, null)
  await createCalling(service, { callbackUrl: '' })
  await createCalling(service, { callbackUrl: url })
  const session = await service.create({ request: service.disclosure(), callbackUrl: url })
  await service.answer(session)
  const got = await postedInTime(service, posted, 'the result, posted to callbackUrl')
  const result = await resultIn(service, got)
  expectEqual('status and proofStatus', [result.status, result.proofStatus], ['DONE', 'VALID'])
  await expectResult(service, session, result)
  await callbackWithout(service, 'CANCELLED', ({ requestor }) => service.call('DELETE', requestor))
  await callbackWithout(service, 'TIMEOUT', () => service.wait(3_000))
  const wrong = await service.post({ request: service.disclosure(), callbackUrl: 5 })
  expectError('POST /session with a callbackUrl that is no text', wrong, 400, 'INVALID_REQUEST')
}

/** Runs a chain of two sessions to its end. */
async function chain(service: Service) {
  const { url, posted } = receiver(service, service.disclosure())
  const asked = { request: service.disclosure(), nextSession: { url } }
  await createCalling(service, { nextSession: { url } })
  const session = await service.create(asked)
  const played = await service.answer(session)
  const got = await postedInTime(service, posted, 'the result, posted to the url of nextSession')
  return { session, played, result: await resultIn(service, got) }
}

async function nextSession(service: Service): Promise<void> {
  const { session, played, result } = await chain(service)
  expectSame('the requestor token', result.token, session.token)
  const expected = [service.profile.chainedStatus, 'VALID']
  expectEqual('status and proofStatus of what is posted', [result.status, result.proofStatus], expected)
  const { outcome } = played
  expectThat(outcome.status === 'success', 'a chain that succeeds', wordsOf(played))
  expectEqual('sessions in the chain', outcome.chainLink, 2)
  const { url } = receiver(service, {})
  const broken = await service.create({ request: service.disclosure(), nextSession: { url } })
  const { got } = callOf(await service.answer(broken), 'POST', '/proofs')
  expectEqual('error where no request follows', at(got, 'error'), 'NEXT_SESSION')
  expectEqual('status then', await service.status(broken), 'CANCELLED')
}

async function pointerOfNext(service: Service): Promise<unknown> {
  const { played, session } = await chain(service)
  const first = played.calls.find(({ path }) => path.endsWith('/proofs'))
  const next = at(parsed(first?.text ?? ''), 'nextSession')
  expectEqual('type of the next session', at(next, service.profile.pointerField), 'disclosing')
  const { pathname } = new URL(String(at(next, 'u')))
  const isCalled = played.calls.some(({ path }) => path.replace(/\/$/, '') === pathname)
  expectThat(isCalled, 'an app that goes on with the next session', 'none')
  const answer = await service.get(`${session.frontend}/status`, session.authorization)
  expectSame('frontend status: DONE, and the pointer', answer.json, { status: 'DONE', nextSession: next })
  return next
}

export const TRIALS_OF_SIGNED_RESULTS: Trials = {
  ...SIGNED,
  '2.6 callbackUrl': callback,
  '6 callbackUrl': callback,
  '2.6 nextSession': nextSession,
  '6 nextSession': nextSession,
  async '2.9 response nextSession'(service) {
    await pointerOfNext(service)
    const { got } = callOf(await service.ordinary('disclosing'), 'POST', '/proofs')
    expectSame('none where no session follows', at(got, 'nextSession'), undefined)
  },
  async '2.10 frontend status nextSession'(service) {
    await pointerOfNext(service)
  },
}
