import * as assert from 'uvu/assert'
import { PROFILES, type ProfileName } from '../../../protocol/profiles.ts'
import { suite } from '../../suite.ts'
import type { Played } from '../app.ts'
import type { Json } from '../json.ts'
import { OLD_VERSIONS, type OldVersion } from '../older-forms.ts'
import { CONTEXT, disclosure, issuance, NOTE, OVER18, signature } from '../requests.ts'
import { type Service, startService } from '../service.ts'

const services: Record<ProfileName, Service> = {
  svc: await startService(),
  irma: await startService({ profile: 'irma', minProtocolVersion: '2.4' }),
}
const { svc } = services
const PROFILE_NAMES = ['svc', 'irma'] as const

/** Headers of the profile for the versions that an app announces. */
function announcing(min: string, max: string, profile: ProfileName = 'svc'): Record<string, string> {
  const { minVersionHeader, maxVersionHeader } = PROFILES[profile]
  return { [minVersionHeader]: min, [maxVersionHeader]: max, Authorization: 'an app' }
}

/** A request in the words of a profile. */
function inWords(request: object, profile: ProfileName): object {
  return JSON.parse(JSON.stringify(request).replaceAll(CONTEXT, PROFILES[profile].contextBase))
}

/** @returns the answers of the wallet, and the result */
async function play(request: object, profile: ProfileName, version: OldVersion) {
  const service = services[profile]
  const session = await service.create(inWords(request, profile))
  const played = await service.answer(session, { version })
  const result: Json = (await service.get(`${session.requestor}/result`)).json
  return { played, result, clientToken: session.clientToken }
}

/** The texts of the server's answers to the first call, and to the submission. */
function textsOf({ calls }: Played): readonly [first: string, last: string] {
  return [calls[0]?.text ?? '', calls.at(-1)?.text ?? '']
}

/** The type of a remote error, or the text itself. */
function errorOr(text: string): string {
  return JSON.parse(text).error ?? text
}

const Versions = suite('spec/interface#9: versioning')

for (const profile of PROFILE_NAMES)
  for (const version of OLD_VERSIONS)
    Versions(
      `9.1 older forms: a wallet of version ${version} discloses, signs and receives (${profile})`,
      async () => {
        for (const request of [disclosure(), signature(), issuance({ disclose: [[[NOTE]]] })]) {
          const { played, result } = await play(request, profile, version)
          assert.is(played.outcome.status, 'success')
          assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
          const [first, last] = textsOf(played)
          assert.is(JSON.parse(first).protocolVersion, version)
          assert.is(JSON.parse(first).options, undefined)
          assert.is(last.startsWith('{'), version === '2.7')
        }
      },
    )

Versions('9.1 version 2.4: the request in the form before conjunctions, and the bare answer', async () => {
  const disclose = [[[OVER18], [NOTE]], [[{ type: NOTE, value: 'hello' }]]]
  const { played } = await play(
    disclosure({ disclose, labels: { 0: { en: 'Age', nl: 'Leeftijd' } } }),
    'svc',
    '2.4',
  )
  const [first, last] = textsOf(played)
  const { nonce, ...request } = JSON.parse(first)
  assert.equal(request, {
    context: 'AQ==',
    protocolVersion: '2.4',
    type: 'disclosing',
    content: [
      { label: 'Age', attributes: [OVER18, NOTE] },
      { label: 'text', attributes: { [NOTE]: 'hello' } },
    ],
  })
  assert.ok(
    first.startsWith(
      `{"context":"AQ==","nonce":"${nonce}","protocolVersion":"2.4","type":"disclosing","content":[`,
    ),
  )
  assert.is(last, '"VALID"')
})

Versions('9.1 version 2.4: only for requests that its form can express', async () => {
  for (const disclose of [[[[OVER18, 'svc-demo.gov.idcard.familyname']]], [[[OVER18], []]]]) {
    const { app } = await svc.create(disclosure({ disclose }))
    const { json } = await svc.get(app, announcing('2.4', '2.4'))
    assert.is(Object(json).error, 'PROTOCOL_VERSION')
  }
})

