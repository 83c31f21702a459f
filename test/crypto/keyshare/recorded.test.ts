import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { bitLength, fitsBits, fromBase64 } from '../../../crypto/bytes.ts'
import { respondAlone, respondTogether } from '../../../crypto/keyshare/respond.ts'
import { powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import { challengeOf, isCommittedInput, type UserInput } from '../../../crypto/keyshare/user-input.ts'
import type { IssuerPublicKey } from '../../../crypto/public-key.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'
import { keyOf, readVectors } from '../vectors.ts'
import { answeredCalls, claimsIn, RECORDED_CALLS, type RecordedCall, recordedSecret } from './recorded.ts'

type ProofP = { readonly P?: string; readonly c: string; readonly s_response: string }
type Hashed = { readonly keys: readonly string[]; readonly hw: { readonly hashedComms: string } }
type Message = {
  readonly context?: string
  readonly nonce: string
  readonly resp: string
  readonly sig: boolean
  readonly UserChallengeInput: readonly {
    readonly key?: string
    readonly val: string
    readonly comm: string
    readonly otherComms?: readonly string[]
  }[]
}
type Commitments = {
  readonly c: Readonly<Record<string, string | { readonly P: string; readonly Pcommit: string }>>
}

const arithmetic = chooseArithmetic('auto')
const schemes = await loadSchemes(DEMO_SCHEMES)

/** A key of the recorded schemes. */
function schemeKey(id: string): IssuerPublicKey {
  const at = id.lastIndexOf('-')
  const key = schemes.publicKey(parseIssuerId(id.slice(0, at)), Number(id.slice(at + 1)))
  if (key === undefined) throw new Error(`demo schemes: expected a key ${id}`)
  return key
}
const Recorded = suite('recorded answers of a keyshare server, calculated again')

function inputOf({ UserChallengeInput }: Message): readonly UserInput[] {
  return UserChallengeInput.map(({ key, val, comm, otherComms = [] }) => {
    const at = key?.lastIndexOf('-') ?? -1
    return {
      key: key === undefined ? null : { issuer: key.slice(0, at), counter: Number(key.slice(at + 1)) },
      val: fromBase64(val),
      comm: fromBase64(comm),
      otherComms: otherComms.map(fromBase64),
    }
  })
}

function challengeIn(message: Message, wk: bigint, keyFor = schemeKey): bigint {
  const { context = 'AQ==', nonce, sig } = message
  const facts = { context: fromBase64(context), nonce: fromBase64(nonce), isSignature: sig }
  const named = ({ issuer, counter }: { readonly issuer: string; readonly counter: number }) =>
    keyFor(`${issuer}-${counter}`)
  return challengeOf({ ...facts, input: inputOf(message) }, wk, named, arithmetic)
}

/** The call to getCommitments that a response belongs to: the last earlier one of its user. */
function commitmentsBefore(response: RecordedCall): RecordedCall {
  const name = response.headers['x-irma-keyshare-username']
  const before = RECORDED_CALLS.filter(
    ({ file, n, status, path, headers }) =>
      file === response.file &&
      n < response.n &&
      status === 200 &&
      path.endsWith('/getCommitments') &&
      headers['x-irma-keyshare-username'] === name,
  )
  const last = before.at(-1)
  if (last === undefined)
    throw new Error(`${response.file}, ${response.n}: expected a call to getCommitments`)
  return last
}

/** w_k, derived from the answer. */
function randomizerIn({ path, text }: RecordedCall, { c, s_response }: ProofP, mk: bigint): bigint {
  const own = fromBase64(s_response) - fromBase64(c) * mk
  return path.endsWith('/v2/prove/getResponse') ? own - fromBase64((JSON.parse(text) as Message).resp) : own
}

const responses = [...answeredCalls('/getResponse'), ...answeredCalls('/getResponseLinkable')]

for (const call of responses)
  Recorded(`${call.file}, ${call.n}: ${call.path}`, () => {
    const mk = recordedSecret(call.headers['x-irma-keyshare-username'] ?? '')
    const { ProofP: proof } = claimsIn(call.answer) as { ProofP: ProofP }
    const asked = commitmentsBefore(call)
    const wk = randomizerIn(call, proof, mk)
    const { c } = JSON.parse(asked.answer) as Commitments
    const keys = Object.keys(c).map(id => schemeKey(id))
    assert.ok(fitsBits(wk, keys.some(({ n }) => bitLength(n) === 1024) ? 592 : 640))
    for (const [id, value] of Object.entries(c)) {
      const { P, Pcommit } = typeof value === 'string' ? { P: undefined, Pcommit: value } : value
      assert.is(powerOfSecret(schemeKey(id), wk, arithmetic), fromBase64(Pcommit))
      if (P !== undefined) assert.is(powerOfSecret(schemeKey(id), mk, arithmetic), fromBase64(P))
    }
    const isV2 = call.path.startsWith('/api/v2')
    const body = JSON.parse(asked.text) as Hashed | string[]
    const lastKey = schemeKey((Array.isArray(body) ? body : body.keys).at(-1) ?? '')
    const P = powerOfSecret(lastKey, mk, arithmetic)
    const challenge = isV2 ? challengeIn(JSON.parse(call.text), wk) : fromBase64(proof.c)
    const again = call.path.endsWith('/v2/prove/getResponse')
      ? respondTogether(challenge, fromBase64((JSON.parse(call.text) as Message).resp), { mk, wk })
      : respondAlone(challenge, P, { mk, wk })
    assert.equal(again, {
      P: proof.P === undefined ? null : fromBase64(proof.P),
      c: fromBase64(proof.c),
      sResponse: fromBase64(proof.s_response),
    })
    if (isV2 && !Array.isArray(body))
      assert.ok(isCommittedInput(inputOf(JSON.parse(call.text)), Buffer.from(body.hw.hashedComms, 'base64')))
  })

Recorded('both versions of the protocol were recorded, on all of their paths', () => {
  const paths = new Set(responses.map(({ path }) => path))
  assert.equal([...paths].sort(), [
    '/api/v1/prove/getResponse',
    '/api/v2/prove/getResponse',
    '/api/v2/prove/getResponseLinkable',
    '/prove/getResponse',
  ])
})

Recorded('the wrong hash of a recorded input is refused', () => {
  const wrong = RECORDED_CALLS.filter(({ answer }) => answer.includes('incorrect commitment hash'))
  assert.is(wrong.length, 1)
  for (const call of wrong) {
    const { hw } = JSON.parse(commitmentsBefore(call).text) as Hashed
    assert.not.ok(isCommittedInput(inputOf(JSON.parse(call.text)), Buffer.from(hw.hashedComms, 'base64')))
  }
})

type Note = {
  readonly keyshare: {
    readonly keyshareSecret: string
    readonly disclosureHashCommitment: {
      readonly ProofP: ProofP
      readonly hashedComms: string
      readonly keyshareRandomizer: string
      readonly responseRequest: Message
    }
  }
}

Recorded('a disclosure of the specification, with a proof of non-revocation, in the second version', () => {
  const { keyshareSecret, disclosureHashCommitment } = readVectors<Note>('cryptography-vectors.json').keyshare
  const { ProofP: proof, hashedComms, keyshareRandomizer, responseRequest } = disclosureHashCommitment
  const secrets = { mk: fromBase64(keyshareSecret), wk: fromBase64(keyshareRandomizer) }
  assert.ok(isCommittedInput(inputOf(responseRequest), Buffer.from(hashedComms, 'base64')))
  const c = challengeIn(responseRequest, secrets.wk, id => keyOf(id).publicKey)
  assert.is(c, fromBase64(proof.c))
  const { sResponse } = respondTogether(c, fromBase64(responseRequest.resp), secrets)
  assert.is(sResponse, fromBase64(proof.s_response))
})

Recorded.run()
