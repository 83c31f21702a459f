/** The wallets of the production benchmark: one commitment answers every challenge. */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { randomInteger } from '../../crypto/random.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createAnswers } from '../../tools/bench/production/answers.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const NONCE_BITS = 128

const Production = suite('the production benchmark')

Production('a wallet answers each nonce with a valid proof, and with the same commitment', async () => {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const issuer = issuerOf(parseCredentialTypeId('svc-demo.uni.student'))
  const key = schemes.publicKey(issuer, schemes.latestPrivateKey(issuer)?.counter ?? -1)
  if (!key) throw new Error('expected a key with a private part')
  const answers = createAnswers(schemes)
  const nonces = [randomInteger(NONCE_BITS, randomBytes), randomInteger(NONCE_BITS, randomBytes)]
  const isValid = (nonce: bigint, answered: bigint): boolean => {
    const { proofs } = parseDisclosureMessage(answers({ context: 1n, nonce: answered }))
    const disclosures = proofs.map(proof => ({
      proof,
      key,
      group: '.',
      attributeCount: 4,
      revocationIndex: null,
    }))
    const list = { disclosures, commitments: [], context: 1n, nonce, isSignature: false }
    return verifyProofs(chooseArithmetic('auto'), list)
  }
  const [first = 0n, second = 0n] = nonces
  assert.equal([isValid(first, first), isValid(second, second)], [true, true])
  assert.not.ok(isValid(first, second))
  const commitmentOf = (nonce: bigint) =>
    parseDisclosureMessage(answers({ context: 1n, nonce })).proofs.map(({ A }) => A)
  assert.equal(commitmentOf(first), commitmentOf(second))
})

Production.run()
