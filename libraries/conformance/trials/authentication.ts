/** Authentication of requestors (spec/interface#2.6, #2.7, #5.1), as far as one requestor can test it. @module */
import type { SessionType } from '../../../protocol/request.ts'
import type { Answer } from '../answer.ts'
import { expectEqual, expectError, expectStatus, expectThat, NotTriedError } from '../expect.ts'
import { at } from '../json.ts'
import type { Service } from '../service.ts'
import type { Trial, Trials } from './trial.ts'

/** The default maximum age of a signed request, plus one hour. */
const TOO_OLD_SEC = 3_900
const CLAIMS = {
  disclosing: { sub: 'verification_request', field: 'sprequest' },
  signing: { sub: 'signature_request', field: 'absrequest' },
  issuing: { sub: 'issue_request', field: 'iprequest' },
} as const

function send(service: Service, body: string, contentType = 'text/plain'): Promise<Answer> {
  const headers = { 'Content-Type': contentType }
  return service.call('POST', `${service.server}/session`, { headers, body })
}

/** A validly signed request, except for these claims. */
async function signed(service: Service, claims: object = {}): Promise<string> {
  const { sub, field } = CLAIMS.disclosing
  return await service.requestor.sign({ sub, [field]: { request: service.disclosure() }, ...claims })
}

const ofSigner =
  (trial: Trial): Trial =>
  service => {
    if (service.requestor.method === 'signed') return trial(service)
    throw new NotTriedError('the requestor signs nothing: --auth-method hmac or rsa')
  }

const subject = (type: SessionType): Trial =>
  ofSigner(async service => {
    const { sub, field } = CLAIMS[type]
    const request = service.request(type)
    const right = await send(
      service,
      await service.requestor.sign({ sub, [field]: { request, timeout: 10 } }),
    )
    if (right.status === 403) throw new NotTriedError(`this requestor may not begin such a session (${type})`)
    expectStatus(`POST /session with ${sub} and ${field}`, right, 200)
    expectEqual('type', at(right.json, 'sessionPtr', service.profile.pointerField), type)
    for (const claims of [
      { sub, other: { request } },
      { sub: 'request', [field]: { request } },
      { sub, [field]: request },
    ]) {
      const wrong = await send(service, await service.requestor.sign(claims))
      expectError('POST /session with another sub or field', wrong, 400, 'INVALID_REQUEST')
    }
  })

function withHeader(jwt: string, header: object): string {
  const [, body = '', signature = ''] = jwt.split('.')
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), body, signature].join('.')
}

const SIGNED: Trials = {
  '2.7 signed request': ofSigner(async service => {
    const sprequest = { request: service.disclosure(), timeout: 1 }
    const answer = await send(service, await signed(service, { sprequest }))
    expectStatus('POST /session with a signed request', answer, 200)
    await service.wait(3_000)
    const status = await service.get(`${service.server}/session/${at(answer.json, 'token')}/status`)
    expectEqual('status after the timeout of the signed request', status.json, 'TIMEOUT')
  }),
  '5.1 text/plain': ofSigner(async service => {
    const wrong = await send(service, await signed(service), 'application/json')
    expectError('POST /session with a JWT as application/json', wrong, 400, 'INVALID_REQUEST')
    expectStatus('POST /session with a JWT as text/plain', await send(service, await signed(service)), 200)
  }),
  '5.1 signed requests only': ofSigner(async service => {
    const plain = await service.call('POST', `${service.server}/session`, { body: service.disclosure() })
    expectError('POST /session with a request that is not signed', plain, 400, 'INVALID_REQUEST')
  }),
  '5.1 RS256, HMAC-SHA256': ofSigner(async service => {
    const right = await signed(service)
    const unsigned = withHeader(right, { alg: 'none', typ: 'JWT' })
    const forged = right.replace(/.{5}$/, end => (end === 'AAAAA' ? 'BBBBB' : 'AAAAA'))
    for (const wrong of [forged, unsigned, unsigned.replace(/[^.]*$/, '')])
      expectError('POST /session with another signature', await send(service, wrong), 400, 'INVALID_REQUEST')
  }),
  '5.1 iat': ofSigner(async service => {
    const nowSec = Math.floor(service.clock.wallNow() / 1_000)
    const old = await send(service, await signed(service, { iat: nowSec - TOO_OLD_SEC }))
    expectError('POST /session with a JWT that is too old', old, 403, 'UNAUTHORIZED')
    const early = await send(service, await signed(service, { iat: nowSec + TOO_OLD_SEC }))
    expectError('POST /session with a JWT of the future', early, 400, 'INVALID_REQUEST')
  }),
  '5.1 iss': ofSigner(async service => {
    for (const iss of ['nobody that the server knows', '', undefined]) {
      const wrong = await send(service, await signed(service, { iss }))
      expectError('POST /session with another iss', wrong, 400, 'INVALID_REQUEST')
    }
  }),
  '5.1 sub disclosure': subject('disclosing'),
  '5.1 sub signature': subject('signing'),
  '5.1 sub issuance': subject('issuing'),
}

export const TRIALS_OF_AUTHENTICATION: Trials = {
  ...SIGNED,
  async '5.1 no_auth'(service) {
    const answer = await service.call('POST', `${service.server}/session`, { body: service.disclosure() })
    if (service.requestor.method === 'none') {
      expectStatus('POST /session without authentication', answer, 200)
      const headers = { Authorization: 'anything' }
      const ignored = await service.post(service.disclosure(), headers)
      expectStatus('POST /session with a needless Authorization header', ignored, 200)
    } else expectError('POST /session without authentication', answer, 400, 'INVALID_REQUEST')
  },
  async '5.1 token'(service) {
    const { method } = service.requestor
    if (method !== 'token') throw new NotTriedError('the requestor has no token: --auth-method token')
    const { headers, body } = await service.requestor.body('disclosing', service.disclosure())
    const [name = '', token = ''] =
      Object.entries(headers).find(([each]) => each.toLowerCase() === 'authorization') ?? []
    expectStatus('POST /session with the token', await service.post(service.disclosure()), 200)
    for (const wrong of [`Bearer ${token}`, `${token}x`, token.slice(1), token.toUpperCase()]) {
      const sent = { headers: { ...headers, [name]: wrong }, body }
      const refused = await service.call('POST', `${service.server}/session`, sent)
      expectError('POST /session with another token', refused, 403, 'UNAUTHORIZED')
    }
  },
  async '5.1 permissions to use hosts'(service) {
    const answer = await service.post(service.disclosure({ host: 'elsewhere.invalid' }))
    if (answer.status === 200) throw new NotTriedError('this requestor may use any host')
    expectError('POST /session with another host', answer, 403, 'UNAUTHORIZED')
  },
  async '2.6 request'(service) {
    for (const type of ['disclosing', 'signing'] as const)
      expectStatus(
        'POST /session with a wrapped request',
        await service.post({ request: service.request(type) }),
        200,
      )
    for (const body of [{ validity: 10 }, { request: null }, { request: 'x' }]) {
      const { status } = await service.post(body)
      expectThat(status === 400, 'POST /session without a request: 400', String(status))
    }
  },
}
