/** The effect `sign` (spec/cryptography#9.3, #9.4): it signs the requested attributes over the wallet's commitments. @module */
import * as assert from 'uvu/assert'
import { cancellable } from '../../actors/effects/outcomes.ts'
import { type SignDeps, sign } from '../../actors/effects/sign.ts'
import { newSession } from '../../actors/kinds/new-session.ts'
import type { CredentialToIssue } from '../../actors/revocation/revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { TaskRefusedError } from '../../actors/workers/refusal.ts'
import { encodeAttribute } from '../../crypto/attribute.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { completeSignature, verifyCorrectness } from '../../crypto/issuance.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { draftProofs } from '../../crypto/proof-list.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { issueWitness, isWitnessRight, type Witness } from '../../crypto/revocation/witness.ts'
import { verifySignature } from '../../crypto/signature.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { readIssuedCredentials } from '../../protocol/server-session-response.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import {
  claimedSession,
  clock,
  DISCLOSING,
  finalOutcome,
  ISSUING,
  JUDGEMENT,
  NOW,
  schemes,
  settingsWith,
} from './claimed-sessions.ts'
import { NO_REVOCATION } from './no-revocation.ts'

const { bytes, nonce, token } = systemRandomness
const arithmetic = chooseArithmetic('auto')
const key = schemes.publicKey(parseIssuerId('svc-demo.fast'), 0) ?? (assert.unreachable('a key') as never)
const secretKey = 123456789n
const N2 = 77n
/** base index of the number of a lot, which issuer and user choose together */
const NUMBER = 3
const VALIDITY_SEC = NOW / 1_000 + 30 * 24 * 3_600

const TWO = {
  ...ISSUING,
  credentials: [
    { credential: 'svc-demo.fast.note', validity: VALIDITY_SEC, attributes: { text: 'hello' } },
    { credential: 'svc-demo.fast.lot', validity: VALIDITY_SEC, attributes: { draw: 'first' } },
  ],
}

function commitmentsOf(randomBlind: readonly (readonly number[])[]) {
  const commitments = randomBlind.map(indices => ({ key, randomBlind: indices }))
  const input = { disclosures: [], commitments, secretKey, context: 1n, isSignature: false }
  return draftProofs(arithmetic, input, bytes).finish(99n).commitments
}

const [note, lot] = commitmentsOf([[], [NUMBER]])
const commitments = { n2: N2, U: [note?.proof.U ?? 0n, lot?.proof.U ?? 0n] }

const schemesAsOf = async () => schemes
function metadata(credentialType: string): bigint {
  return encodeMetadata({
    issuedAtSec: NOW / 1_000,
    expiresAtSec: VALIDITY_SEC,
    keyCounter: 0,
    credentialType,
  })
}

function perform(row: SessionRow, changes: Partial<SignDeps>, signal = new AbortController().signal) {
  const settings = settingsWith()
  const pool = { sign: () => assert.unreachable('nothing is to be signed') as never }
  const deps = {
    ...{ schemesAsOf, clock, pool, random: { bytes }, revocation: NO_REVOCATION, settings },
    noteHashedValue: (type: string) => assert.unreachable(`a long value of ${type}`),
    ...changes,
  }
  return cancellable(settings, sign(deps))(row, signal)
}

async function signed(row: SessionRow, changes: Partial<SignDeps> = {}) {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  try {
    return finalOutcome(await perform(row, { pool, ...changes }))
  } finally {
    await pool.close()
  }
}

const Sign = suite('effect: sign')

Sign("every credential is signed over its commitment, with the issuer's share where it has one", async () => {
  const { event, answer } = await signed(claimedSession(TWO, 'signing', { commitments }))
  const { proofStatus, sigs } = JSON.parse(answer.body)
  assert.equal([event, answer.status, proofStatus], [{ type: 'server.signed' }, 200, 'VALID'])
  const [first, second] = readIssuedCredentials(sigs, 2)
  if (!first || !second || !note || !lot) return assert.unreachable('two of each')
  for (const { issued } of [first, second])
    assert.ok(verifyCorrectness(arithmetic, { key, ...issued, context: 1n, n2: N2 }))
  const ofNote = [secretKey, metadata('svc-demo.fast.note'), encodeAttribute('hello'), encodeAttribute(null)]
  const noteSignature = completeSignature(first.issued.signature, note.secrets)
  assert.ok(verifySignature(arithmetic, key, noteSignature, ofNote))
  const number = (second.shares.get(NUMBER) ?? 0n) + (lot.secrets.shares.get(NUMBER) ?? 0n)
  const ofLot = [secretKey, metadata('svc-demo.fast.lot'), encodeAttribute('first'), number]
  const lotSignature = completeSignature(second.issued.signature, lot.secrets)
  assert.ok(verifySignature(arithmetic, key, lotSignature, ofLot))
  assert.equal([first.shares.size, second.shares.size], [0, 1])
})

