/** Signed results (spec/interface#5.2, spec/session-server#13.3 and #13.4). RS256 has one signature for a text, so ours equal the recorded ones byte for
 *  byte. @module */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactVerify } from 'jose'
import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import { outcomeToShow, type SessionOutcome } from '../../sessions/result.ts'
import { type ResultSigner, signLegacyProof, signResult } from '../../sessions/result-jwt.ts'
import { PROJECT } from '../project.ts'
import { transcript } from '../protocol/recorded.ts'
import { suite } from '../suite.ts'

function pem(name: string): string {
  return readFileSync(join(PROJECT, `test/vectors/keys/session-jwt.${name}.pem`), 'utf8')
}

const SIGNER: ResultSigner = {
  issuer: 'demo-session-server',
  privateKey: createPrivateKey(pem('private')),
  publicKeyPem: pem('public'),
}
const FACTS = { type: 'disclosing', validitySec: 120, nowSec: 1_795_260_868 } as const

function claimsOf(jwt: string): string {
  return Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')
}

/** A recorded result. */
type Recorded = { readonly status: string; readonly type: SessionType } & SessionOutcome

const Jwt = suite('signed results')

for (const path of ['result-jwt', 'getproof'])
  Jwt(`every recorded ${path}: our signed result is equal, byte for byte`, async () => {
    let count = 0
    let result: Recorded = { status: '', type: 'disclosing' }
    for (const { request, response } of transcript('result-forms', 'irma').exchanges) {
      if (request.path.endsWith('/result')) result = Object(response?.body)
      if (!request.path.endsWith(`/${path}`)) continue
      const jwt = response?.raw ?? ''
      const { exp, iat } = JSON.parse(claimsOf(jwt))
      const facts = { type: result.type, validitySec: exp - iat, nowSec: iat, profile: PROFILES.irma }
      const signed =
        path === 'getproof'
          ? signLegacyProof(outcomeToShow(result.status, result), facts, SIGNER)
          : signResult(result, facts, SIGNER)
      assert.is(await signed, jwt)
      count++
    }
    assert.is(count, 6)
  })

Jwt('the public key verifies them', async () => {
  const jwt = await signResult({ token: 't' }, { ...FACTS, profile: PROFILES.svc }, SIGNER)
  await compactVerify(jwt, createPublicKey(SIGNER.publicKeyPem), { algorithms: ['RS256'] })
})

Jwt(
  'the subject names the type of session; for a disclosure it depends on the profile (spec/decisions#d21)',
  async () => {
    const subject = async (type: SessionType, name: 'svc' | 'irma'): Promise<string> =>
      JSON.parse(claimsOf(await signResult({}, { ...FACTS, type, profile: PROFILES[name] }, SIGNER))).sub
    assert.is(await subject('disclosing', 'svc'), 'verification_result')
    assert.is(await subject('disclosing', 'irma'), 'disclosing_result')
    for (const name of ['svc', 'irma'] as const) {
      assert.is(await subject('signing', name), 'signing_result')
      assert.is(await subject('issuing', name), 'issuing_result')
    }
  },
)

Jwt('the claims of the JWT come first; an empty issuer is left out', async () => {
  const facts = { ...FACTS, profile: PROFILES.svc }
  const result = { token: 't', status: 'DONE' }
  assert.is(
    claimsOf(await signResult(result, facts, SIGNER)),
    '{"exp":1795260988,"iat":1795260868,"iss":"demo-session-server","sub":"verification_result","token":"t","status":"DONE"}',
  )
  const nameless = { ...SIGNER, issuer: '' }
  assert.is(
    claimsOf(await signResult(result, facts, nameless)),
    '{"exp":1795260988,"iat":1795260868,"sub":"verification_result","token":"t","status":"DONE"}',
  )
  assert.is(
    claimsOf(await signLegacyProof(null, FACTS, nameless)),
    '{"attributes":{},"exp":1795260988,"iat":1795260868,"status":"","sub":"disclosure_result"}',
  )
})

Jwt('the older form has the last value of each attribute, and the empty text for an absent one', async () => {
  const attribute = (id: string, rawvalue: string | null): object => ({ id, rawvalue })
  const disclosed = [[attribute('b', '1'), attribute('a', null)], null, [attribute('b', '2')]]
  const outcome: SessionOutcome = { proofStatus: 'MISSING_ATTRIBUTES', ...Object({ disclosed }) }
  assert.match(
    claimsOf(await signLegacyProof(outcome, FACTS, SIGNER)),
    /^{"attributes":{"a":"","b":"2"},.*"status":"MISSING_ATTRIBUTES"/,
  )
})

Jwt.run()
