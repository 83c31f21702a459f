/** Two holders disclose their secret keys in one message. Nothing hidden is left that could link their credentials. @module */
import { SECRET_KEY } from '../../../crypto/disclosure.ts'
import type { Attack } from '../attack.ts'
import { draftAny } from '../draft-any.ts'
import { ask, hidden, isAccepted, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'secret-key-disclosed',
  gains: 'a proof that hides no secret key, which others can use as their own',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    const asked = await ask(service, service.disclosure())
    const disclosed = [SECRET_KEY, 1, index]
    const proofs = prove(asked, [draftAny(credential, disclosed, hidden(holder.secretKey))])
    const isGained = await isAccepted(service, asked, proofs, [[{ cred: 0, attr: index }]])
    return isGained ? 'a proof without a hidden secret key is VALID' : null
  },
}