const REVOCABLE = {
  ...ISSUING,
  credentials: [
    ...TWO.credentials.slice(0, 1),
    {
      credential: 'svc-demo.fast.badge',
      validity: VALIDITY_SEC,
      attributes: { level: '3' },
      revocationKey: 'badge-1',
    },
  ],
}

/** Makes witnesses as an authority does, and records the requests. */
function authority() {
  const privateKey = schemes.privateKey(parseIssuerId('svc-demo.fast'), 0) ?? (assert.unreachable() as never)
  const { signed } = firstUpdate({ key, privateKey, nowSec: NOW / 1_000 }, bytes)
  const asked: CredentialToIssue[] = []
  const issue = async (credential: CredentialToIssue): Promise<Witness> => {
    asked.push(credential)
    return issueWitness(arithmetic, { key, privateKey, signed }, bytes)
  }
  return { asked, revocation: { issue } }
}

Sign(
  'a credential that can be revoked gets its own witness, whose e is its revocation attribute (14.3)',
  async () => {
    const { asked, revocation } = authority()
    const [one, other] = commitmentsOf([[], []])
    const U = [one?.proof.U ?? 0n, other?.proof.U ?? 0n]
    const row = claimedSession(REVOCABLE, 'signing', { commitments: { n2: N2, U } })
    const { answer } = await signed(row, { revocation })
    const { sigs } = JSON.parse(answer.body)
    assert.equal(
      sigs.map((sig: object) => Object.keys(sig).join()),
      ['proof,signature', 'proof,signature,nonrev'],
    )
    const [first, second] = readIssuedCredentials(sigs, 2)
    if (!second?.witness || !other) return assert.unreachable('a witness')
    assert.is(first?.witness, null)
    assert.ok(isWitnessRight(arithmetic, second.witness, key))
    const badge = [secretKey, metadata('svc-demo.fast.badge'), second.witness.e, encodeAttribute('3'), 0n]
    const signature = completeSignature(second.issued.signature, other.secrets)
    assert.ok(verifySignature(arithmetic, key, signature, badge))
    assert.equal(asked, [
      {
        type: 'svc-demo.fast.badge',
        keyCounter: 0,
        revocationKey: 'badge-1',
        issuedAtSec: NOW / 1_000,
        validUntilSec: Math.floor(VALIDITY_SEC / 604_800) * 604_800,
      },
    ])
  },
)

Sign('without a witness nothing is signed; a credential that cannot be signed gets no witness', async () => {
  const { asked, revocation } = authority()
  const row = claimedSession(REVOCABLE, 'signing', { commitments })
  const late = { revocation, clock: { wallNow: () => (VALIDITY_SEC + 1) * 1_000 } }
  const none = { revocation: NO_REVOCATION }
  for (const changes of [late, none]) {
    const { event, answer } = finalOutcome(await perform(row, changes))
    assert.equal([event, answer.status], [{ type: 'server.failed' }, 500])
    assert.match(answer.body, '"error":"ISSUANCE_FAILED"')
  }
  assert.equal(asked, [])
})

Sign('the arithmetic gets the signal of the claim and the name of the requestor', async () => {
  let given: unknown
  const sign: SignDeps['pool']['sign'] = (_, asked) => {
    given = asked
    return Promise.reject(new TaskRefusedError('nothing is signed here'))
  }
  const { signal } = new AbortController()
  await perform(claimedSession(TWO, 'signing', { commitments }), { pool: { sign } }, signal)
  assert.equal(given, { requestor: 'shop', signal })
})

Sign('only the answer to the app has signatures; the result is that of the check', async () => {
  const { columns, opens } = await signed(claimedSession(TWO, 'signing', { commitments }))
  assert.equal([columns.result?.value, opens], [JUDGEMENT, undefined])
})

Sign('the prepared next session is opened, and named in answer and result', async () => {
  const extended = parseSessionRequestText(JSON.stringify(DISCLOSING), PROFILES.svc)
  const next = newSession(extended, 'shop', settingsWith(), { token, nonce })
  const row = claimedSession(TWO, 'signing', { commitments, next })
  const { answer, columns, opens } = await signed(row)
  assert.equal(opens, next)
  const { clientToken, requestorToken } = next.columns
  assert.is(JSON.parse(answer.body).nextSession.u, `https://server.example/svc/session/${clientToken}`)
  assert.is(columns.result?.value.nextSession?.requestorToken, requestorToken)
})

