/** A signature with e = 1 needs no issuer. The response of such an e is longer than that of a right one. @module */
import type { Attack } from '../attack.ts'
import { draftAny, selfSigned } from '../draft-any.ts'
import { ask, hidden, isAccepted, prove } from '../forge.ts'
import { FORGED_NUMBER, holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'self-signed',
  gains: 'any credential of any issuer',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const { secretKey, ...holder } = holderOf(service)
    const { credential, index } = subjectOf(service, { secretKey, ...holder })
    const attributes = credential.attributes.with(index - 1, FORGED_NUMBER)
    const own = selfSigned(credential.key, secretKey, attributes)
    const asked = await ask(service, service.disclosure())
    const proofs = prove(asked, [draftAny(own, [1, index], hidden(secretKey))])
    const isGained = await isAccepted(service, asked, proofs, [[{ cred: 0, attr: index }]])
    return isGained ? 'a credential that no issuer signed is VALID' : null
  },
}
