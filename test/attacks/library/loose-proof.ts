/** A proof with the challenge 0 in place of the common one verifies for any attributes. It is sent beside a valid proof, under a key of another scheme. @module */
import { contributionOfDisclosure, draftDisclosure } from '../../../crypto/disclosure.ts'
import { encodeMetadata } from '../../../crypto/metadata.ts'
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { issuerOf, parseCredentialTypeId } from '../../../protocol/ids.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, challengeOf, hidden, isAccepted } from '../forge.ts'
import { FORGED_NUMBER, holderOf, subjectOf } from '../holder.ts'

const TYPE = parseCredentialTypeId('svc-keyshare.shop.loyalty')
const YEAR_SEC = 365 * 86_400

export const attack: Attack = {
  name: 'loose-proof',
  gains: 'any attribute of another scheme, beside an own one',
  cites: 'spec/cryptography#7.4',
  on: 'session server',
  async run(service) {
    const key = service.wallet.schemes.publicKey(issuerOf(TYPE), 0)
    if (key === undefined) throw new NotTriedError(`the schemes have no ${TYPE}`)
    const { secretKey, ...rest } = holderOf(service)
    const { credential, id, index } = subjectOf(service, { secretKey, ...rest })
    const issuedAtSec = Math.floor(service.clock.wallNow() / 1_000)
    const dates = { issuedAtSec, expiresAtSec: issuedAtSec + YEAR_SEC }
    const metadata = encodeMetadata({ ...dates, keyCounter: 0, credentialType: TYPE })
    const loose = {
      c: 0n,
      A: 4n,
      eResponse: 5n,
      vResponse: 6n,
      aResponses: new Map([[0, 7n]]),
      aDisclosed: new Map([
        [1, metadata],
        [2, FORGED_NUMBER],
      ]),
    }
    const asked = await ask(service, service.disclosure({ disclose: [[[id]], [[`${TYPE}.number`]]] }))
    const choice = { credential, disclosed: [index] }
    const { contribution, respond } = draftDisclosure(arithmetic, choice, hidden(secretKey), bytes)
    const other = contributionOfDisclosure(arithmetic, { proof: loose, key, revocationIndex: null })
    if (other === undefined) throw new Error('expected a contribution')
    const proofs = [respond(challengeOf(asked, [contribution, other])), loose]
    const indices = [[{ cred: 0, attr: index }], [{ cred: 1, attr: 2 }]]
    return (await isAccepted(service, asked, proofs, indices))
      ? 'an attribute without a proof is VALID'
      : null
  },
}
