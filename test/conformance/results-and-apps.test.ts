import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { CONTEXT, disclosure, issuance, NOTE, signature } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'
import { startSigningService } from './signing-service.ts'

const { service, publicKeyPem, claimsOf } = await startSigningService()
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
const TYPES = [
  ['disclosure', disclosure(), 'verification_result'],
  ['signature', signature(), 'signing_result'],
  ['issuance', issuance(), 'issuing_result'],
] as const

const Results = suite('spec/interface#5.2: authenticity of results')

for (const [type, request, sub] of TYPES)
  Results(`5.2 result-jwt ${type}: the result with iss, iat and sub ${sub}`, async () => {
    const session = await service.create(request)
    await service.answer(session)
    const { exp, ...claims } = claimsOf((await service.get(`${session.requestor}/result-jwt`)).text)
    const { json } = await service.get(`${session.requestor}/result`)
    assert.equal(claims, { iat: NOW_SEC, iss: 'demo server', sub, ...Object(json) })
  })

Results('5.2 exp: follows the validity of the request', async () => {
  const { requestor } = await service.create({ request: disclosure(), validity: 45 })
  assert.is(claimsOf((await service.get(`${requestor}/result-jwt`)).text).exp, NOW_SEC + 45)
})

Results('5.2 getproof: the older structure', async () => {
  const session = await service.create(signature())
  await service.answer(session)
  const claims = claimsOf((await service.get(`${session.requestor}/getproof`)).text)
  assert.equal([claims.sub, claims.status, claims.attributes], ['abs_result', 'VALID', { [NOTE]: 'hello' }])
  assert.is(claims.signature.message, 'I agree')
})

Results('5.2 publickey: verifies both', async () => {
  assert.is((await service.get('/publickey')).text, publicKeyPem)
})

Results.run()

const Apps = suite('spec/interface#5.3: wallet app and frontend')

Apps('5.3 rule 1: the app needs no credentials but the client token, which nobody guesses', async () => {
  const session = await service.create(disclosure())
  assert.is((await service.get(session.app, VERSIONS)).status, 200)
  assert.match(session.clientToken, /^[0-9a-zA-Z]{20}$/)
})

Apps('5.3 rule 2: frontends need the token of their session', async () => {
  const { frontend, authorization } = await service.create(disclosure())
  assert.is((await service.get(`${frontend}/status`)).status, 403)
  assert.is((await service.get(`${frontend}/status`, authorization)).status, 200)
})

Apps(
  '5.3 rule 3: with pairing the session goes on when the frontend says so, and pairing is off by default',
  async () => {
    const { frontend, authorization, app } = await service.create(disclosure())
    const post = (end: string, body?: object) =>
      service.call('POST', `${frontend}/${end}`, { headers: authorization, ...(body && { body }) })
    await post('options', { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' })
    await service.get(app, VERSIONS)
    assert.is((await service.get(`${app}/request`)).status, 400)
    await post('pairingcompleted')
    assert.is((await service.get(`${app}/request`)).status, 200)
    const plain = await service.create(disclosure())
    const { options, request } = Object((await service.get(plain.app, VERSIONS)).json)
    assert.equal([options, typeof request], [undefined, 'object'])
  },
)

Apps(
  '5.3 rule 4: a request with devMode is for apps in developer mode; production leaves it out',
  async () => {
    await service.wallet.setDeveloperMode(false)
    const { outcome } = await service.answer(await service.create(disclosure()))
    assert.is(outcome.status, 'failed') // it also uses plain HTTP
    await service.wallet.setDeveloperMode(true)
    const production = await startService({ production: true, noAuth: true })
    const { app } = await production.create(disclosure())
    assert.not.ok('devMode' in Object((await production.get(app, VERSIONS)).json).request)
    await production.close()
  },
)

Apps.after(() => service.close())
Apps.run()
