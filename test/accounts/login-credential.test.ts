import * as assert from 'uvu/assert'
import { loginCredentialRequest } from '../../accounts/login-credential.ts'
import { parseAttributeTypeId } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'

const attribute = parseAttributeTypeId('svc-keyshare.keyshare.keyshare.username')
const credential = 'svc-keyshare.keyshare.keyshare'
const facts = { attribute, profile: PROFILES.irma, nowSec: Date.UTC(2024, 1, 29, 12) / 1_000 }

const Login = suite('the request of the login credential (spec/keyshare-server#5)')

Login('it issues one attribute, the user name, and asks for nothing', () => {
  const { request, ...extended } = loginCredentialRequest('oDl314isld0Z', { ...facts, isRenewal: false })
  if (request.type !== 'issuing') throw new Error(request.type)
  assert.equal(request.disclose, [])
  assert.equal(request.skipExpiryCheck, [])
  const [first, ...others] = request.credentials
  assert.equal(others, [])
  assert.is(first?.credential, credential)
  assert.equal(Object.fromEntries(Object.entries(first?.attributes ?? {})), { username: 'oDl314isld0Z' })
  assert.equal([request.clientReturnUrl, request.host, request.augmentReturnUrl], ['', '', false])
  assert.equal([extended.callbackUrl, extended.nextSession], ['', null])
})

Login('it is valid for one calendar year, leap day or not', () => {
  const validityOf = (nowSec: number) => {
    const { request } = loginCredentialRequest('u', { ...facts, nowSec, isRenewal: false })
    return request.type === 'issuing' ? request.credentials[0]?.validityAtSec : null
  }
  assert.is(validityOf(Date.UTC(2026, 10, 21, 23, 41, 7) / 1_000), Date.UTC(2027, 10, 21, 23, 41, 7) / 1_000)
  assert.is(validityOf(facts.nowSec), Date.UTC(2025, 2, 1, 12) / 1_000)
})

Login('a renewal asks for the same user name, from a credential that may have expired', () => {
  const { request } = loginCredentialRequest('oDl314isld0Z', { ...facts, isRenewal: true })
  const [[[asked] = []] = [], ...others] = request.disclose
  assert.equal([asked?.type, asked?.value, others.length], [attribute, 'oDl314isld0Z', 0])
  assert.equal(request.skipExpiryCheck, [credential])
})
Login.run()
