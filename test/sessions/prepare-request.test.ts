/** Requirements of a request beyond its form before a session starts (spec/interface#2.4, spec/decisions#d10). @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { prepareRequest, withReturnToken } from '../../sessions/prepare-request.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const OVER18 = 'svc-demo.gov.idcard.over18'

type Members = { readonly [name: string]: JsonValue }

function disclosure(members: Members, profile: ProfileName = 'svc', options: Members = {}): ExtendedRequest {
  const { contextBase } = PROFILES[profile]
  const request = {
    '@context': `${contextBase}/ld/request/disclosure/v2`,
    disclose: [[[OVER18]]],
    ...members,
  }
  return parseSessionRequest({ ...options, request }, PROFILES[profile])
}

/** @returns the reason of the refusal; null if accepted */
function refusal(
  request: ExtendedRequest,
  profile: ProfileName = 'svc',
  augmentAllowed = false,
): string | null {
  try {
    prepareRequest(request, schemes, acceptFactsOfTest({ profile: PROFILES[profile], augmentAllowed }))
    return null
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message
    throw error
  }
}

const Prepare = suite('checking a request against the schemes')

Prepare('known identifiers are accepted: attributes, credentials, revocation attributes', () => {
  const disclose = [
    [[OVER18, 'svc-demo.gov.idcard'], []],
    [['svc-demo.fast.badge.']],
    [['svc-keyshare.keyshare.mail']],
  ]
  assert.is(refusal(disclosure({ disclose, skipExpiryCheck: ['no.such.type'] })), null)
})

Prepare(
  'unknown identifiers are listed once: schemes, issuers, types, then attributes of known types',
  () => {
    const unknown = (...ids: string[]): string | null =>
      refusal(disclosure({ disclose: [ids.map(id => [id])] }))
    assert.is(unknown('nope.gov.idcard.x'), 'Unknown identifiers: nope, nope.gov, nope.gov.idcard')
    assert.is(unknown('svc-demo.nope.idcard.x'), 'Unknown identifiers: svc-demo.nope, svc-demo.nope.idcard')
    assert.is(unknown('svc-demo.gov.nope.x', 'svc-demo.gov.nope'), 'Unknown identifiers: svc-demo.gov.nope')
    assert.is(unknown('svc-demo.gov.idcard.nope', OVER18), 'Unknown identifiers: svc-demo.gov.idcard.nope')
    assert.is(unknown('svc-demo.gov.idcard.'), 'Unknown identifiers: svc-demo.gov.idcard.')
    assert.is(
      unknown('svc-demo.gov.idcard.nope', 'a.b.c', 'a.b.d.e'),
      'Unknown identifiers: a, a.b, a.b.c, a.b.d, svc-demo.gov.idcard.nope',
    )
    assert.is(
      unknown('svc-demo.gov.idcard.constructor'),
      'Unknown identifiers: svc-demo.gov.idcard.constructor',
    )
  },
)

Prepare('a proof of non-revocation can be requested only for types that support it', () => {
  const asked = (id: string): string | null => refusal(disclosure({ revocation: [id] }))
  const why = 'cannot request nonrevocation proof for'
  assert.is(asked('svc-demo.gov.nope'), `${why} svc-demo.gov.nope: unknown credential type`)
  assert.is(asked('svc-demo.gov.idcard'), `${why} svc-demo.gov.idcard: revocation not enabled in scheme`)
  assert.is(asked('svc-demo.gov.permit'), null)
})

Prepare('augmentReturnUrl needs a return URL, and the permission of the server', () => {
  const asked = disclosure({ augmentReturnUrl: true })
  assert.is(refusal(asked), 'augmenting client return url not enabled in server configuration')
  assert.match(refusal(asked, 'svc', true) ?? '', /^cannot augment empty client return url/)
  assert.is(refusal(disclosure({ augmentReturnUrl: true, clientReturnUrl: 'https://x' }), 'svc', true), null)
})

Prepare('a return URL leads to a web site or an app, also if it is not augmented', () => {
  for (const clientReturnUrl of ['', 'https://shop.example/back', 'shopapp://back'])
    assert.is(refusal(disclosure({ clientReturnUrl })), null, clientReturnUrl)
  for (const clientReturnUrl of ['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'back'])
    assert.match(refusal(disclosure({ clientReturnUrl })) ?? '', /^clientReturnUrl: expected a URL/)
})

Prepare('augmentReturnUrl adds the requestor token to the return URL', () => {
  const url = (clientReturnUrl: string, augmentReturnUrl = true): string =>
    withReturnToken(disclosure({ clientReturnUrl, augmentReturnUrl }), 'RT').request.clientReturnUrl
  assert.is(url('https://x/back'), 'https://x/back?token=RT')
  assert.is(url('https://x/back?a=1'), 'https://x/back?a=1&token=RT')
  assert.is(url('https://x/back#f'), 'https://x/back?token=RT#f')
  assert.is(url('https://x/back', false), 'https://x/back')
})

Prepare(
  'in profile irma, an inner conjunction has at most one type that is no singleton (spec/decisions#d10)',
  () => {
    const REGISTRATION = 'svc-demo.gov.registration'
    const asked = (inner: string[], profile: ProfileName): string | null =>
      refusal(disclosure({ disclose: [[[OVER18], inner]] }, profile), profile)
    const singleton = [
      OVER18,
      'svc-demo.gov.idcard.initials',
      `${REGISTRATION}.number`,
      `${REGISTRATION}.over18`,
    ]
    assert.is(asked(singleton, 'irma'), null)
    const two = [OVER18, 'svc-demo.gov.address.city']
    assert.is(
      asked(two, 'irma'),
      'Multiple non-singletons within one inner conjunction are not allowed: svc-demo.gov.idcard, svc-demo.gov.address',
    )
    assert.is(asked(two, 'svc'), null)
  },
)

Prepare.run()
