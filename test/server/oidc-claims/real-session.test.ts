/** A login with a session server and wallets: from settings to claims. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startTestKit } from '../../../libraries/testing/kit.ts'
import { SESSION_RESULT } from '../../../protocol/wire/answers.ts'
import { readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { type Login, loginOf } from '../../../sessions/sign-in/login-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import { subjectOf } from '../../../sessions/sign-in/subject.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { CARD, CLIENT, read } from './values.ts'

const salt_file = join(temporaryFolder(), 'salt')
writeFileSync(salt_file, 'a salt of thirty-two bytes or more')

const SETTINGS = {
  claims: {
    over18: {
      any_of: [
        { attribute: 'svc-demo.gov.registration.over18', acr: 'low' },
        { attribute: `${CARD}.over18`, acr: 'high' },
      ],
      convert: 'boolean',
    },
    nationality: `${CARD}.nationality`,
    adult_name: { attribute: `${CARD}.familyname`, where: [{ attribute: `${CARD}.over18`, value: 'yes' }] },
  },
  scopes: { age: ['over18'] },
  acr_values: ['low', 'high'],
  subject: { attribute: `${CARD}.docnumber`, salt_file },
  verified_claims: true,
  clients: [
    {
      ...CLIENT,
      scopes: ['age', 'profile', 'email'],
      may_ask: ['svc-demo.gov.*', 'svc-keyshare.keyshare.mail.*'],
    },
  ],
}
const { rules } = read(SETTINGS)
const CARDS = {
  [CARD]: { initials: 'J.', familyname: 'Jansen', over18: 'yes', docnumber: 'X1' },
  'svc-keyshare.keyshare.mail': { address: 'j@jansen.example' },
}

type Ask = { readonly scopes?: readonly string[]; readonly claims?: object }

const RealSession = suite('sign-in: a login with a session server and a wallet')
const kit = await startTestKit()
RealSession.after(() => kit.close())

/** @param choose index of the candidate for each item */
async function login({ scopes = [], claims = {} }: Ask, choose?: readonly number[]): Promise<Login> {
  const parameter = readClaimsParameter(JSON.stringify({ userinfo: claims }))
  const made = requestOf(rules, { clientId: 'shop', scopes, claims: parameter })
  if (made.type === 'refused') throw new Error(made.description)
  const json = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: made.request.disclose }
  const started = await fetch(`${kit.url}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  })
  const { token, sessionPtr } = JSON.parse(await started.text())
  const wallet = await kit.wallet({ credentials: CARDS })
  await wallet.answer(sessionPtr, choose === undefined ? {} : { choose })
  const answer = await fetch(`${kit.url}/session/${token}/result`)
  const { proofStatus, disclosed } = SESSION_RESULT.parse(JSON.parse(await answer.text()))
  const lists = (disclosed ?? []).map(each => (Array.isArray(each) || each === null ? each : [each]))
  const found = loginOf(
    made.plan,
    { proofStatus, disclosed: lists },
    { subject: rules.subject, randomId: 'r' },
  )
  if (found.type === 'refused') throw new Error(`${found.error}: ${found.description}`)
  return found
}

RealSession('an essential claim, a level, a subject and facts', async () => {
  const first = await login({ scopes: ['age'] })
  assert.equal(first.claims.over18, true)
  assert.is(first.acr, 'high')
  const [{ verification, claims }] = JSON.parse(JSON.stringify(first.claims.verified_claims))
  assert.equal(claims, { over18: true })
  assert.is(verification.credential, CARD)
  assert.is(verification.revocation_checked, false)
  assert.match(verification.issued, /^\d{4}-\d\d-\d\d$/)
  const again = await login({ claims: { over18: null } })
  assert.is(again.seed, first.seed)
  assert.is.not(subjectOf(first.seed, 'shop.example'), subjectOf(first.seed, 'other.example'))
})

RealSession('the user gives voluntary claims or leaves them out', async () => {
  const { verified_claims: _, ...given } = (await login({ scopes: ['profile', 'email'] })).claims
  assert.equal(given, {
    name: 'J. Jansen',
    family_name: 'Jansen',
    email: 'j@jansen.example',
    email_verified: true,
  })
  const withheld = await login({ scopes: ['profile', 'email'] }, [0, 1, 1])
  assert.equal(withheld.claims, {})
})

RealSession('an absent attribute gives no claim, and a condition gives no claim either', async () => {
  const { claims } = await login({
    claims: { nationality: { essential: true }, adult_name: { essential: true } },
  })
  assert.is(claims.nationality, undefined)
  assert.is(claims.adult_name, 'Jansen')
  assert.is(claims.over18, undefined)
})
RealSession.run()
