import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { appClaims, checkLoginStart, selfSignedClaims, userNameIn } from '../../accounts/app-jwts.ts'
import { signAuthentication, signProof, tokenIdIn } from '../../accounts/server-jwts.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { RemoteError } from '../../protocol/errors.ts'
import {
  parseKeyRegistration,
  parseLogin,
  parseLoginStart,
  parsePinChange,
  parseRegistration,
  type SignedBody,
} from '../../protocol/keyshare/signed-bodies.ts'
import {
  answeredCalls,
  claimsIn,
  RECORDED_CALLS,
  type RecordedCall,
  STORED_RECORDS,
} from '../crypto/keyshare/recorded.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const privateKey = createPrivateKey(readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.private.pem')))
const signer = { issuer: 'demo_keyshare_server', kid: 0, privateKey, publicKey: createPublicKey(privateKey) }

/** Recorded messages of refusals because of the JWT alone. */
const REFUSED_JWT =
  /verification error|token is expired|number of segments|JWT expiry may not|signature type|invalid type|asn1/

type Check = (call: RecordedCall) => unknown

const registeredKey = (userName: string): Uint8Array =>
  Buffer.from(STORED_RECORDS.find(({ username }) => username === userName)?.devicePublicKey ?? '', 'base64')
const signedBy = (read: (text: string) => string) => (call: RecordedCall) => {
  const jwt = read(call.text)
  return appClaims(jwt, registeredKey(userNameIn(jwt)), call.atSec)
}
const jwtOf = (body: { readonly type: string } | SignedBody): string => ('jwt' in body ? body.jwt : '')

const CHECKS: readonly (readonly [string, Check])[] = [
  ['/client/register', call => selfSignedClaims(jwtOf(parseRegistration(call.text)), call.atSec)],
  [
    '/verify_start',
    call => {
      const jwt = parseLoginStart(call.text)
      return checkLoginStart(jwt, registeredKey(userNameIn(jwt)), call.atSec)
    },
  ],
  ['/verify/pin_challengeresponse', signedBy(parseLogin)],
  ['/change/pin', signedBy(text => jwtOf(parsePinChange(text)))],
  ['/register_publickey', call => selfSignedClaims(parseKeyRegistration(call.text), call.atSec)],
]

const Recorded = suite('recorded JWTs of wallet apps and keyshare servers')

/** null if verified; otherwise the reason of the refusal. */
function refusalOf(check: Check, call: RecordedCall): string | null {
  try {
    check(call)
    return null
  } catch (error) {
    if (error instanceof RemoteError) return `${error.status} ${error.message}`
    throw error
  }
}

for (const [path, check] of CHECKS)
  Recorded(
    `${path}: every JWT that was accepted verifies, and every one that was refused is refused`,
    async () => {
      const calls = RECORDED_CALLS.filter(call => call.path.endsWith(path) && /_?jwt"/.test(call.text))
      const counts = { right: 0, wrong: 0 }
      for (const call of calls) {
        if (/could not find specified user/.test(call.answer)) continue // no such key was registered
        if (/wrong endpoint/.test(call.answer)) continue
        const refusal = refusalOf(check, call)
        const isWrong = REFUSED_JWT.test(call.answer)
        if (isWrong) assert.match(refusal ?? '', /^400 /, `${call.file}, ${call.n}`)
        else assert.is(refusal, null, `${call.file}, ${call.n}`)
        counts[isWrong ? 'wrong' : 'right']++
      }
      assert.ok(
        counts.right > 0 && (counts.wrong > 0 || path === '/register_publickey'),
        JSON.stringify(counts),
      )
    },
  )

type Claims = { readonly iat: number; readonly exp: number; readonly token_id: string }

Recorded('every authentication JWT verifies, and signing its claims again gives the same bytes', async () => {
  const logins = answeredCalls('/pin_challengeresponse').filter(({ answer }) => answer.includes('"eyJ'))
  assert.ok(logins.length > 20, String(logins.length))
  for (const { answer, atSec } of logins) {
    const { message: jwt } = JSON.parse(answer) as { message: string }
    const { iat, exp, token_id } = claimsIn(jwt) as Claims
    const tokenId = await tokenIdIn(jwt, signer, Math.max(atSec, iat))
    assert.is(Buffer.from(tokenId).toString('base64'), token_id)
    const times = { nowSec: iat, validitySec: exp - iat }
    assert.is(await signAuthentication(tokenId, times, signer), jwt)
  }
})

Recorded(
  'every token that was accepted verifies; a token that was no JWT of the server does not',
  async () => {
    const tokenOf = ({ headers }: RecordedCall): string =>
      (headers.authorization ?? '').replace(/^Bearer /, '')
    const calls = RECORDED_CALLS.filter(({ path }) => path.includes('/prove/'))
    const accepted = calls.filter(({ status }) => status === 200)
    assert.ok(accepted.length > 60, String(accepted.length))
    for (const call of accepted) assert.is(tokenIdIn(tokenOf(call), signer, call.atSec + 1).length, 32)
    const refused = calls.filter(call => /^(x|a\.b\.c)$/.test(tokenOf(call)))
    assert.ok(refused.length > 2)
    for (const call of refused)
      assert.match(refusalOf(() => tokenIdIn(tokenOf(call), signer, call.atSec), call) ?? '', /^400 /)
  },
)

type Answer = { readonly iat: number; readonly ProofP: { P?: string; c: string; s_response: string } }

Recorded('signing the claims of every ProofP JWT again gives the same bytes', async () => {
  const responses = [...answeredCalls('/getResponse'), ...answeredCalls('/getResponseLinkable')]
  assert.ok(responses.length > 20, String(responses.length))
  for (const { answer } of responses) {
    const { iat, ProofP } = claimsIn(answer) as Answer
    const proof = {
      P: ProofP.P === undefined ? null : fromBase64(ProofP.P),
      c: fromBase64(ProofP.c),
      sResponse: fromBase64(ProofP.s_response),
    }
    assert.is(await signProof(proof, iat, signer), answer)
  }
})

Recorded.run()