Versions(
  '9.1 version 2.7: invalid proofs at an issuance are a status; below 2.7 an error, and the status is a bare text',
  async () => {
    const tamper = ({ combinedProofs: [first, ...rest], ...body }: Json): Json => ({
      ...body,
      combinedProofs: [{ ...first, s_response: 'AQ==' }, ...rest],
    })
    for (const [version, status, answered, sessionStatus] of [
      ['2.7', 200, '{"proofStatus":"INVALID"}', 'DONE'],
      ['2.6', 400, 'INVALID_PROOFS', 'CANCELLED'],
      ['2.5', 400, 'INVALID_PROOFS', 'CANCELLED'],
      ['2.4', 400, 'INVALID_PROOFS', 'CANCELLED'],
    ] as const) {
      const session = await svc.create(issuance())
      const { calls } = await svc.answer(session, { version, tamper })
      const submitted = calls.find(({ path }) => path.endsWith('/commitments'))
      assert.equal([submitted?.status, errorOr(submitted?.text ?? '')], [status, answered])
      assert.is((await svc.get(`${session.requestor}/status`)).text, `"${sessionStatus}"`)
    }
    const wrong = ({ proofs: [first], ...body }: Json): Json => ({
      ...body,
      proofs: [{ ...first, c: 'AQ==' }],
    })
    for (const [version, answered] of [
      ['2.7', '{"proofStatus":"INVALID"}'],
      ['2.6', '"INVALID"'],
    ] as const) {
      const session = await svc.create(disclosure({ disclose: [[[NOTE]]] }))
      const { calls } = await svc.answer(session, { version, tamper: wrong })
      assert.is(calls.find(({ path }) => path.endsWith('/proofs'))?.text, answered)
      assert.is((await svc.get(`${session.requestor}/status`)).text, '"DONE"')
    }
  },
)

Versions(
  '9.1 version 2.8: pairing, /request, and chained sessions from 2.7 on, raise the lowest version that is served',
  async () => {
    const { app, frontend, authorization } = await svc.create(disclosure())
    const body = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
    await svc.call('POST', `${frontend}/options`, { headers: authorization, body })
    assert.is(Object((await svc.get(app, announcing('2.4', '2.7'))).json).error, 'PROTOCOL_VERSION')

    const older = await svc.create(disclosure())
    await svc.get(older.app, announcing('2.4', '2.7'))
    const { status, json } = await svc.get(`${older.app}/request`, announcing('2.4', '2.7'))
    assert.equal([status, Object(json).error], [403, 'UNEXPECTED_REQUEST'])

    const chained = { request: disclosure(), nextSession: { url: 'http://127.0.0.1/next' } }
    const refused = await svc.get((await svc.create(chained)).app, announcing('2.4', '2.6'))
    assert.is(Object(refused.json).error, 'PROTOCOL_VERSION')
    const { app: served } = await svc.create(chained)
    assert.is(Object((await svc.get(served, announcing('2.4', '2.7'))).json).protocolVersion, '2.7')
  },
)

Versions(
  '9.6 versions: 2.4 to 2.8, never 2.9; by default all of them (svc), or 2.8 alone (irma)',
  async () => {
    const today = await startService({ profile: 'irma' })
    for (const [profile, service, lowest] of [
      ['svc', svc, 4],
      ['irma', services.irma, 4],
      ['irma', today, 8],
    ] as const)
      for (let minor = 3; minor <= 9; minor++) {
        const { app } = await service.create(inWords(disclosure(), profile))
        const { json } = await service.get(app, announcing('2.0', `2.${minor}`, profile))
        const { protocolVersion, error } = Object(json)
        assert.is(protocolVersion ?? error, minor < lowest ? 'PROTOCOL_VERSION' : `2.${Math.min(minor, 8)}`)
      }
    await today.close()
  },
)

Versions.after(async () => {
  for (const service of Object.values(services)) await service.close()
})

Versions.run()
