/** Revocation in sessions, from a request to its result (spec/cryptography#14.3, #14.6; spec/session-server#17). The server is the authority, and a
 *  wallet answers. @module */
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import { checkStoredSignature } from '../../sessions/check-signature.ts'
import { appHeaders } from '../http/harness.ts'
import { suite } from '../suite.ts'
import { agreeToAll } from '../wallet/play.ts'
import { schemes } from '../wallet/support.ts'
import type { PlayOptions } from './app.ts'
import type { Json } from './json.ts'
import { CONTEXT, disclosure, issuance, NOTE, note, signature } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'

const service = await startService({ permissions: { revokePerms: ['*'] }, allowUnsignedCallbacks: true })
const BADGE = 'svc-demo.fast.badge'
const LEVEL = `${BADGE}.level`

function badge(level: string): object {
  return { credential: BADGE, attributes: { level }, revocationKey: `key-${level}` }
}

/** A disclosure request for one badge that is not revoked. */
function asking(level: string, members: object = {}): object {
  return disclosure({ disclose: [[[{ type: LEVEL, value: level }]]], revocation: [BADGE], ...members })
}

async function receive(...levels: readonly string[]): Promise<Json> {
  const played = await service.answer(await service.create(issuance({ credentials: levels.map(badge) })))
  assert.is(played.outcome.status, 'success')
  return played.call('POST', '/commitments').got.sigs
}

async function resultOf(request: object, options: PlayOptions = {}): Promise<Json> {
  const session = await service.create(request)
  await service.answer(session, options)
  return (await service.get(`${session.requestor}/result`)).json
}

async function revoke(level: string): Promise<void> {
  const context = `${CONTEXT}/ld/request/revocation/v1`
  const { status } = await service.call('POST', '/revocation', {
    headers: { 'Content-Type': 'application/json' },
    body: { '@context': context, type: BADGE, revocationKey: `key-${level}` },
  })
  assert.is(status, 200)
}

/** For each list: raw value, and status of revocation. */
function told({ proofStatus, disclosed = [] }: Json): unknown[] {
  const lists = disclosed.map((list: Json) =>
    list.map(({ rawvalue, notrevoked, notrevokedbefore }: Json) => [rawvalue, notrevoked, notrevokedbefore]),
  )
  return [proofStatus, ...lists.flat()]
}

const Revocation = suite('revocation in sessions')

Revocation('revocation issuance: the credential comes with a witness of its own', async () => {
  const sigs = await receive('1', '2')
  assert.equal(
    sigs.map(({ nonrev }: Json) => Object.keys(nonrev)),
    Array(2).fill(['u', 'e', 'sacc', 'Updated']),
  )
  assert.is.not(sigs[0].nonrev.e, sigs[1].nonrev.e)
  const [plain] = (await service.answer(await service.create(issuance()))).call('POST', '/commitments').got
    .sigs
  assert.is(plain.nonrev, undefined)
})

Revocation('revocation of a type: a disclosure of the type needs a proof of non-revocation', async () => {
  await receive('proved')
  assert.equal(told(await resultOf(asking('proved'))), ['VALID', ['proved', true, undefined]])
  const unasked = await resultOf(asking('proved', { revocation: [] }))
  assert.equal(told(unasked), ['VALID', ['proved', undefined, undefined]])
})

Revocation(
  'revocation of two instances: each has its own status, and one stays valid after the other is revoked',
  async () => {
    await receive('first', 'second')
    const both = { disclose: ['first', 'second'].map(value => [[{ type: LEVEL, value }]]) }
    const proved = ['VALID', ['first', true, undefined], ['second', true, undefined]]
    assert.equal(told(await resultOf(asking('', both))), proved)
    await revoke('first')
    assert.is((await resultOf(asking('', both))).status, 'CANCELLED') // the wallet has no matching badge
    assert.equal(told(await resultOf(asking('second'))), ['VALID', ['second', true, undefined]])
  },
)

