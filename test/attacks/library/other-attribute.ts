/** The index of a requested attribute points to another attribute of the holder. @module */
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { indexOf } from '../../../libraries/wallet/credential.ts'
import { isAnsweredWith } from '../answer-with.ts'
import type { Attack } from '../attack.ts'
import { holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'other-attribute',
  gains: 'the value of one attribute as that of another',
  cites: 'spec/cryptography#12.4',
  on: 'session server',
  async run(service) {
    const [other] = service.subject.others
    if (other === undefined) throw new NotTriedError('the wallet has no credential with two attributes')
    const holder = holderOf(service)
    const { credential } = subjectOf(service, holder)
    const attr = indexOf(credential, other.id) ?? 0
    const shown = [{ credential, disclosed: [attr] }]
    const answer = { secretKey: holder.secretKey, shown, indices: [[{ cred: 0, attr }]] }
    const isGained = await isAnsweredWith(service, {}, answer)
    return isGained ? 'another attribute than the requested one is VALID' : null
  },
}
