/** Wallets whose answers cost the callers nearly nothing. A commitment is made once and answers the challenge of every session. In a real wallet this would
 *  reveal the secrets of the credential, so these credentials exist in the benchmark alone. @module */
import { randomBytes } from 'node:crypto'
import { encodeAttribute } from '../../../crypto/attribute.ts'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { hashCommit } from '../../../crypto/challenge.ts'
import { BASES_BEFORE_ATTRIBUTES, draftDisclosure } from '../../../crypto/disclosure.ts'
import { hide } from '../../../crypto/draft.ts'
import { encodeMetadata } from '../../../crypto/metadata.ts'
import { randomInteger } from '../../../crypto/random.ts'
import { signAttributes } from '../../../libraries/testing/sign-attributes.ts'
import { disclosureMessage } from '../../../protocol/disclosure-message.ts'
import { issuerOf } from '../../../protocol/ids.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { TYPE } from '../sessions.ts'

const SECRET_KEY_BITS = 255
const SECRET_KEY_RANDOMIZER_BITS = 592
const YEAR_SEC = 365 * 24 * 3600
const INDICES = [[{ cred: 0, attr: BASES_BEFORE_ATTRIBUTES }]]
const arithmetic = chooseArithmetic('auto')

/** @returns the body of the submission for a session with this nonce */
export type Answers = (asked: { readonly context: bigint; readonly nonce: bigint }) => string

/** A wallet with one credential, which discloses the first attribute. */
export function createAnswers(schemes: Schemes): Answers {
  const issuer = issuerOf(TYPE)
  const privateKey = schemes.latestPrivateKey(issuer)
  const key = privateKey && schemes.publicKey(issuer, privateKey.counter)
  if (!privateKey || !key) throw new Error(`${TYPE}: expected its scheme with a private key`)
  const secretKey = randomInteger(SECRET_KEY_BITS, randomBytes)
  const issuedAtSec = Math.floor(Date.now() / 1_000)
  const dates = { issuedAtSec, expiresAtSec: issuedAtSec + YEAR_SEC }
  const metadata = encodeMetadata({ ...dates, keyCounter: key.counter, credentialType: TYPE })
  const values = ['Voorbeeld', 's1234567', 'master', null]
  const attributes = [metadata, ...values.map(value => encodeAttribute(value))]
  const signature = signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, randomBytes)
  const choice = { credential: { signature, attributes, key }, disclosed: [BASES_BEFORE_ATTRIBUTES] }
  const secret = hide(secretKey, SECRET_KEY_RANDOMIZER_BITS, randomBytes)
  const { contribution, respond } = draftDisclosure(arithmetic, choice, secret, randomBytes)
  return ({ context, nonce }) => {
    const proof = respond(hashCommit([context, ...contribution, nonce], false))
    return writeJson(disclosureMessage([proof], INDICES))
  }
}