Revocation('revocation where it is optional: a revoked credential is left out', async () => {
  await receive('optional')
  const optional = { disclose: [[[{ type: LEVEL, value: 'optional' }], []], [[NOTE]]] }
  assert.equal(told(await resultOf(asking('', optional))), [
    'VALID',
    ['optional', true, undefined],
    ['hello', undefined, undefined],
  ])
  await revoke('optional')
  assert.equal(told(await resultOf(asking('', optional))), ['VALID', ['hello', undefined, undefined]])
})

Revocation(
  'revocation tolerance: the result of an older proof has the time up to which the credential was not revoked',
  async () => {
    await receive('late')
    const later = (sec: number): PlayOptions => ({
      consent: question => {
        service.clock.advance(sec * 1_000)
        return agreeToAll.consent(question)
      },
    })
    const revocation = { [BADGE]: { tolerance: 30 } }
    const nowSec = (): number => Math.floor(service.clock.now() / 1_000)
    service.clock.advance(60_000 - ((service.clock.now() - NOW_SEC * 1_000) % 60_000)) // until the accumulator was just signed
    const signedAtSec = nowSec()
    assert.equal(told(await resultOf(asking('late', { revocation }), later(30))), [
      'VALID',
      ['late', true, undefined],
    ])
    const outdated = await resultOf(asking('late', { revocation }), later(1))
    assert.equal(told(outdated), ['VALID', ['late', true, signedAtSec]])
    assert.equal(told(await resultOf(asking('late'))), ['VALID', ['late', true, undefined]])
  },
)

Revocation(
  'revocation in an issuance: the disclosure before it needs a proof of non-revocation',
  async () => {
    await receive('combined')
    const members = { disclose: [[[{ type: LEVEL, value: 'combined' }]]], revocation: [BADGE] }
    const credentials = [note(), badge('more')]
    const { status, ...result } = await resultOf(issuance({ credentials, ...members }))
    assert.equal([status, ...told(result)], ['DONE', 'VALID', ['combined', true, undefined]])
    assert.equal(told(await resultOf(asking('more'))), ['VALID', ['more', true, undefined]])
  },
)

Revocation(
  'revocation in a signature: proved as of its timestamp, and again when it is verified later',
  async () => {
    await receive('signed')
    const members = { disclose: [[[{ type: LEVEL, value: 'signed' }]]], revocation: [BADGE] }
    const result = await resultOf(signature(members))
    assert.equal(told(result), ['VALID', ['signed', true, undefined]])
    const arithmetic = chooseArithmetic('auto')
    const stored = {
      text: JSON.stringify(result.signature),
      stampKeys: [Buffer.from(result.signature.timestamp.Sig.PublicKey, 'base64')],
      nowSec: NOW_SEC + 1_000_000,
      schemes,
    }
    const judgement = await checkStoredSignature(stored, {
      verify: async list => verifyProofs(arithmetic, list),
      timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
    })
    assert.equal(told(judgement), ['VALID', ['signed', true, undefined]])
  },
)

Revocation('revocation in a chain: each session has its own proof of non-revocation', async () => {
  await receive('chained')
  service.nextAnswers.push({ status: 200, text: JSON.stringify(disclosure({ revocation: [BADGE] })) })
  const request = asking('chained')
  const session = await service.create({ request, nextSession: { url: 'https://shop.example/next' } })
  const { outcome } = await service.answer(session)
  assert.is(outcome.status, 'success')
  const first: Json = (await service.get(`${session.requestor}/result`)).json
  assert.equal(told(first), ['VALID', ['chained', true, undefined]])
  const second = (await service.get(`/session/${first.nextSession}/result`)).json
  assert.equal(told(second), ['VALID', ['yes', undefined, undefined], ['chained', true, undefined]])
})

Revocation(
  'revocation below version 2.6: no version in common, for a disclosure and for an issuance',
  async () => {
    for (const request of [asking('1'), issuance({ credentials: [badge('old')] })]) {
      const session = await service.create(request)
      const { status, json } = await service.call('GET', session.app, { headers: appHeaders('2.4', '2.5') })
      assert.equal([status, Object(json).error], [400, 'PROTOCOL_VERSION'])
      const { text } = await service.get(`${session.requestor}/status`)
      assert.is(text, '"CANCELLED"')
    }
  },
)

Revocation.after(() => service.close())
Revocation.run()
