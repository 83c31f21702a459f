/** The way from a scope to a claim. */
import * as assert from 'uvu/assert'
import { NO_CLAIMS } from '../../../sessions/sign-in/asked-claims.ts'
import { loginOf } from '../../../sessions/sign-in/login-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import { suite } from '../../suite.ts'
import {
  claimsIn,
  given,
  MAIL,
  mapping,
  planned,
  refusalIn,
  rules,
  shown,
  valid,
  way,
} from './rules-of-test.ts'

const RULES = rules([mapping('email', [way([MAIL])])])
const ASK = { clientId: 'shop', scopes: ['openid', 'email'], claims: NO_CLAIMS }
const SOURCE = { subject: RULES.subject, randomId: 'random' }

const OneClaim = suite('sign-in: one scope and one claim')

OneClaim('a scope asks for the attribute of its claim', () => {
  assert.equal(shown(requestOf(RULES, ASK)), [[[MAIL]]])
})

OneClaim('the disclosed value becomes the claim', () => {
  const { plan } = planned(requestOf(RULES, ASK))
  assert.equal(claimsIn(loginOf(plan, valid([given(MAIL, 'a@b.example')]), SOURCE)), {
    email: 'a@b.example',
  })
})

OneClaim('a result that is not valid gives no claim', () => {
  const { plan } = planned(requestOf(RULES, ASK))
  for (const proofStatus of [
    'INVALID',
    'INVALID_TIMESTAMP',
    'UNMATCHED_REQUEST',
    'MISSING_ATTRIBUTES',
    'EXPIRED',
  ])
    assert.match(
      refusalIn(loginOf(plan, { ...valid([given(MAIL, 'a@b.example')]), proofStatus }, SOURCE)),
      /^access_denied: /,
    )
  assert.match(refusalIn(loginOf(plan, {}, SOURCE)), /^access_denied: /)
})

OneClaim('a plan is the same after it was stored as JSON', () => {
  const { plan } = planned(requestOf(RULES, ASK))
  assert.equal(JSON.parse(JSON.stringify(plan)), plan)
})
OneClaim.run()
