/** A passer-by has seen the code on the page. That person calls the session after an app has connected to it. @module */
import type { Attack } from '../attack.ts'

const OTHERS = ['', 'another app', 'Bearer another app']

export const attack: Attack = {
  name: 'second-app',
  gains: 'the session of an app that has connected',
  cites: 'spec/decisions#d15',
  on: 'session server',
  async run(service) {
    for (const authorization of OTHERS) {
      const session = await service.create()
      await service.connect(session, '2.8', '2.8')
      const headers = {
        [service.profile.minVersionHeader]: '2.8',
        [service.profile.maxVersionHeader]: '2.8',
        ...(authorization !== '' && { Authorization: authorization }),
      }
      for (const end of ['', '/request']) {
        const { status } = await service.call('GET', `${session.app}${end}`, { headers })
        if (status === 200) return `another app got the request (${end || 'first call'})`
      }
      const body = { proofs: [], indices: [] }
      const { status } = await service.call('POST', `${session.app}/proofs`, { headers, body })
      if (status === 200) return 'another app answered the session'
    }
    return null
  },
}
