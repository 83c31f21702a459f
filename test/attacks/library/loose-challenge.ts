/** The challenge covers the context, the nonce and the kind of session. A proof whose challenge lacks one of them could be used again. @module */
import { hashCommit } from '../../../crypto/challenge.ts'
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, isAccepted } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'

export const attack: Attack = {
  name: 'loose-challenge',
  gains: 'a proof that is not bound to its session, so that others can use it again',
  cites: 'spec/cryptography#8.1',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    for (const kind of ['no context', 'no nonce', 'the kind of a signature'] as const) {
      const asked = await ask(service, service.disclosure())
      const choice = { credential, disclosed: [index] }
      const { contribution, respond } = draftDisclosure(arithmetic, choice, hidden(holder.secretKey), bytes)
      const { context, nonce } = asked
      const hashed = {
        'no context': [...contribution, nonce],
        'no nonce': [context, ...contribution],
        'the kind of a signature': [context, ...contribution, nonce],
      }[kind]
      const proof = respond(hashCommit(hashed, kind === 'the kind of a signature'))
      if (await isAccepted(service, asked, [proof], [[{ cred: 0, attr: index }]]))
        return `a proof whose challenge has ${kind} is VALID`
    }
    return null
  },
}
