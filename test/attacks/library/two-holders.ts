/** Two holders answer one session together: each proof is right, under its own secret key. @module */
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, isAccepted, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'
import { OTHER_SECRET_KEY, obtain } from '../obtain.ts'

export const attack: Attack = {
  name: 'two-holders',
  gains: 'the attributes of two people as those of one',
  cites: 'spec/cryptography#7.4',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, id, index } = subjectOf(service, holder)
    const other = await obtain(service, OTHER_SECRET_KEY)
    const { first } = service.offered()
    const asked = await ask(service, service.disclosure({ disclose: [[[id]], [[first.id]]] }))
    const proofs = prove(asked, [
      draftDisclosure(arithmetic, { credential, disclosed: [index] }, hidden(holder.secretKey), bytes),
      draftDisclosure(arithmetic, { credential: other, disclosed: [2] }, hidden(OTHER_SECRET_KEY), bytes),
    ])
    const indices = [[{ cred: 0, attr: index }], [{ cred: 1, attr: 2 }]]
    const isGained = await isAccepted(service, asked, proofs, indices)
    return isGained ? 'credentials of two secret keys are VALID together' : null
  },
}
