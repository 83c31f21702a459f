import * as assert from 'uvu/assert'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { CONTEXT, disclosure, OVER18, signature } from './requests.ts'
import { type Service, startService } from './service.ts'

const callbackUrl = 'http://127.0.0.1/results'
const nextSession = { url: 'http://127.0.0.1/next' }
const EXTENDED = {
  over18: { callbackUrl, request: disclosure() },
  statement: { callbackUrl, request: signature() },
  chain: { callbackUrl, nextSession, request: disclosure() },
}

function staticSessions(profile: ProfileName): ReadonlyMap<string, ExtendedRequest> {
  const { contextBase } = PROFILES[profile]
  const named = JSON.parse(JSON.stringify(EXTENDED).replaceAll(CONTEXT, contextBase))
  return new Map(Object.keys(named).map(name => [name, parseSessionRequest(named[name], PROFILES[profile])]))
}

const services: Record<ProfileName, Service> = {
  svc: await startService({ staticSessions: staticSessions('svc') }),
  irma: await startService({
    profile: 'irma',
    staticSessions: staticSessions('irma'),
    allowUnsignedCallbacks: true,
  }),
}
const PROFILE_NAMES = ['svc', 'irma'] as const

/** Starts a session like a wallet app that scanned a printed code. @returns the pointer of the session */
async function scan(name: string, profile: ProfileName): Promise<string> {
  const { prefix } = PROFILES[profile]
  const { status, text } = await services[profile].call('POST', `${prefix}/session/${name}`, { body: {} })
  assert.is(status, 200)
  return text
}

/** Results that arrived since the last call of this function. */
async function results({ callbacks }: Service, count: number): Promise<Json[]> {
  await until(() => callbacks.length >= count, `${count} results`, settle)
  return callbacks.splice(0).map(({ url, body }) => ({ url, ...JSON.parse(body) }))
}

const Static = suite('static sessions')

for (const profile of PROFILE_NAMES) {
  const service = services[profile]

  Static(
    `static sessions POST: a pointer of a new session each time, which ends at the callback (${profile})`,
    async () => {
      for (const [name, type] of [
        ['over18', 'disclosing'],
        ['statement', 'signing'],
        ['over18', 'disclosing'],
      ] as const) {
        const pointer = await scan(name, profile)
        const { u, ...rest } = JSON.parse(pointer)
        assert.equal(rest, { [PROFILES[profile].pointerField]: type })
        assert.match(u, new RegExp(`^${service.url}${PROFILES[profile].prefix.slice(1)}/session/\\w{20}$`))
        const { outcome } = await service.answerPointer(pointer)
        assert.is(outcome.status, 'success')
        const [result] = await results(service, 1)
        assert.equal([result.url, result.status, result.proofStatus], [callbackUrl, 'DONE', 'VALID'])
        assert.is(result.type, type)
      }
    },
  )

  Static(
    `static sessions nextSession: the next session has the permissions of all requestors (${profile})`,
    async () => {
      const request = disclosure({ '@context': `${PROFILES[profile].contextBase}/ld/request/disclosure/v2` })
      service.nextAnswers.push({ status: 200, text: JSON.stringify(request) })
      const { outcome, calls } = await service.answerPointer(await scan('chain', profile))
      assert.is(outcome.status, 'success')
      assert.is(calls.filter(({ path }) => path.endsWith('/proofs')).length, 2)
      const [result] = await results(service, 1)
      assert.type(result.nextSession, 'string')
      assert.is(service.posted.splice(0)[0]?.url, nextSession.url)
      const next: Json = (await service.get(`/session/${result.nextSession}/result`)).json
      assert.is(next.disclosed[0][0].id, OVER18)
    },
  )

  Static(
    `static sessions unknown name: 400 INVALID_REQUEST; a name has no other endpoint (${profile})`,
    async () => {
      const { prefix } = PROFILES[profile]
      const unknown = await service.call('POST', `${prefix}/session/nothing`, { body: {} })
      assert.equal([unknown.status, Object(unknown.json).error], [400, 'INVALID_REQUEST'])
      assert.is(Object(unknown.json).message, 'unknown static session')
      const read = await service.get(`${prefix}/session/over18`)
      assert.equal([read.status, Object(read.json).error], [400, 'SESSION_UNKNOWN'])
    },
  )
}

Static('static sessions copies: nonces and tokens are new each time (spec/session-server#q3)', async () => {
  const calls = []
  for (const _ of [1, 2]) {
    const { call } = await services.svc.answerPointer(await scan('over18', 'svc'))
    calls.push(call('GET', '/').got.request.nonce)
  }
  assert.is(new Set(calls).size, 2)
  const tokens = (await results(services.svc, 2)).map(({ token }) => token)
  assert.is(new Set(tokens).size, 2)
})

Static.after(async () => {
  for (const service of Object.values(services)) await service.close()
})

Static.run()

const Listeners = suite('listeners and paths')

Listeners('client_port: a requestor on one listener, the wallet on the other', async () => {
  const service = await startService({}, true)
  const session = await service.create(disclosure())
  assert.is((await service.answer(session)).outcome.status, 'success')
  const { json } = await service.get(`${session.requestor}/result`)
  assert.is(Object(json).proofStatus, 'VALID')
  assert.is((await service.clients.call('GET', `${session.requestor}/result`)).status, 404)
  assert.is((await service.get(`${session.app}/status`)).status, 404)
  await service.close()
})

Listeners('api_prefix: the calls of all parties work below it', async () => {
  const service = await startService({ apiPrefix: '/api/v1' })
  const session = await service.create(disclosure())
  assert.match(session.pointer, `${service.url}svc/session/`)
  const { outcome, calls } = await service.answer(session)
  assert.is(outcome.status, 'success')
  assert.ok(calls.every(({ path }) => path.startsWith('/api/v1/svc/session/')))
  const { json } = await service.get(`/api/v1${session.requestor}/result`)
  assert.is(Object(json).proofStatus, 'VALID')
  assert.is((await service.get(`${session.requestor}/result`)).status, 404)
  await service.close()
})

Listeners.run()