Sign('below version 2.7 the answer is the list of signatures alone', async () => {
  const row = claimedSession(TWO, 'signing', { commitments })
  const context = { ...Object(row.snapshot?.context), protocolVersion: '2.6' }
  const { answer } = await signed({ ...row, snapshot: { value: row.snapshot?.value, context } })
  assert.is(JSON.parse(answer.body).length, 2)
})

type Cancelled = readonly [commitments: typeof commitments, changes: Partial<SignDeps>]
const CANCELLING: Record<string, Cancelled> = {
  'a private key that is gone': [
    commitments,
    { schemesAsOf: async () => ({ ...schemes, privateKey: () => undefined }) },
  ],
  'a key that has expired meanwhile': [
    commitments,
    { clock: { wallNow: () => (key.expiresAtSec + 1) * 1_000 } },
  ],
  'a validity that has ended': [commitments, { clock: { wallNow: () => (VALIDITY_SEC + 1) * 1_000 } }],
  'fewer commitments than credentials': [{ ...commitments, U: commitments.U.slice(0, 1) }, {}],
  'a signature that the threads refuse': [
    commitments,
    { pool: { sign: () => Promise.reject(new TaskRefusedError('expected A^e = Q')) } },
  ],
}
for (const [title, [committed, changes]] of Object.entries(CANCELLING))
  Sign(`${title}: ISSUANCE_FAILED, which cancels; no signature returned, no session opened`, async () => {
    const row = claimedSession(TWO, 'signing', { commitments: committed })
    const { event, answer, columns, opens } = finalOutcome(await perform(row, changes))
    assert.equal([event, answer.status, opens], [{ type: 'server.failed' }, 500, undefined])
    assert.match(answer.body, '"error":"ISSUANCE_FAILED"')
    assert.not.match(answer.body, 'sigs')
    assert.is(columns.result?.text, `{"error":${answer.body}}`)
  })

Sign('one invalid commitment among several: no credential is signed', async () => {
  const U = [commitments.U[0] ?? 0n, key.n - (commitments.U[1] ?? 0n)]
  const { answer } = await signed(claimedSession(TWO, 'signing', { commitments: { n2: N2, U } }))
  assert.match(answer.body, '"error":"ISSUANCE_FAILED"')
})

Sign(
  'types with values that are hashed or look like a hash are logged once for each reason, and issued',
  async () => {
    const noted: string[] = []
    const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
    const settings = settingsWith()
    const perform = sign({
      ...{ schemesAsOf, clock, pool, random: { bytes }, revocation: NO_REVOCATION, settings },
      noteHashedValue: (type, why) => noted.push(`${type} ${why}`),
    })
    const issue = async (text: string, draw: string): Promise<void> => {
      const [first, second] = TWO.credentials
      const credentials = [
        { ...first, attributes: { text } },
        { ...second, attributes: { draw } },
      ]
      const session = claimedSession({ ...TWO, credentials }, 'signing', { commitments })
      assert.is(finalOutcome(await perform(session, new AbortController().signal)).answer.status, 200)
    }
    const [short, long, twoLines] = ['x'.repeat(31), 'x'.repeat(33), 'Main Street 12\n1234 Amsterdam']
    try {
      await issue(short, short)
      assert.equal(noted, [])
      await issue(long, short)
      assert.equal(noted, ['svc-demo.fast.note isHashed'])
      await issue(long, twoLines)
      await issue(twoLines, long)
      await issue('two\nlines', 'x\ty'.repeat(20))
    } finally {
      await pool.close()
    }
    assert.equal(noted.sort(), [
      ...['svc-demo.fast.lot isHashed', 'svc-demo.fast.lot looksHashed'],
      ...['svc-demo.fast.note isHashed', 'svc-demo.fast.note looksHashed'],
    ])
  },
)

Sign('a thread that dies is no outcome: it is thrown, and voids the claim', async () => {
  const pool = { sign: () => Promise.reject(new Error('the thread died')) }
  const dying = perform(claimedSession(TWO, 'signing', { commitments }), { pool })
  assert.is(await rejection(dying), 'Error: the thread died')
})

Sign('a claim without commitments is an internal error, and so are commitments to a disclosure', async () => {
  for (const row of [claimedSession(TWO, 'signing'), claimedSession(DISCLOSING, 'signing', { commitments })])
    assert.match(await rejection(perform(row, {})), 'TypeError: expected an issuance with commitments')
})

Sign.run()
