/** A reader of a signed message answers another request for the same message with it. @module */
import type { Attack } from '../attack.ts'
import { ask, isAcceptedText } from '../forge.ts'
import { signWith } from '../sign.ts'

export const attack: Attack = {
  name: 'replayed-signature',
  gains: 'a VALID session with the copy of a signed message',
  cites: 'spec/cryptography#12.6',
  on: 'session server',
  async run(service) {
    const first = await ask(service, service.request('signing'))
    const body = signWith(service, first, { message: 'I agree' })
    if (!(await isAcceptedText(service, first.session, body)))
      throw new Error('expected the first session to take its own signature')
    const second = await ask(service, service.request('signing'))
    return (await isAcceptedText(service, second.session, body))
      ? 'the signature of another session is VALID'
      : null
  },
}
