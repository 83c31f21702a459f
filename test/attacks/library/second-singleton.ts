/** A holder with two instances of a type of which a person has one. @module */
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { parseCredentialTypeId } from '../../../protocol/ids.ts'
import { isAnsweredWith } from '../answer-with.ts'
import type { Attack } from '../attack.ts'
import { holderOf } from '../holder.ts'
import { obtain } from '../obtain.ts'

const TYPE = 'svc-demo.gov.registration'

export const attack: Attack = {
  name: 'second-singleton',
  gains: 'two credentials in one answer, of a type of which a person has one',
  cites: 'spec/cryptography#12.2',
  on: 'session server',
  async run(service) {
    if (service.wallet.schemes.credentialType(parseCredentialTypeId(TYPE)) === undefined)
      throw new NotTriedError(`the schemes have no ${TYPE}`)
    const { secretKey } = holderOf(service)
    const credentials = ['1', '2'].map(number => ({
      credential: TYPE,
      attributes: { number, over18: 'yes' },
    }))
    const [one, other] = [
      await obtain(service, secretKey, credentials.slice(0, 1)),
      await obtain(service, secretKey, credentials.slice(1)),
    ]
    const shown = [one, other].map(credential => ({ credential, disclosed: [2] }))
    const indices = [[{ cred: 0, attr: 2 }], [{ cred: 1, attr: 2 }]]
    const asked = { disclose: [[[`${TYPE}.number`]], [[`${TYPE}.number`]]] }
    const isGained = await isAnsweredWith(service, asked, { secretKey, shown, indices })
    return isGained ? 'two instances of a singleton are VALID together' : null
  },
}
