/** A proof with a range proof, which no server of this project checks. @module */

import { draftDisclosure } from '../../../crypto/disclosure.ts'
import { disclosureMessage } from '../../../protocol/disclosure-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, isAcceptedText, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'unchecked-part',
  gains: 'a VALID message with a claim that was not checked',
  cites: 'spec/cryptography#7.5',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    const asked = await ask(service, service.disclosure())
    const choice = { credential, disclosed: [index] }
    const proofs = prove(asked, [draftDisclosure(arithmetic, choice, hidden(holder.secretKey), bytes)])
    const message = disclosureMessage(proofs, [[{ cred: 0, attr: index }]])
    const body = writeJson(message).replace('{"c":', '{"rangeproofs":{"2":[{"Cs":["AQ=="]}]},"c":')
    return (await isAcceptedText(service, asked.session, body)) ? 'an unchecked range proof is VALID' : null
  },
}
