/** The request asks for a certain value, or for any value. The holder discloses another one, or none. @module */
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { indexOf } from '../../../libraries/wallet/credential.ts'
import { attributeNameOf } from '../../../protocol/ids.ts'
import { isAnsweredWith } from '../answer-with.ts'
import type { Attack } from '../attack.ts'
import { holderOf } from '../holder.ts'
import { obtain } from '../obtain.ts'

export const attack: Attack = {
  name: 'other-value',
  gains: 'a VALID session without the value that it asks for',
  cites: 'spec/interface#2.4',
  on: 'session server',
  async run(service) {
    const { attributes, first, optional } = service.offered()
    if (optional === null) throw new NotTriedError('the server issues no type with an optional attribute')
    const { secretKey } = holderOf(service)
    const { [attributeNameOf(optional)]: _, ...given } = attributes
    const credential = await obtain(service, secretKey, [service.credential({ attributes: given })])
    for (const asked of [
      { type: first.id, value: `${first.value}, but another` },
      { type: optional, notNull: true },
    ]) {
      const attr = indexOf(credential, asked.type) ?? 0
      const answer = {
        secretKey,
        shown: [{ credential, disclosed: [attr] }],
        indices: [[{ cred: 0, attr }]],
      }
      if (await isAnsweredWith(service, { disclose: [[[asked]]] }, answer))
        return `${asked.notNull ? 'no value' : 'another value'} is VALID`
    }
    return null
  },
}
