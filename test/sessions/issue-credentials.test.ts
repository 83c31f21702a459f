/** The signatures of an issuance (spec/interface#2.5; spec/cryptography#5.3, #9.3, #13). @module */
import * as assert from 'uvu/assert'
import { attributeExponent, encodeAttribute } from '../../crypto/attribute.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { decodeMetadata } from '../../crypto/metadata.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { IssuanceFailedError } from '../../protocol/errors.ts'
import { parseCredentialTypeId, parseIssuerId } from '../../protocol/ids.ts'
import type { IssuanceRequest } from '../../protocol/request.ts'
import type { CredentialRequest } from '../../protocol/request-members.ts'
import type { Schemes } from '../../schemes/types.ts'
import { credentialsToSign, witnessesToIssue } from '../../sessions/issue-credentials.ts'
import { suite } from '../suite.ts'
import { refusedWith } from './refusal.ts'
import { arithmetic, onlySubmission, type Submission, schemes } from './submissions.ts'

const WEEK_SEC = 604_800
const NOW_SEC = 2968 * WEEK_SEC + 1000
const ADDRESS = parseCredentialTypeId('svc-demo.gov.address')
const BALLOT = parseCredentialTypeId('svc-demo.uni.ballot')

function requestOf(...credentials: readonly CredentialRequest[]): IssuanceRequest {
  const { request } = onlySubmission('transcripts/issuance-one-credential').input.extended
  if (request.type !== 'issuing') throw new Error('the recorded request is one to issue')
  return { ...request, credentials }
}

const address: CredentialRequest = {
  credential: ADDRESS,
  validityAtSec: NOW_SEC + 10 * WEEK_SEC,
  attributes: { street: 'Kade', housenumber: '5', city: 'Utrecht', zipcode: '1234 AB' },
  revocationKey: '',
  keyCounter: 0,
  randomBlindIds: [],
}

const NONE: readonly (Witness | null)[] = []

function toSign(
  credentials: readonly CredentialRequest[],
  { known = schemes, nowSec = NOW_SEC, U = credentials.map(() => 7n), witnesses = NONE } = {},
) {
  const commitments = { n2: 5n, U }
  const bits: number[] = []
  const share = (count: number): bigint => BigInt(bits.push(count) + 100)
  const signed = credentialsToSign(
    { request: requestOf(...credentials), commitments, witnesses, schemes: known, nowSec },
    share,
  )
  return { ...signed, bits }
}

function without(change: Partial<Schemes>): Schemes {
  return { ...schemes, ...change }
}

const Issue = suite('the signed numbers of an issuance')

Issue('the metadata has version 3, the validity in weeks rounded down, the key and the type', () => {
  for (const validityAtSec of [NOW_SEC + 10 * WEEK_SEC, NOW_SEC + 11 * WEEK_SEC - 1001]) {
    const [attribute = 0n] = toSign([{ ...address, validityAtSec }]).toSign[0]?.attributes ?? []
    assert.equal(decodeMetadata(attribute), {
      version: 3,
      signingDateSec: 2968 * WEEK_SEC,
      validityWeeks: 10,
      expiresAtSec: 2978 * WEEK_SEC,
      keyCounter: 0,
      credentialTypeHash: schemes.credentialType(ADDRESS)?.hash,
    })
  }
})

Issue('attributes are in the order of the scheme; an optional one that is left out is absent', () => {
  const [credential] = toSign([address]).toSign
  const names = schemes.credentialType(ADDRESS)?.attributes.map(({ id }) => id.split('.').at(-1) ?? '') ?? []
  const given: Readonly<Record<string, string>> = address.attributes
  assert.equal(
    credential?.attributes.slice(1),
    names.map(name => encodeAttribute(given[name] ?? null)),
  )
  assert.ok(credential?.attributes.includes(0n))
  const [empty] = toSign([{ ...address, attributes: { ...given, city: '' } }]).toSign
  assert.is(empty?.attributes[names.indexOf('city') + 1], 1n)
})

