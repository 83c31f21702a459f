/** The phone's texts for the question of a session, and for its end. @module */
import * as assert from 'uvu/assert'
import { endState, questionView } from '../../demo/phone-view.ts'
import type { SessionOutcome } from '../../libraries/wallet/session.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const End = suite('demo: how a session ends on the phone')
const clientReturnUrl = null
const NOTHING = { shared: [], hasSigned: false, received: [] }

End('a success shows what was shared and received, a refusal nothing', () => {
  const done = { shared: [{ name: 'Over 18', value: 'yes' }], hasSigned: false, received: ['Demo note'] }
  const success: SessionOutcome = { status: 'success', proofStatus: 'VALID', clientReturnUrl }
  assert.equal(endState('site', success, done, true), {
    screen: 'done',
    host: 'site',
    returnUrl: null,
    ...done,
  })
  const cancelled: SessionOutcome = { status: 'cancelled', clientReturnUrl }
  const refused = { screen: 'refused', host: 'site', returnUrl: null, hasDone: false }
  for (const couldAnswer of [true, false])
    assert.equal(endState('site', cancelled, done, couldAnswer), { ...refused, couldAnswer })
})

End('in a chain, attributes that were shared before the end are shown', () => {
  const cancelled: SessionOutcome = { status: 'cancelled', clientReturnUrl, chainLink: 2 }
  const state = endState('site', cancelled, NOTHING, true)
  assert.ok(state.screen === 'refused' && state.hasDone)
})

End('each failure has a text for the user', () => {
  const reasons = [
    { reason: 'pairing-rejected', message: 'x' },
    { reason: 'transport', message: 'x' },
    { reason: 'server-error', message: 'x', remote: { status: 400, type: 'SESSION_UNKNOWN' } },
    { reason: 'server-error', message: 'x', remote: { status: 500, type: 'INTERNAL_ERROR' } },
    { reason: 'not-valid', message: 'x', proofStatus: 'INVALID' },
    { reason: 'malformed-answer', message: 'expected this, got that' },
  ] as const
  assert.equal(
    reasons.map(facts => {
      const state = endState('site', { status: 'failed', ...facts, clientReturnUrl }, NOTHING, true)
      return state.screen === 'failed' ? state.reason : state.screen
    }),
    [
      'The web site did not confirm the code.',
      'The session server does not answer.',
      'The session had already ended.',
      'The session server could not go on.',
      'The session server did not accept the proof.',
      'The wallet says: expected this, got that.',
    ],
  )
})

End.run()

const Question = suite('demo: what the phone asks')
const schemes = await loadSchemes(DEMO_SCHEMES)

Question('an offer shows the attributes of the card, without empty ones', () => {
  const type = 'svc-demo.fast.lot'
  const body = JSON.stringify({
    '@context': 'https://svc.example/ld/request/issuance/v2',
    credentials: [{ credential: type, attributes: { draw: 'Spring' } }],
  })
  const { request } = parseSessionRequestText(body, PROFILES.svc)
  if (request.type !== 'issuing') throw new TypeError('expected an issuance request')
  const attribute = (name: string, value: string | null, isRandomBlind: boolean) => ({
    id: parseAttributeTypeId(`${type}.${name}`),
    value,
    isRandomBlind,
  })
  const attributes = [
    attribute('draw', 'Spring', false),
    attribute('number', null, true),
    attribute('draw', null, false),
  ]
  const credentials = [
    { type: parseCredentialTypeId(type), attributes, expiresAtSec: 604_800, isRevocable: false },
  ]
  const candidates = { items: [], isSatisfiable: true }
  assert.equal(
    questionView(schemes, { kind: 'issuing', requestorHost: 'site', candidates, request, credentials }),
    {
      kind: 'issuing',
      items: [],
      message: null,
      canAnswer: true,
      offers: [
        {
          name: 'Demo lottery ticket',
          issuer: 'Demo Club',
          expiresAtSec: 604_800,
          isRevocable: false,
          attributes: [
            { name: 'Draw', value: 'Spring' },
            { name: 'Number', value: null },
          ],
        },
      ],
    },
  )
})

Question('the reason why cards of a type cannot be used is shown once', () => {
  const permit = parseCredentialTypeId('svc-demo.gov.permit')
  const kind = parseAttributeTypeId('svc-demo.gov.permit.kind')
  const body = JSON.stringify({
    '@context': 'https://svc.example/ld/request/disclosure/v2',
    disclose: [[[kind]]],
    revocation: [permit],
  })
  const { request } = parseSessionRequestText(body, PROFILES.svc)
  if (request.type !== 'disclosing') throw new Error('expected a disclosure')
  const unprovable = (['revoked', 'revoked', 'no-witness', 'outdated'] as const).map((reason, i) => ({
    credential: `${i}`,
    type: permit,
    reason,
  }))
  const item = { candidates: [], isOptional: false, missing: [[kind]], unprovable }
  const candidates = { items: [item], isSatisfiable: false }
  const view = questionView(schemes, { kind: 'disclosing', requestorHost: 'site', candidates, request })
  assert.equal(view.items, [
    {
      candidates: [],
      missing: ['Demo permit'],
      isRepeated: false,
      unprovable: [
        'Your Demo permit has been revoked.',
        'Your Demo permit cannot prove that it has not been revoked.',
        'No server could say whether your Demo permit has been revoked.',
      ],
    },
  ])
})

Question.run()
