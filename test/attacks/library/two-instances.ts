/** An inner conjunction asks for attributes of one credential. The holder mixes those of two instances. @module */
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { indexOf } from '../../../libraries/wallet/credential.ts'
import { isAnsweredWith } from '../answer-with.ts'
import type { Attack } from '../attack.ts'
import { holderOf } from '../holder.ts'
import { obtain } from '../obtain.ts'

export const attack: Attack = {
  name: 'two-instances',
  gains: 'a mixture of two credentials that counts as one',
  cites: 'spec/interface#2.4',
  on: 'session server',
  async run(service) {
    const { first, optional } = service.offered()
    if (optional === null) throw new NotTriedError('the server issues no type with two attributes')
    const { secretKey } = holderOf(service)
    const [one, other] = [await obtain(service, secretKey), await obtain(service, secretKey)]
    const [here, there] = [indexOf(one, first.id) ?? 0, indexOf(other, optional) ?? 0]
    const shown = [
      { credential: one, disclosed: [here] },
      { credential: other, disclosed: [there] },
    ]
    const indices = [
      [
        { cred: 0, attr: here },
        { cred: 1, attr: there },
      ],
    ]
    const asked = { disclose: [[[first.id, optional]]] }
    const isGained = await isAnsweredWith(service, asked, { secretKey, shown, indices })
    return isGained ? 'attributes of two instances are VALID as one' : null
  },
}