Issue('each credential has its keys, its commitment, context 1 and the nonce of the app', () => {
  const credential = parseCredentialTypeId('svc-demo.uni.student')
  const attributes = { university: 'x', level: 'y', studentnumber: 'z' }
  const student = { ...address, credential, keyCounter: 1, attributes }
  const signed = toSign([address, student], { U: [7n, 8n] }).toSign
  assert.equal(
    signed.map(({ key, privateKey, U, context, n2 }) => [key.counter, privateKey.counter, U, context, n2]),
    [
      [0, 0, 7n, 1n, 5n],
      [1, 1, 8n, 1n, 5n],
    ],
  )
  for (const { key, privateKey } of signed) assert.is(privateKey.p * privateKey.q, key.n)
})

Issue('a random blind attribute is signed with a fresh share of Lm - 1 bits, which is sent', () => {
  const ballot = { ...address, credential: BALLOT, attributes: { election: 'x', url: 'y' } }
  const signed = toSign([ballot, address, ballot])
  assert.equal(signed.bits, [255, 255])
  const index = (schemes.credentialType(BALLOT)?.attributes.findIndex(each => each.isRandomBlind) ?? 0) + 2
  assert.equal(signed.shares, [new Map([[index, 101n]]), new Map(), new Map([[index, 102n]])])
  const [first, , last] = signed.toSign.map(({ attributes }) => attributes[index - 1])
  assert.equal([first, last], [101n, 102n])
})

const BADGE = parseCredentialTypeId('svc-demo.fast.badge')
const badge = { ...address, credential: BADGE, attributes: { level: '3', owner: 'me' }, revocationKey: 'k' }

Issue(
  'a revocable credential needs a witness, valid until the credential expires, in whole weeks (14.3)',
  () => {
    const validityAtSec = NOW_SEC + 10 * WEEK_SEC
    const request = requestOf(
      address,
      { ...badge, validityAtSec, keyCounter: 0 },
      { ...address, revocationKey: 'k' },
    )
    assert.equal(witnessesToIssue({ request, schemes, nowSec: NOW_SEC }), [
      null,
      {
        type: BADGE,
        keyCounter: 0,
        revocationKey: 'k',
        issuedAtSec: NOW_SEC,
        validUntilSec: 2978 * WEEK_SEC,
      },
      null,
    ])
  },
)

Issue('no witness is made if any credential of the request cannot be signed', async () => {
  const late = {
    request: requestOf(badge, { ...address, validityAtSec: NOW_SEC - 1 }),
    schemes,
    nowSec: NOW_SEC,
  }
  await refusedWith(() => witnessesToIssue(late), IssuanceFailedError, /^cannot issue expired credentials/)
  const known = without({ privateKey: () => undefined })
  const request = requestOf(badge)
  await refusedWith(() => witnessesToIssue({ request, schemes: known, nowSec: NOW_SEC }), IssuanceFailedError)
})

Issue(
  'the revocation attribute is the e of the witness; without a witness nothing is signed (14.3)',
  async () => {
    const names = schemes.credentialType(BADGE)?.attributes ?? []
    const signed = { data: new Uint8Array(), keyCounter: 0 }
    const witnesses = [null, { u: 1n, e: 10007n, signed }]
    const [, second] = toSign([address, badge], { witnesses }).toSign
    assert.is(second?.attributes[names.findIndex(each => each.isRevocation) + 1], 10007n)
    await refusedWith(
      () => toSign([badge]),
      IssuanceFailedError,
      'svc-demo.fast.badge: expected a witness, got none',
    )
  },
)

Issue(
  'refused: a validity that is not in the future after rounding to a week, or too long for the metadata',
  async () => {
    const endOfWeek = 2969 * WEEK_SEC
    const validityAtSec = endOfWeek + 5
    assert.is(toSign([{ ...address, validityAtSec }], { nowSec: endOfWeek - 1 }).toSign.length, 1)
    for (const nowSec of [endOfWeek, endOfWeek + 1])
      await refusedWith(
        () => toSign([{ ...address, validityAtSec }], { nowSec }),
        IssuanceFailedError,
        'cannot issue expired credentials: svc-demo.gov.address',
      )
    await refusedWith(() => toSign([{ ...address, validityAtSec: null }]), IssuanceFailedError)
    const tooFar = { ...address, validityAtSec: 65_536 * WEEK_SEC + NOW_SEC }
    await refusedWith(() => toSign([tooFar]), IssuanceFailedError, /validity in weeks: expected/)
  },
)

