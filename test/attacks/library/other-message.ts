/** The holder signs another message than the requestor asked for. The proof is right for that message. @module */
import type { Attack } from '../attack.ts'
import { ask, isAcceptedText } from '../forge.ts'
import { signWith } from '../sign.ts'

export const attack: Attack = {
  name: 'other-message',
  gains: 'a VALID session for a message that the requestor did not send',
  cites: 'spec/cryptography#12.6',
  on: 'session server',
  async run(service) {
    const asked = await ask(service, service.request('signing'))
    const body = signWith(service, asked, { message: 'I do not agree' })
    return (await isAcceptedText(service, asked.session, body))
      ? 'a signature on another message is VALID'
      : null
  },
}
