/** CPU time of checking one disclosure proof with a proof of non-revocation (2048 bits; secret key, metadata and 3 attributes, 1 disclosed), and of creating one as
 *  a wallet does. It is compared with the same OpenSSL calls alone. @module */
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { draftProofs, verifyProofs } from '../../crypto/proof-list.ts'
import { readSigned } from '../../crypto/revocation/signed-bytes.ts'
import { SECRET_KEY } from '../../test/crypto/proofs.ts'
import {
  issueRevocable,
  proveNotRevoked,
  REVOCATION_INDEX,
  type Revocable,
} from '../../test/crypto/revocable.ts'
import { measured } from './cpu.ts'

/** The signature of the accumulator, verified by OpenSSL alone. */
function signatureOf({ credential, witness }: Revocable): () => void {
  const { Msg, Sig } = readSigned(witness.signed.data, 'accumulator')
  const der = Buffer.from(credential.key.revocation?.ecdsa ?? '', 'base64')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return () => {
    if (!verify('sha256', Msg, key, Sig)) throw new Error('benchmark: expected a valid signature')
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const { node, openssl } = process.versions
  const revocable = issueRevocable('svc-demo.gov-0')
  const message = proveNotRevoked(revocable)
  const beside = [signatureOf(revocable)]
  const check = (arithmetic: Arithmetic): void => {
    if (!verifyProofs(arithmetic, message)) throw new Error('benchmark: expected a valid proof')
  }
  const prove = (arithmetic: Arithmetic): void => {
    const { credential, witness } = revocable
    const disclosures = [{ credential, disclosed: [2], nonRevocation: { witness, index: REVOCATION_INDEX } }]
    const input = { disclosures, commitments: [], secretKey: SECRET_KEY, context: 1n, isSignature: false }
    draftProofs(arithmetic, input, randomBytes).finish(5n)
  }
  const figures = {
    check: measured(check, { rounds: 101, beside }),
    prove: measured(prove, { rounds: 15, beside }),
  }
  if (json) console.log(JSON.stringify({ name: 'nonrevocation', node, openssl, bits: 2048, ...figures }))
  else console.table(figures)
}
