/** The QR code on the page contains the client token. A person who reads the code calls the endpoints of the frontend with other tokens. @module */
import { contextOf } from '../../../protocol/contexts.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'frontend-guess',
  gains: 'the choice of pairing, or its confirmation, without the token of the frontend',
  cites: 'spec/interface#5.3',
  on: 'session server',
  async run(service) {
    const session = await service.create()
    const { Authorization: right = '' } = session.authorization
    const client = session.app.slice(session.app.lastIndexOf('/') + 1)
    const guesses = [
      '',
      client,
      session.token,
      right.slice(0, -1),
      `${right}x`,
      `Bearer ${right}`,
      right.toUpperCase(),
    ]
    const options = {
      '@context': contextOf(service.profile.contextBase, 'frontendOptions'),
      pairingMethod: 'pin',
    }
    for (const guess of guesses.filter(each => each !== right)) {
      const authorization = guess === '' ? {} : { Authorization: guess }
      for (const [method, end, body] of [
        ['GET', 'status', undefined],
        ['POST', 'options', options],
        ['POST', 'pairingcompleted', {}],
      ] as const) {
        const answer = await service.call(method, `${session.frontend}/${end}`, {
          headers: authorization,
          body,
        })
        if (answer.status < 300) return `${method} frontend/${end} with another token`
      }
    }
    return null
  },
}
