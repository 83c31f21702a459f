/** A verifier, or a reader of its messages, sends the proof of one session in another. @module */
import { callOf } from '../../../libraries/conformance/service.ts'
import type { Attack } from '../attack.ts'
import { ask, isAcceptedText } from '../forge.ts'

export const attack: Attack = {
  name: 'replayed-proof',
  gains: 'a VALID session with the proof of another session',
  cites: 'spec/cryptography#8.1',
  on: 'session server',
  async run(service) {
    const played = await service.answer(await service.create(service.disclosure()))
    const { sent } = callOf(played, 'POST', '/proofs')
    const { session } = await ask(service, service.disclosure())
    const isGained = await isAcceptedText(service, session, JSON.stringify(sent))
    return isGained ? 'the proof of another session is VALID' : null
  },
}
