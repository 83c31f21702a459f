/** Chained sessions: the answer of a nextSession URL, and attributes that are disclosed again (spec/interface#2.6; spec/session-server#15; spec/decisions#chain). @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError, NextSessionError, UnauthorizedError } from '../../protocol/errors.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { implicitDisclosures } from '../../sessions/implicit-disclosures.ts'
import { nextSessionRequest } from '../../sessions/next-session.ts'
import { prepareRequest } from '../../sessions/prepare-request.ts'
import type { SessionOutcome } from '../../sessions/result.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { CITY, disclosure, OVER18 } from '../protocol/requests.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'
import { IDCARD, judge, NOTE, YES } from './judge.ts'
import { refusedWith } from './refusal.ts'

const { svc } = PROFILES
const REQUEST = disclosure({})

function next(
  status: number,
  text: string,
  {
    parent = {},
    accept = extended => extended,
  }: { parent?: SessionOutcome; accept?: (extended: ExtendedRequest) => ExtendedRequest } = {},
): ExtendedRequest | null {
  return nextSessionRequest({ status, text }, parent, accept, svc)
}

const Next = suite('the next session of a chain')

Next('200 with a request: plain, extended, or in the form without conjunctions', () => {
  assert.equal(next(200, JSON.stringify(REQUEST)), parseSessionRequest(REQUEST, svc))
  const extended = next(
    200,
    JSON.stringify({ request: REQUEST, nextSession: { url: 'https://shop.example/2' } }),
  )
  assert.is(extended?.nextSession?.url, 'https://shop.example/2')
  const legacy = next(
    200,
    JSON.stringify({ type: 'disclosing', content: [{ label: 'x', attributes: [OVER18] }] }),
  )
  assert.ok(legacy?.isLegacy)
})

Next('204 means that the chain ends', () => {
  assert.is(next(204, ''), null)
  assert.is(next(204, JSON.stringify(REQUEST)), null)
})

Next('a bug of this server is thrown, and not reported as a fault of the answer', () => {
  const accept = (): never => {
    throw new TypeError('a mistake')
  }
  assert.throws(
    () => next(200, JSON.stringify(REQUEST), { accept }),
    (error: unknown) => error instanceof TypeError,
  )
})

Next('any other status is NEXT_SESSION, redirects and other successes too', async () => {
  for (const status of [201, 202, 206, 301, 302, 304, 307, 400, 404, 500, 503])
    await refusedWith(
      () => next(status, JSON.stringify(REQUEST)),
      NextSessionError,
      'answer of nextSession.url: expected status 200 or 204, got another status',
    )
})

Next('a JWT is refused, bare or in a JSON string, and so is a text that is no session request', async () => {
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'
  const disjunctions = JSON.stringify(disclosure({ disclose: [[]] }))
  for (const text of [jwt, `"${jwt}"`, '', 'nonsense', 'null', '[]', '{}', '<html>', disjunctions])
    await refusedWith(() => next(200, text), NextSessionError, /expected/)
})

Next(
  'a request without permission, or one that the server cannot serve, is NEXT_SESSION with the reason',
  async () => {
    const text = JSON.stringify(REQUEST)
    const accept = (error: Error) => (): never => {
      throw error
    }
    await refusedWith(
      () => next(200, text, { accept: accept(new UnauthorizedError(OVER18)) }),
      NextSessionError,
      `next session not authorized: ${OVER18}`,
    )
    await refusedWith(
      () => next(200, text, { accept: accept(new InvalidRequestError('Unknown identifiers: no')) }),
      NextSessionError,
      'Unknown identifiers: no',
    )
    assert.throws(() => next(200, text, { accept: accept(new Error('a defect')) }), /^a defect$/)
  },
)

Next('the result is the accepted request, with the attributes that the parent disclosed', async () => {
  const accept = (extended: ExtendedRequest): ExtendedRequest => ({ ...extended, timeoutSec: 7 })
  const parent = await judge(YES)
  const child = next(200, JSON.stringify(REQUEST), { parent, accept })
  assert.is(child?.timeoutSec, 7)
  assert.equal(child?.request.disclose, parseSessionRequest(REQUEST, svc).request.disclose)
  assert.equal(child?.implicitDisclose, [[[{ type: OVER18, value: 'yes', notNull: false }]]])
})

Next(
  'attributes to disclose again count among the keyshare schemes of an issuance (spec/decisions#d13)',
  async () => {
    const demo = await loadSchemes(DEMO_SCHEMES)
    const scheme: Schemes['scheme'] = id => {
      const found = demo.scheme(id)
      return found && { ...found, keyshareServer: 'https://keyshare.example' }
    }
    const parent = await judge(YES)
    const mail = { credential: 'svc-keyshare.keyshare.mail', attributes: { address: 'a@b.example' } }
    const started = (profile: Profile) => {
      const request = { '@context': `${profile.contextBase}/ld/request/issuance/v2`, credentials: [mail] }
      const accept = (extended: ExtendedRequest): ExtendedRequest =>
        prepareRequest(extended, { ...demo, scheme }, acceptFactsOfTest({ profile, nowSec: 1_700_000_000 }))
      return nextSessionRequest({ status: 200, text: JSON.stringify(request) }, parent, accept, profile)
    }
    await refusedWith(
      () => started(svc),
      NextSessionError,
      'issuance: expected at most one scheme with a keyshare server, got svc-keyshare, svc-demo',
    )
    assert.is(started(PROFILES.irma)?.request.type, 'issuing')
  },
)

Next('a member implicitDisclose of the request is ignored', () => {
  const own = JSON.stringify({ request: REQUEST, implicitDisclose: [[]] })
  assert.equal(next(200, own)?.implicitDisclose, [])
})

Next.run()

const Implicit = suite('attributes that are disclosed again in a chain')

Implicit(
  'each disclosed list becomes a disjunction, also the extra attributes; an empty list stays empty',
  async () => {
    const { disclosed } = await judge({
      disclose: [[[OVER18, `${IDCARD}.initials`]], [[CITY], []], [[NOTE]]],
      proofs: [{ disclosed: { 2: 'A.', 3: 'extra', 4: 'yes' } }, { type: NOTE, disclosed: { 2: null } }],
      indices: [
        [
          [0, 4],
          [0, 2],
        ],
        [],
        [[1, 1]],
      ],
    })
    assert.equal(implicitDisclosures(disclosed), [
      [
        [
          { type: OVER18, value: 'yes', notNull: false },
          { type: `${IDCARD}.initials`, value: 'A.', notNull: false },
        ],
      ],
      [[]],
      [[{ type: NOTE, value: 'present', notNull: false }]],
      [
        [
          { type: `${IDCARD}.familyname`, value: 'extra', notNull: false },
          { type: `${NOTE}.text`, value: null, notNull: false },
        ],
      ],
    ])
  },
)

Implicit('without disclosed attributes there are none to disclose again', () => {
  assert.equal(implicitDisclosures(undefined), [])
})

Implicit('the same value satisfies the disjunction, another value does not', async () => {
  const { disclosed } = await judge(YES)
  const [disjunction = []] = implicitDisclosures(disclosed)
  const again = disjunction.map(inner => inner.map(({ type, value }) => ({ type, value })))
  const { proofStatus } = await judge({ ...YES, disclose: [again] })
  assert.is(proofStatus, 'VALID')
  const other = await judge({ disclose: [again], proofs: [{ disclosed: { 4: 'no' } }], indices: [[[0, 4]]] })
  assert.is(other.proofStatus, 'MISSING_ATTRIBUTES')
})

Implicit('a value that is not UTF-8 cannot be matched again, so the chain cannot continue', async () => {
  const [notUtf8, indices] = [{ disclosed: { 4: 2n * 0xffn + 1n } }, [[[0, 4]]]] as const
  const { disclosed } = await judge({ disclose: [[[OVER18]]], proofs: [notUtf8], indices })
  const [disjunction = []] = implicitDisclosures(disclosed)
  const again = disjunction.map(inner => inner.map(({ type, value }) => ({ type, value })))
  assert.is(
    (await judge({ disclose: [again], proofs: [notUtf8], indices })).proofStatus,
    'MISSING_ATTRIBUTES',
  )
})

Implicit.run()
