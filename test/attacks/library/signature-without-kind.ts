/** The challenge of a signature differs from that of a disclosure. Otherwise a verifier could make a signature from a disclosure. @module */
import type { Attack } from '../attack.ts'
import { ask, isAcceptedText } from '../forge.ts'
import { signWith } from '../sign.ts'

export const attack: Attack = {
  name: 'signature-without-kind',
  gains: 'a signed message from a proof that only disclosed attributes',
  cites: 'spec/cryptography#3',
  on: 'session server',
  async run(service) {
    const asked = await ask(service, service.request('signing'))
    const body = signWith(service, asked, { message: 'I agree', isSignature: false })
    return (await isAcceptedText(service, asked.session, body)) ? 'a disclosure counts as a signature' : null
  },
}