Issue('refused: an expired key, and a missing key or type', async () => {
  const relic = {
    ...address,
    credential: parseCredentialTypeId('svc-demo.old.relic'),
    attributes: { value: 'x' },
  }
  await refusedWith(
    () => toSign([relic]),
    IssuanceFailedError,
    'cannot issue using expired public key svc-demo.old-0',
  )
  const { expiresAtSec = 0 } = schemes.publicKey(parseIssuerId('svc-demo.old'), 0) ?? {}
  const inTime = { ...relic, validityAtSec: expiresAtSec + WEEK_SEC }
  assert.is(toSign([inTime], { nowSec: expiresAtSec }).toSign.length, 1)
  const noPrivateKey = without({ privateKey: () => undefined })
  const noKey = without({ publicKey: () => undefined })
  const noType = without({ credentialType: () => undefined })
  for (const [known, message] of [
    [noPrivateKey, 'issuer private key not found: svc-demo.gov-0'],
    [noKey, 'missing public key svc-demo.gov-0'],
    [noType, 'unknown credential type svc-demo.gov.address'],
  ] as const)
    await refusedWith(() => toSign([address], { known }), IssuanceFailedError, message)
  assert.ok(schemes.privateKey(parseIssuerId('svc-demo.gov'), 0))
})

Issue('refused: a missing required attribute, and a credential without a commitment', async () => {
  const attributes = { street: 'Kade', housenumber: '5', city: 'Utrecht' }
  await refusedWith(
    () => toSign([{ ...address, attributes }]),
    IssuanceFailedError,
    'required attribute missing: svc-demo.gov.address.zipcode',
  )
  await refusedWith(() => toSign([address], { U: [] }), IssuanceFailedError, 'commitments: expected 1, got 0')
})

/** Z = A^e U S^v'' prod R_i^exp(m_i) mod n, with the recorded signature. */
function fitsRecordedSignatures({ input, response }: Submission): boolean {
  const { request } = input.extended
  if (request.type !== 'issuing') throw new Error('the recorded request is one to issue')
  const message = parseCommitmentMessage(input.body)
  const U = message.proofs.flatMap(each => (each.kind === 'commitment' ? [each.proof.U] : []))
  const sigs: { signature: Record<string, string>; m_issuer?: Record<string, string> }[] =
    Object(response?.body).sigs ?? response?.body
  const shares = sigs.flatMap(({ m_issuer = {} }) => Object.values(m_issuer).map(fromBase64))
  const commitments = { n2: message.n2, U }
  const signed = credentialsToSign(
    { request, commitments, witnesses: [], schemes, nowSec: input.nowSec },
    () => shares.shift() ?? 0n,
  )
  return signed.toSign.every(({ key: { n, S, R, Z }, attributes, U: committed }, i) => {
    const { A = '', e = '', v = '' } = sigs[i]?.signature ?? {}
    const { Lm } = systemParameters(n)
    const power = (base: bigint, exponent: bigint): bigint => arithmetic.power(base, exponent, n)
    const product = attributes.reduce(
      (all, attribute, j) => (all * power(R[j + 1] ?? 0n, attributeExponent(attribute, Lm))) % n,
      (committed * power(S, fromBase64(v))) % n,
    )
    return (power(fromBase64(A), fromBase64(e)) * product) % n === Z
  })
}

for (const name of [
  'one-credential',
  '1024',
  'two-credentials',
  'optional-omitted',
  'default-validity',
  'randomblind',
  'randomblind-last',
])
  Issue(`issuance-${name}: the recorded signature is valid for these attributes`, () => {
    assert.ok(fitsRecordedSignatures(onlySubmission(`transcripts/issuance-${name}`)))
  })

Issue.run()
