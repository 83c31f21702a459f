/** Recorded disclosures of a wallet app that had made its commitment before the accumulator changed, and updated it without reducing C_u modulo n
 *  (spec/cryptography#16 row 6). @module */
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { disclosureMessage, parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { readVector } from '../project.ts'
import { suite } from '../suite.ts'
import { arithmetic, deliveredToCheck, judged, onlySubmission, schemes } from './submissions.ts'

type Recorded = {
  readonly cases: readonly {
    readonly type: string
    readonly request: Readonly<Record<string, unknown>>
    readonly message: object
    readonly expected: 'valid'
  }[]
}

const CatchUp = suite('a wallet app that catches up with a revocation')
const { services } = onlySubmission('transcripts/disclosure-1024')
const { cases } = readVector('crypto/revocation-catch-up.json') as Recorded // the form is described in test/vectors/README.md
/** The time of the recording, 22 November 2026. */
const NOW_SEC = 1_795_305_600

assert.is(cases.length, 2)
for (const { type, request, message } of cases) {
  const body = JSON.stringify(message)
  const sent = parseDisclosureMessage(body)

  CatchUp(`${type}: a C_u larger than the modulus is read, and written again byte for byte`, () => {
    const n = schemes.publicKey(issuerOf(parseCredentialTypeId(type)), 0)?.n ?? 0n
    for (const { nonRevocation } of sent.proofs) {
      assert.ok((nonRevocation?.Cu ?? 0n) > n && (nonRevocation?.Cr ?? n) < n)
      assert.is(nonRevocation?.Cu, fromBase64(Object(message).proofs[0].nonrev_proof.C_u))
    }
    assert.is(writeJson(disclosureMessage(sent.proofs, sent.indices)), writeJson(message))
  })

  for (const each of [arithmetic, bigintArithmetic])
    CatchUp(`${type}: its disclosure is VALID, with notrevoked: ${each.name}`, async () => {
      const input = { ...deliveredToCheck(request), body, nowSec: NOW_SEC }
      const { told, checked } = await judged({
        input,
        services: { ...services, verify: async list => verifyProofs(each, list) },
      })
      assert.is(told, 'VALID')
      assert.equal(
        checked?.judgement.disclosed?.map(list => list?.map(({ notrevoked }) => notrevoked)),
        [[true]],
      )
    })
}

CatchUp.run()
