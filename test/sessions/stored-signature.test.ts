/** A stored signed message is checked later, without a session, a request or the network (spec/cryptography#12.6; `svc signature verify`). @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { draftProofs } from '../../crypto/proof-list.ts'
import { signatureNonce } from '../../crypto/timestamp.ts'
import { MalformedInputError } from '../../protocol/errors.ts'
import { writeJson } from '../../protocol/json.ts'
import { signedMessage } from '../../protocol/signed-message.ts'
import { checkStoredSignature } from '../../sessions/check-signature.ts'
import type { Judgement } from '../../sessions/result.ts'
import { suite } from '../suite.ts'
import { credential, NOTE, NOW_SEC, SECRET, WEEK_SEC } from './app.ts'
import { refusedWith } from './refusal.ts'
import { arithmetic, onlySubmission, schemes } from './submissions.ts'

const { services, result } = onlySubmission('transcripts/signature-with-timestamp')
const { signature } = Object(result)
const STAMP_KEY = Buffer.from(signature.timestamp.Sig.PublicKey, 'base64')
/** A time long after the credentials have expired. */
const LATER_SEC = Date.UTC(2060) / 1000

type Setting = { readonly stampKeys?: readonly Uint8Array[]; readonly nowSec?: number }

function check(
  stored: unknown,
  { stampKeys = [STAMP_KEY], nowSec = LATER_SEC }: Setting = {},
): Promise<Judgement> {
  return checkStoredSignature({ text: JSON.stringify(stored), stampKeys, nowSec, schemes }, services)
}

async function statusOf(stored: unknown, setting?: Setting): Promise<string> {
  return (await check(stored, setting)).proofStatus
}

const Stored = suite('a stored signed message')

Stored('stays VALID for ever with a valid timestamp; its attributes are EXTRA, in one list', async () => {
  const { proofStatus, disclosed = [] } = await check(signature)
  assert.is(proofStatus, 'VALID')
  const [list] = disclosed
  assert.is(disclosed.length, 1)
  assert.ok(list?.every(({ status }) => status === 'EXTRA'))
  const values = (lists: readonly (readonly { rawvalue: string }[])[]): string[] =>
    lists.flat().map(({ rawvalue }) => rawvalue)
  assert.equal(list?.map(({ rawvalue }) => rawvalue).sort(), values(Object(result).disclosed).sort())
})

Stored('may have any base in its @context, because other programs than its server may check it', async () => {
  const context = 'https://svc.example/ld/signature/v2'
  assert.is(await statusOf({ ...signature, '@context': context }), 'VALID')
  await refusedWith(
    () => check({ ...signature, '@context': 'https://svc.example/ld/else' }),
    MalformedInputError,
  )
})

Stored('is INVALID_TIMESTAMP unless the key of its timestamp is among the given keys', async () => {
  assert.is(await statusOf(signature, { stampKeys: [] }), 'INVALID_TIMESTAMP')
  assert.is(
    await statusOf(signature, { stampKeys: [Buffer.alloc(32), Buffer.alloc(0)] }),
    'INVALID_TIMESTAMP',
  )
  assert.is(await statusOf(signature, { stampKeys: [Buffer.alloc(32), STAMP_KEY] }), 'VALID')
})

Stored('is not VALID after a change of any signed part', async () => {
  const [first, ...others] = signature.signature
  const changed: readonly (readonly [object, string])[] = [
    [{ message: `${signature.message}.` }, 'INVALID_TIMESTAMP'],
    [{ nonce: 'AQ==' }, 'INVALID'],
    [{ context: 'Ag==' }, 'INVALID'],
    [{ signature: others }, 'INVALID_TIMESTAMP'],
    [{ signature: [{ ...first, v_response: 'AQ==' }, ...others] }, 'INVALID'],
    [{ timestamp: { ...signature.timestamp, Time: signature.timestamp.Time + 1 } }, 'INVALID_TIMESTAMP'],
    [{ timestamp: null }, 'INVALID'],
    [{ signature: [] }, 'INVALID'],
    [{ nonce: null }, 'INVALID'],
    [{ context: null }, 'INVALID'],
    [{ timestamp: { ...signature.timestamp, Sig: null } }, 'INVALID_TIMESTAMP'],
  ]
  for (const [change, status] of changed) assert.is(await statusOf({ ...signature, ...change }), status)
})

Stored('is checked without its indices, which refer to a request', async () => {
  for (const indices of [[], [[{ cred: 200, attr: 2 }]]])
    assert.is(await statusOf({ ...signature, indices }), 'VALID')
})

/** Signed now, without a timestamp. */
function signedNow(nonce: bigint): object {
  const message = 'I agree'
  const disclosures = [{ credential: credential(NOTE, ['x', null]), disclosed: [2] }]
  const facts = { disclosures, commitments: [], secretKey: SECRET, context: 1n, isSignature: true }
  const drafts = draftProofs(arithmetic, facts, randomBytes)
  const proofs = drafts.finish(signatureNonce(nonce, message, null)).disclosures
  const own = { version: 2, proofs, indices: [], nonce, context: 1n, message, timestamp: null } as const
  return JSON.parse(writeJson(signedMessage(own, 'https://svc.example')))
}

Stored('without a timestamp is EXPIRED if its attributes have expired at the time of the check', async () => {
  const stored = signedNow(7n)
  assert.is(await statusOf(stored, { nowSec: NOW_SEC, stampKeys: [] }), 'VALID')
  assert.is(await statusOf(stored, { nowSec: NOW_SEC + WEEK_SEC }), 'EXPIRED')
})

Stored('is INVALID without its nonce: an absent nonce is not 0', async () => {
  const stored = signedNow(0n)
  assert.is(await statusOf(stored, { nowSec: NOW_SEC }), 'VALID')
  for (const nonce of [undefined, null])
    assert.is(await statusOf({ ...stored, nonce }, { nowSec: NOW_SEC }), 'INVALID')
})

Stored('of another form is MALFORMED_INPUT', async () => {
  for (const text of ['', 'null', '[]', '{"signature":5}', 'x'])
    await refusedWith(
      () => checkStoredSignature({ text, stampKeys: [], nowSec: LATER_SEC, schemes }, services),
      MalformedInputError,
    )
})

Stored.run()
