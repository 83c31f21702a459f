/** An attribute is in both index sets: the response of the hidden attribute compensates for any value of the disclosed one. @module */
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, claiming, hidden, isAccepted, prove } from '../forge.ts'
import { FORGED_NUMBER, holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'value-by-choice',
  gains: 'any value for an attribute that the holder has with another value',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    const asked = await ask(service, service.disclosure())
    const choice = { credential, disclosed: [] }
    const draft = draftDisclosure(arithmetic, choice, hidden(holder.secretKey), bytes)
    const [proof] = prove(asked, [draft])
    if (proof === undefined) throw new Error('expected a proof')
    const forged = claiming(proof, index, FORGED_NUMBER)
    const isGained = await isAccepted(service, asked, [forged], [[{ cred: 0, attr: index }]])
    return isGained ? 'a VALID result shows the value of the attacker' : null
  },
}
